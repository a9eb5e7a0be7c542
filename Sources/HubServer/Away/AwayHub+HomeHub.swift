package import Foundation
package import HomeHub
package import HomeIdentity
import HubAPI
import HubNetwork

extension AwayHub {
    /// What a hub gives to devices that come through the relay at which it keeps its feeds.
    package init(_ hub: HomeHub) {
        self.init(hub, at: hub.relayPlaces) { hub.user(of: $0) }
    }

    /// What a hub gives to devices that come through a relay.
    ///
    /// - Parameters:
    ///   - places: Where the hub is, now and each time that it changes; `nil` for no relay.
    ///   - user: A closure that returns whose feed it is; `nil` if it is nobody's any more.
    package init(
        _ hub: HomeHub,
        at places: AsyncStream<RelayPlace?>,
        user: @escaping @Sendable (FeedID) -> UUID?
    ) {
        var doors = Doors()
        doors.open = { hub.doors }
        doors.changes = hub.doorChanges
        doors.invitation = { hub.invitation(ofDoor: $0, for: $1) }
        doors.peer = Self.peer(hub, isAtDoor: true)
        self.init(
            key: hub.identity,
            door: hub.door,
            places: places,
            removals: hub.removedKeys,
            accepts: { feed, key in user(feed).map { hub.isDevice(key, of: $0) } ?? false },
            peer: Self.peer(hub, isAtDoor: false),
            doors: doors
        )
    }

    private static func peer(_ hub: HomeHub, isAtDoor: Bool) -> LinkPeer.Lookup {
        { key, _ throws(HubError) in
            let authority = try hub.authority(of: key, way: .away, isAtDoor: isAtDoor)
            return LinkPeer(HubAcceptor(hub, as: authority), isGuest: hub.isGuestEverywhere(authority.user))
        }
    }
}
