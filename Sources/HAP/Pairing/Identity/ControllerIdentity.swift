/// A controller's identity to its accessories. If it is lost, so are all pairings.
public struct ControllerIdentity: Hashable, Sendable {
    /// The controller's pairing identifier.
    public let pairingID: PairingID
    /// The long-term key pair.
    public let keyPair: LongTermKeyPair

    /// Creates an identity from its stored parts.
    public init(pairingID: PairingID, keyPair: LongTermKeyPair) {
        self.pairingID = pairingID
        self.keyPair = keyPair
    }
}
