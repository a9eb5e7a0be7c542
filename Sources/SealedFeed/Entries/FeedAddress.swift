package import HomeIdentity

/// The place of a feed at any relay.
package struct FeedAddress: Hashable, Sendable, Codable {
    /// The house of the hub.
    package var house: HouseID
    /// The feed.
    package var feed: FeedID

    /// Creates an address.
    package init(house: HouseID, feed: FeedID) {
        self.house = house
        self.feed = feed
    }
}
