package import Foundation

/// Where a device finds its user's feed: the changes of the homes, encrypted, at a relay.
package struct FeedLocation: Hashable, Sendable, Codable {
    /// An entry of the feed.
    package struct Place: Hashable, Sendable, Codable {
        /// The number of times that the hub began the feed again, because the relay had lost entries.
        package var term: Int
        /// The number of the entry; 0 before the first one.
        package var seq: Int
        /// The SHA-256 digest of the entry, 64 hexadecimal digits; zeros before the first one.
        package var head: String

        /// Creates a place.
        package init(term: Int, seq: Int, head: String) {
            self.term = term
            self.seq = seq
            self.head = head
        }
    }

    /// The relay's address, such as `https://relay.example.org`.
    package var relay: String
    /// The ID of the hub at the relay, 16 hexadecimal digits.
    package var house: String
    /// The ID of the feed, 32 hexadecimal digits.
    package var feed: String
    /// The device's ID, to which its envelopes are addressed.
    package var device: UUID
    /// The hub's ID, which entries name. They are signed with the hub's public key.
    package var hub: UUID
    /// The last entry that the relay has. It is `nil` while the hub can't be sure: while it writes, and until it has reached the
    /// relay after its start.
    package var place: Place?

    /// Creates a location.
    package init(relay: String, house: String, feed: String, device: UUID, hub: UUID, place: Place? = nil) {
        self.relay = relay
        self.house = house
        self.feed = feed
        self.device = device
        self.hub = hub
        self.place = place
    }
}

/// Whether a device has a feed, and where.
package struct FeedStanding: Hashable, Sendable, Codable {
    /// Where it is; `nil` while the hub has no relay.
    package var location: FeedLocation?

    /// Creates a standing.
    package init(_ location: FeedLocation?) {
        self.location = location
    }
}
