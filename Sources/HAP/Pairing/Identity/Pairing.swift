/// An accessory's record of a paired controller.
public struct Pairing: Hashable, Sendable, Codable {
    /// The controller's pairing identifier.
    public let controllerID: PairingID
    /// The controller's long-term public key.
    public let publicKey: LongTermPublicKey
    /// The controller's permissions.
    public var permissions: PairingPermissions

    /// Creates a pairing.
    public init(controllerID: PairingID, publicKey: LongTermPublicKey, permissions: PairingPermissions) {
        self.controllerID = controllerID
        self.publicKey = publicKey
        self.permissions = permissions
    }
}
