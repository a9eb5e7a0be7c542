package import AirPlay
package import HAP

/// The means by which a sender pairs with a receiver of AirPlay 2.
package struct SenderAccess: Sendable {
    /// The kind of pairing.
    package var kind: SenderPairing.Kind
    /// The sender's identity.
    package var identity: ControllerIdentity
    /// The receivers that are paired with it.
    package var peers: [PairedPeer]
    /// Returns the PIN that the receiver shows, or `nil` if the user doesn't enter one.
    package var pin: @Sendable () async -> PairingPIN?
    /// Keeps the record of a receiver that has been paired. Called on the event loop.
    package var keep: @Sendable (PairedPeer) -> Void

    /// Creates means of access.
    package init(
        _ kind: SenderPairing.Kind,
        identity: ControllerIdentity,
        peers: [PairedPeer] = [],
        pin: @escaping @Sendable () async -> PairingPIN? = { nil },
        keep: @escaping @Sendable (PairedPeer) -> Void = { _ in }
    ) {
        self.kind = kind
        self.identity = identity
        self.peers = peers
        self.pin = pin
        self.keep = keep
    }
}
