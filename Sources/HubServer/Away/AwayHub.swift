package import HomeIdentity
package import HubNetwork
package import RelayClient

/// What a hub gives to devices that come through its relay.
package struct AwayHub: Sendable {
    /// Where the hub is at a relay.
    package struct Place: Sendable {
        /// The relay's address, such as `https://relay.example.org`.
        package var relay: String
        /// The hub at the relay.
        package var house: HouseID
        /// The key by which the relay knows the hub.
        package var owner: IdentityKey
        /// Whom to believe about the relay's name.
        package var trust: RelayTrust

        /// Creates a place.
        package init(relay: String, house: HouseID, owner: IdentityKey, trust: RelayTrust = .system) {
            self.relay = relay
            self.house = house
            self.owner = owner
            self.trust = trust
        }
    }

    /// The hub's key.
    package var key: IdentityKey
    /// The hub, as connections see it.
    package var door: any NetworkDoor
    /// Where the hub is, now and each time that it changes; `nil` for no relay.
    package var places: AsyncStream<Place?>
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
        places: AsyncStream<Place?>,
        removals: AsyncStream<PublicKey>,
        accepts: @escaping @Sendable (FeedID, PublicKey) -> Bool,
        peer: @escaping LinkPeer.Lookup
    ) {
        self.key = key
        self.door = door
        self.places = places
        self.removals = removals
        self.accepts = accepts
        self.peer = peer
    }
}
