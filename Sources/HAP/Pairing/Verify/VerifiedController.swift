/// What an accessory knows of a connection whose pair-verify has succeeded. What the controller may do changes meanwhile:
/// ``PairingList`` tells it.
public struct VerifiedController: Hashable, Sendable {
    /// Who the controller is.
    public let controllerID: PairingID
    /// The keys of the secure session.
    public let keys: SessionKeys
}
