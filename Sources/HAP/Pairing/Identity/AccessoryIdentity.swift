/// An accessory's identity to its controllers. Only a factory reset changes it.
public struct AccessoryIdentity: Hashable, Sendable {
    /// The accessory's pairing identifier and TXT `id`.
    public let deviceID: DeviceID
    /// The long-term key pair.
    public let keyPair: LongTermKeyPair

    /// Creates an identity from its stored parts.
    public init(deviceID: DeviceID, keyPair: LongTermKeyPair) {
        self.deviceID = deviceID
        self.keyPair = keyPair
    }

    /// Generates a new identity, as for an accessory that leaves the factory. The generator must be cryptographically
    /// secure.
    public static func random(using generator: inout some RandomNumberGenerator) -> AccessoryIdentity {
        AccessoryIdentity(deviceID: .random(using: &generator), keyPair: .random(using: &generator))
    }
}
