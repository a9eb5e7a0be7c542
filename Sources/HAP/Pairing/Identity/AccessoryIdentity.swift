/// Who an accessory is to its controllers: renewed by a factory reset only.
public struct AccessoryIdentity: Hashable, Sendable {
    /// The accessory's pairing identifier and TXT `id`.
    public let deviceID: DeviceID
    /// The long-term key pair.
    public let keyPair: LongTermKeyPair

    /// Creates an identity of its stored parts.
    public init(deviceID: DeviceID, keyPair: LongTermKeyPair) {
        self.deviceID = deviceID
        self.keyPair = keyPair
    }

    /// Draws a new identity, for an accessory that leaves the factory. The generator must be cryptographically secure.
    public static func random(using generator: inout some RandomNumberGenerator) -> AccessoryIdentity {
        AccessoryIdentity(deviceID: .random(using: &generator), keyPair: .random(using: &generator))
    }
}
