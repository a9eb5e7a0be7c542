package import HomeIdentity
import HubAPI
import SealedFeed

/// Where a device reaches a hub from away: at a relay, by the feed of its person, or by the door of an invitation until it has
/// one.
package struct AwayPlace: Sendable {
    /// The relay's address, such as `https://relay.example.org`.
    package var relay: String
    /// The hub at the relay.
    package var house: HouseID
    /// The feed of the device's person; `nil` at a door.
    package var feed: FeedID?
    /// The key by which the relay knows the device.
    package var key: IdentityKey

    /// Creates it.
    package init(relay: String, house: HouseID, feed: FeedID?, key: IdentityKey) {
        self.relay = relay
        self.house = house
        self.feed = feed
        self.key = key
    }

    /// Creates the place that follows from where the device's feed is; `nil` while the hub has no relay.
    init?(_ settings: FeedSettings) {
        guard let location = settings.location, let address = location.address, let keys = settings.keys else {
            return nil
        }
        self.init(relay: location.relay, house: address.house, feed: address.feed, key: keys.relay)
    }

    /// Creates the place of a door.
    init(_ door: RelayDoor) {
        self.init(relay: door.relay, house: door.house, feed: nil, key: door.key)
    }

    /// Whether two places are the same one.
    func isSame(_ other: AwayPlace) -> Bool {
        relay == other.relay && house == other.house && feed == other.feed && key.seed == other.key.seed
    }
}
