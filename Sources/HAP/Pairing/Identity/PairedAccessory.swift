/// A controller's record of a paired accessory.
public struct PairedAccessory: Hashable, Sendable, Codable {
    /// The accessory's device ID.
    public let deviceID: DeviceID
    /// The accessory's long-term public key.
    public let publicKey: LongTermPublicKey

    /// Creates a record.
    public init(deviceID: DeviceID, publicKey: LongTermPublicKey) {
        self.deviceID = deviceID
        self.publicKey = publicKey
    }
}
