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
    /// The hub's doors for invited devices.
    package var doors: Doors

    /// The doors through which invited devices come that the relay doesn't know yet.
    package struct Doors: Sendable {
        /// The doors that are open: their keys, and how many seconds are left.
        package var open: @Sendable () -> [(key: PublicKey, seconds: Int)] = { [] }
        /// A stream that yields each time that doors open or close.
        package var changes = AsyncStream<Void> { $0.finish() }
        /// Returns the invitation that a device may use which comes through a door; `nil` if it may not come through it.
        package var invitation: @Sendable (_ door: PublicKey, _ device: PublicKey) -> InvitationID? = { _, _ in nil }
        /// What serves a device that comes through a door; `nil` for the hub's ``AwayHub/peer``.
        package var peer: LinkPeer.Lookup?

        /// Creates no doors.
        package init() {}
    }

    /// Creates it.
    package init(
        key: IdentityKey,
        door: any NetworkDoor,
        places: AsyncStream<RelayPlace?>,
        trust: RelayTrust = .system,
        removals: AsyncStream<PublicKey>,
        accepts: @escaping @Sendable (FeedID, PublicKey) -> Bool,
        peer: @escaping LinkPeer.Lookup,
        doors: Doors = Doors()
    ) {
        self.doors = doors
        self.key = key
        self.door = door
        self.places = places
        self.trust = trust
        self.removals = removals
        self.accepts = accepts
        self.peer = peer
    }
}
