/// Who a controller is to its accessories. Losing it loses every pairing.
public struct ControllerIdentity: Hashable, Sendable {
    /// The controller's pairing identifier.
    public let pairingID: PairingID
    /// The long-term key pair.
    public let keyPair: LongTermKeyPair

    /// Creates an identity of its stored parts.
    public init(pairingID: PairingID, keyPair: LongTermKeyPair) {
        self.pairingID = pairingID
        self.keyPair = keyPair
    }
}
