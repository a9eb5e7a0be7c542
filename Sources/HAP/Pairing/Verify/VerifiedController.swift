/// What an accessory knows of a connection whose pair-verify has succeeded.
public struct VerifiedController: Hashable, Sendable {
    /// Who the controller is.
    public let controllerID: PairingID
    /// What the controller might do when it verified. ``PairingList`` tells what it may do now.
    public let permissions: PairingPermissions
    /// The keys of the secure session.
    public let keys: SessionKeys
}
