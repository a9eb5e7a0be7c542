package import DNSSD
package import HomeIdentity
package import HubNetwork

/// What a hub gives to the network, and what the network tells it.
package struct NetworkedHub: Sendable {
    /// The hub's key.
    package var key: IdentityKey
    /// The hub, as connections see it.
    package var door: any NetworkDoor
    /// Whether the hub has a device or an invitation, now and each time that it changes.
    package var needs: AsyncStream<Bool>
    /// The keys of devices that were removed.
    package var removals: AsyncStream<PublicKey>
    /// What serves a device.
    package var peer: LinkPeer.Lookup
    /// What takes the connection of another hub.
    package var hub: HubLink.Lookup
    /// The port of the last time.
    package var port: @Sendable () async -> Int?
    /// Stores the port.
    package var setPort: @Sendable (Int) async throws -> Void
    /// Sets the addresses for links, the best first; none if the hub doesn't listen.
    package var setAddresses: @Sendable ([HubAddress]) async -> Void
    /// Advertises the hub.
    package var announce: @Sendable (ServiceAdvertisement) async throws -> any ServiceAnnouncement

    /// Creates it.
    package init(
        key: IdentityKey,
        door: any NetworkDoor,
        needs: AsyncStream<Bool>,
        removals: AsyncStream<PublicKey>,
        peer: @escaping LinkPeer.Lookup,
        hub: @escaping HubLink.Lookup = { _ in nil },
        port: @escaping @Sendable () async -> Int?,
        setPort: @escaping @Sendable (Int) async throws -> Void,
        setAddresses: @escaping @Sendable ([HubAddress]) async -> Void,
        announce: @escaping @Sendable (ServiceAdvertisement) async throws -> any ServiceAnnouncement
    ) {
        self.key = key
        self.door = door
        self.needs = needs
        self.removals = removals
        self.peer = peer
        self.hub = hub
        self.port = port
        self.setPort = setPort
        self.setAddresses = setAddresses
        self.announce = announce
    }
}
