package import Foundation
package import HomeIdentity
package import SealedFeed

/// As whom a hub writes feeds: alone, or as the one of two that leads.
package struct FeedLead: Hashable, Sendable {
    /// The leadership.
    package var leadership: FeedLeadership
    /// The keys of all hubs that may have written to the feeds, by ID.
    package var hubs: [UUID: PublicKey]
    /// The lists of hubs, from which devices learn of this hub; `nil` for none.
    package var lists: HubListChain?

    /// Creates it; by default, for a hub that was never one of two.
    package init(
        _ leadership: FeedLeadership = .alone,
        hubs: [UUID: PublicKey] = [:],
        lists: HubListChain? = nil
    ) {
        self.leadership = leadership
        self.hubs = hubs
        self.lists = lists
    }
}
