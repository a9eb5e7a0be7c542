package import HomeHub
package import HomeIdentity
package import HubNetwork
package import RelayClient

/// What a hub gives to devices that come through its relay.
package struct AwayHub: Sendable {
    /// The hub's key.
    package var key: IdentityKey
    /// The hub, as connections see it.
    package var door: any NetworkDoor
    /// Where the hub is, now and each time that it changes; `nil` for no relay.
    package var places: AsyncStream<RelayPlace?>
    /// Whom to believe about a relay's name.
    package var trust: RelayTrust
    /// The keys of devices that were removed.
    package var removals: AsyncStream<PublicKey>
    /// Decides whether a key is that of a device of a feed's person. The handshake asks it, on any thread.
    package var accepts: @Sendable (FeedID, PublicKey) -> Bool
    /// What serves a device.
    package var peer: LinkPeer.Lookup

    /// Creates it.
    package init(
        key: IdentityKey,
        door: any NetworkDoor,
        places: AsyncStream<RelayPlace?>,
        trust: RelayTrust = .system,
        removals: AsyncStream<PublicKey>,
        accepts: @escaping @Sendable (FeedID, PublicKey) -> Bool,
        peer: @escaping LinkPeer.Lookup
    ) {
        self.key = key
        self.door = door
        self.places = places
        self.trust = trust
        self.removals = removals
        self.accepts = accepts
        self.peer = peer
    }
}
