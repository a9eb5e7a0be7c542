/// What an accessory stores of one controller.
public struct Pairing: Hashable, Sendable, Codable {
    /// The controller's pairing identifier.
    public let controllerID: PairingID
    /// The controller's long-term public key.
    public let publicKey: LongTermPublicKey
    /// What the controller may do.
    public var permissions: PairingPermissions

    /// Creates a pairing.
    public init(controllerID: PairingID, publicKey: LongTermPublicKey, permissions: PairingPermissions) {
        self.controllerID = controllerID
        self.publicKey = publicKey
        self.permissions = permissions
    }
}
