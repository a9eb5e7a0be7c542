public import Foundation
public import HAPCatalog

/// Names a characteristic in a home.
public struct CharacteristicReference: Hashable, Sendable, Codable {
    /// The accessory.
    public var accessory: UUID
    /// The characteristic's instance id.
    public var iid: UInt64

    /// Names a characteristic.
    public init(accessory: UUID, iid: UInt64) {
        self.accessory = accessory
        self.iid = iid
    }
}

/// Reads characteristics.
public struct ReadCharacteristics: Hashable, Sendable, Codable {
    /// The home.
    public var home: UUID
    /// What to read; at most ``HubProtocol/characteristicsPerCall``.
    public var characteristics: [CharacteristicReference]

    /// Makes the parameters.
    public init(home: UUID, characteristics: [CharacteristicReference]) {
        self.home = home
        self.characteristics = characteristics
    }
}

/// Writes characteristics. Writes to one accessory happen in the order given.
public struct WriteCharacteristics: Hashable, Sendable, Codable {
    /// A value for one characteristic.
    public struct Write: Hashable, Sendable {
        /// What is written.
        public enum Content: Hashable, Sendable {
            /// A value; a number of another kind is taken where it converts without loss.
            case value(CharacteristicValue)
            /// How far a number is moved from its current value, negative downwards. The hub decides the value: on the nearest
            /// step, within the bounds, and counted from what writes on their way will leave.
            case difference(CharacteristicValue)
        }

        /// The characteristic.
        public var characteristic: CharacteristicReference
        /// What is written.
        public var content: Content
        /// What shows the accessory that the write is allowed, for characteristics that ask for it.
        public var authorizationData: Data?

        /// Makes a write.
        public init(
            characteristic: CharacteristicReference,
            value: CharacteristicValue,
            authorizationData: Data? = nil
        ) {
            self.init(characteristic: characteristic, .value(value), authorizationData: authorizationData)
        }

        /// Makes a write of a value or a difference.
        public init(
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
    public var home: UUID
    /// What to write; at most ``HubProtocol/characteristicsPerCall``.
    public var writes: [Write]

    /// Makes the parameters.
    public init(home: UUID, writes: [Write]) {
        self.home = home
        self.writes = writes
    }
}

/// Chooses what this connection hears of.
public struct NotifyCharacteristics: Hashable, Sendable, Codable {
    /// The home.
    public var home: UUID
    /// The characteristics; nil means all of the home that notify, those of later accessories included.
    public var characteristics: [CharacteristicReference]?
    /// Whether to hear of their changes.
    public var enabled: Bool
    /// Whether the client subscribed to them before, so that an unreachable accessory is not an error: it hears of the
    /// changes once the accessory is back.
    public var isRenewal: Bool?

    /// Makes the parameters.
    public init(
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
public struct CharacteristicResults: Hashable, Sendable, Codable {
    /// The outcome for one characteristic.
    public struct Outcome: Hashable, Sendable, Codable {
        /// The characteristic.
        public var characteristic: CharacteristicReference
        /// The value: what was read, or what was written, in the characteristic's own format.
        public var value: CharacteristicValue?
        /// Why it failed; nil when it did not.
        public var error: HubError?

        /// Makes an outcome.
        public init(characteristic: CharacteristicReference, value: CharacteristicValue? = nil, error: HubError? = nil)
        {
            self.characteristic = characteristic
            self.value = value
            self.error = error
        }
    }

    /// One outcome for each characteristic of the call.
    public var outcomes: [Outcome]

    /// Makes the result.
    public init(outcomes: [Outcome]) {
        self.outcomes = outcomes
    }
}

extension WriteCharacteristics.Write: Codable {
    private enum Key: String, CodingKey {
        case characteristic, value, difference, authorizationData
    }

    /// Reads a write, which has either a value or a difference.
    public init(from decoder: any Decoder) throws {
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
    public func encode(to encoder: any Encoder) throws {
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
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "characteristic": characteristic, "content": content,
                "hasAuthorizationData": authorizationData != nil,
            ]
        )
    }
}
