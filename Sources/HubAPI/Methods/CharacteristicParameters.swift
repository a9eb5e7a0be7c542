package import Foundation
package import HAPCatalog

/// Identifies a characteristic in a home.
package struct CharacteristicReference: Hashable, Sendable, Codable {
    package var accessory: UUID
    /// The characteristic's instance ID.
    package var iid: UInt64

    /// Creates a reference.
    package init(accessory: UUID, iid: UInt64) {
        self.accessory = accessory
        self.iid = iid
    }
}

/// Reads characteristics.
package struct ReadCharacteristics: Hashable, Sendable, Codable {
    package var home: UUID
    /// The characteristics to read, at most ``HubProtocol/characteristicsPerCall``.
    package var characteristics: [CharacteristicReference]

    package init(home: UUID, characteristics: [CharacteristicReference]) {
        self.home = home
        self.characteristics = characteristics
    }
}

/// Writes characteristics. Writes to the same accessory happen in request order.
package struct WriteCharacteristics: Hashable, Sendable, Codable {
    /// A value for one characteristic.
    package struct Write: Hashable, Sendable {
        /// The content of a write.
        package enum Content: Hashable, Sendable {
            /// A value. A number of another type is accepted if it converts without loss.
            case value(CharacteristicValue)
            /// A change relative to the current value; negative decreases it. The hub computes the value: the nearest
            /// step within the range, starting from the value that writes in progress will leave.
            case difference(CharacteristicValue)
        }

        /// The characteristic.
        package var characteristic: CharacteristicReference
        /// The value or difference to write.
        package var content: Content
        /// The authorization data, for characteristics that require it.
        package var authorizationData: Data?

        /// Creates a write.
        package init(
            characteristic: CharacteristicReference,
            value: CharacteristicValue,
            authorizationData: Data? = nil
        ) {
            self.init(characteristic: characteristic, .value(value), authorizationData: authorizationData)
        }

        /// Creates a write of a value or a difference.
        package init(
            characteristic: CharacteristicReference,
            _ content: Content,
            authorizationData: Data? = nil
        ) {
            self.characteristic = characteristic
            self.content = content
            self.authorizationData = authorizationData
        }
    }

    package var home: UUID
    /// The writes, at most ``HubProtocol/characteristicsPerCall``.
    package var writes: [Write]

    package init(home: UUID, writes: [Write]) {
        self.home = home
        self.writes = writes
    }
}

/// Subscribes this connection to characteristics, or unsubscribes it.
package struct NotifyCharacteristics: Hashable, Sendable, Codable {
    package var home: UUID
    /// The characteristics; `nil` for all in the home that send events, including those of accessories added later.
    package var characteristics: [CharacteristicReference]?
    /// Whether to subscribe or unsubscribe.
    package var enabled: Bool
    /// Whether the client subscribed to them before. If so, an unreachable accessory isn't an error: the events follow
    /// once the accessory is back.
    package var isRenewal: Bool?

    package init(
        home: UUID,
        characteristics: [CharacteristicReference]?,
        enabled: Bool,
        isRenewal: Bool? = nil
    ) {
        self.home = home
        self.characteristics = characteristics
        self.enabled = enabled
        self.isRenewal = isRenewal
    }
}

/// The results of a call, one per characteristic, in request order.
package struct CharacteristicResults: Hashable, Sendable, Codable {
    /// The result for one characteristic.
    package struct Outcome: Hashable, Sendable, Codable {
        /// The characteristic.
        package var characteristic: CharacteristicReference
        /// The value that was read or written, in the characteristic's own format.
        package var value: CharacteristicValue?
        /// Why the operation failed; `nil` if it succeeded.
        package var error: HubError?

        /// Creates an outcome.
        package init(characteristic: CharacteristicReference, value: CharacteristicValue? = nil, error: HubError? = nil)
        {
            self.characteristic = characteristic
            self.value = value
            self.error = error
        }
    }

    /// The results, one per characteristic of the call.
    package var outcomes: [Outcome]

    package init(outcomes: [Outcome]) {
        self.outcomes = outcomes
    }
}

extension WriteCharacteristics.Write: Codable {
    private enum Key: String, CodingKey {
        case characteristic, value, difference, authorizationData
    }

    /// Decodes a write, which has either a value or a difference.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        characteristic = try container.decode(CharacteristicReference.self, forKey: .characteristic)
        authorizationData = try container.decodeIfPresent(Data.self, forKey: .authorizationData)
        guard container.contains(.difference) else {
            content = .value(try container.decode(CharacteristicValue.self, forKey: .value))
            return
        }
        guard !container.contains(.value) else {
            throw DecodingError.dataCorruptedError(
                forKey: .difference,
                in: container,
                debugDescription: "A write has either a value or a difference, not both."
            )
        }
        content = .difference(try container.decode(CharacteristicValue.self, forKey: .difference))
    }

    /// Encodes either the value or the difference.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(characteristic, forKey: .characteristic)
        switch content {
        case .value(let value): try container.encode(value, forKey: .value)
        case .difference(let difference): try container.encode(difference, forKey: .difference)
        }
        try container.encodeIfPresent(authorizationData, forKey: .authorizationData)
    }
}

extension WriteCharacteristics.Write: CustomReflectable {
    /// All members except the authorization data, so that printing and dumping don't reveal it.
    package var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "characteristic": characteristic, "content": content,
                "hasAuthorizationData": authorizationData != nil,
            ]
        )
    }
}

/// A question about since when values are as they are.
package struct ChangeTimesQuery: Hashable, Sendable, Codable {
    /// The home.
    package var home: UUID
    /// The accessories, or `nil` for all of the home.
    package var accessories: [UUID]?

    package init(home: UUID, accessories: [UUID]? = nil) {
        self.home = home
        self.accessories = accessories
    }
}

/// Since when values are as they are.
package struct ChangeTimes: Hashable, Sendable, Codable {
    /// The times of an accessory's values.
    package struct Accessory: Hashable, Sendable, Codable {
        /// The accessory.
        package var accessory: UUID
        /// The hub's time of each value's last change, by instance ID. A value that the hub hasn't seen change since it
        /// started has none.
        package var since: [String: Date]

        package init(accessory: UUID, since: [String: Date]) {
            self.accessory = accessory
            self.since = since
        }
    }

    /// The accessories with a value that changed.
    package var accessories: [Accessory]

    package init(accessories: [Accessory]) {
        self.accessories = accessories
    }
}
