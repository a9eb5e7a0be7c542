/// The result of a successful pair-verify on the accessory's side. The controller's permissions may change later, so
/// look them up in ``PairingList``.
public struct VerifiedController: Hashable, Sendable {
    /// The controller's pairing identifier.
    public let controllerID: PairingID
    /// The keys of the secure session.
    public let keys: SessionKeys
}
