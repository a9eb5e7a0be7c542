package import Foundation

/// The result of reading entries.
package enum EntryPage: Hashable, Sendable {
    /// The entries, in order; none if there are no newer ones.
    case entries([Data], position: FeedPosition)
    /// The next entry is gone. The base is the one to go on with.
    case dropped(FeedPosition)
    /// The feed doesn't reach the number.
    case ahead(FeedPosition)
}
