package import Foundation
package import HAPCatalog

/// Names a characteristic in a home.
package struct CharacteristicReference: Hashable, Sendable, Codable {
    /// The accessory.
    package var accessory: UUID
    /// The characteristic's instance id.
    package var iid: UInt64

    /// Names a characteristic.
    package init(accessory: UUID, iid: UInt64) {
        self.accessory = accessory
        self.iid = iid
    }
}

/// Reads characteristics.
package struct ReadCharacteristics: Hashable, Sendable, Codable {
    /// The home.
    package var home: UUID
    /// What to read; at most ``HubProtocol/characteristicsPerCall``.
    package var characteristics: [CharacteristicReference]

    /// Makes the parameters.
    package init(home: UUID, characteristics: [CharacteristicReference]) {
        self.home = home
        self.characteristics = characteristics
    }
}

/// Writes characteristics. Writes to one accessory happen in the order given.
package struct WriteCharacteristics: Hashable, Sendable, Codable {
    /// A value for one characteristic.
    package struct Write: Hashable, Sendable {
        /// What is written.
        package enum Content: Hashable, Sendable {
            /// A value; a number of another kind is taken where it converts without loss.
            case value(CharacteristicValue)
            /// How far a number is moved from its current value, negative downwards. The hub decides the value: on the nearest
            /// step, within the bounds, and counted from what writes on their way will leave.
            case difference(CharacteristicValue)
        }

        /// The characteristic.
        package var characteristic: CharacteristicReference
        /// What is written.
        package var content: Content
        /// What shows the accessory that the write is allowed, for characteristics that ask for it.
        package var authorizationData: Data?

        /// Makes a write.
        package init(
            characteristic: CharacteristicReference,
            value: CharacteristicValue,
            authorizationData: Data? = nil
        ) {
            self.init(characteristic: characteristic, .value(value), authorizationData: authorizationData)
        }

        /// Makes a write of a value or a difference.
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

    /// The home.
    package var home: UUID
    /// What to write; at most ``HubProtocol/characteristicsPerCall``.
    package var writes: [Write]

    /// Makes the parameters.
    package init(home: UUID, writes: [Write]) {
        self.home = home
        self.writes = writes
    }
}

/// Chooses what this connection hears of.
package struct NotifyCharacteristics: Hashable, Sendable, Codable {
    /// The home.
    package var home: UUID
    /// The characteristics; nil means all of the home that notify, those of later accessories included.
    package var characteristics: [CharacteristicReference]?
    /// Whether to hear of their changes.
    package var enabled: Bool
    /// Whether the client subscribed to them before, so that an unreachable accessory is not an error: it hears of the
    /// changes once the accessory is back.
    package var isRenewal: Bool?

    /// Makes the parameters.
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

/// What came of each characteristic of a call, in the call's order.
package struct CharacteristicResults: Hashable, Sendable, Codable {
    /// The outcome for one characteristic.
    package struct Outcome: Hashable, Sendable, Codable {
        /// The characteristic.
        package var characteristic: CharacteristicReference
        /// The value: what was read, or what was written, in the characteristic's own format.
        package var value: CharacteristicValue?
        /// Why it failed; nil when it did not.
        package var error: HubError?

        /// Makes an outcome.
        package init(characteristic: CharacteristicReference, value: CharacteristicValue? = nil, error: HubError? = nil)
        {
            self.characteristic = characteristic
            self.value = value
            self.error = error
        }
    }

    /// One outcome for each characteristic of the call.
    package var outcomes: [Outcome]

    /// Makes the result.
    package init(outcomes: [Outcome]) {
        self.outcomes = outcomes
    }
}

extension WriteCharacteristics.Write: Codable {
    private enum Key: String, CodingKey {
        case characteristic, value, difference, authorizationData
    }

    /// Reads a write, which has either a value or a difference.
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
                debugDescription: "A write has a value or a difference, not both."
            )
        }
        content = .difference(try container.decode(CharacteristicValue.self, forKey: .difference))
    }

    /// Writes either the value or the difference.
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
    /// Everything but the authorisation data, so that printing and dumping do not show it.
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
