import Foundation
import HomeIdentity
import HubAPI
import SealedFeed

/// What a device stores of a feed together with the copy of the homes, in one transaction.
struct CopyFeed: Hashable, Sendable, Codable {
    /// The reader's state.
    var kept: KeptFeed
    /// The last entry of which the hub itself has told the device all, on a connection of its own.
    var met = FeedPlace.start

    /// Whether the copy has what an entry says, because the hub itself has told it.
    func isKnown(_ place: FeedPlace) -> Bool { !met.isBefore(place) }
}

extension FeedLocation {
    /// The feed at its relay; `nil` if the hub's text isn't one.
    var address: FeedAddress? {
        guard let house = HouseID(hex: house), let feed = FeedID(hex: feed) else { return nil }
        return FeedAddress(house: house, feed: feed)
    }

    /// The place that the hub has named; `nil` if it isn't sure, or its text is none.
    var feedPlace: FeedPlace? {
        guard let place, let head = EntryDigest(hex: place.head) else { return nil }
        return FeedPlace(term: place.term, sequence: place.seq, head: head)
    }
}
