package import Foundation
package import HomeIdentity

/// An entry to append, and where.
package struct AppendItem: Hashable, Sendable {
    /// The feed.
    package var feed: FeedID
    /// The number of the feed's last entry, as the writer knows it.
    package var expect: Int64
    /// The hash of that entry.
    package var prev: EntryDigest
    /// The writer's term.
    package var term: Int64
    /// The entry.
    package var bytes: Data

    /// Creates an item.
    package init(feed: FeedID, expect: Int64, prev: EntryDigest, term: Int64 = 0, bytes: Data) {
        self.feed = feed
        self.expect = expect
        self.prev = prev
        self.term = term
        self.bytes = bytes
    }
}
