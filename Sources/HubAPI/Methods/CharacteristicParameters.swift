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
    public struct Write: Hashable, Sendable, Codable {
        /// The characteristic.
        public var characteristic: CharacteristicReference
        /// The value; a number of another kind is taken where it converts without loss.
        public var value: CharacteristicValue
        /// What shows the accessory that the write is allowed, for characteristics that ask for it.
        public var authorizationData: Data?

        /// Makes a write.
        public init(
            characteristic: CharacteristicReference,
            value: CharacteristicValue,
            authorizationData: Data? = nil
        ) {
            self.characteristic = characteristic
            self.value = value
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

    /// Makes the parameters.
    public init(home: UUID, characteristics: [CharacteristicReference]?, enabled: Bool) {
        self.home = home
        self.characteristics = characteristics
        self.enabled = enabled
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

extension WriteCharacteristics.Write: CustomReflectable {
    /// Everything but the authorisation data, so that printing and dumping do not show it.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "characteristic": characteristic, "value": value,
                "hasAuthorizationData": authorizationData != nil,
            ]
        )
    }
}
