/// Who writes a feed: a hub that is alone, or the one of two that leads.
///
/// Each leadership has feed terms and generations of its own, above those of all leaderships before it. So a relay refuses what a
/// former leader appends late, and keys that it gives out late are never used.
package struct FeedLeadership: Hashable, Sendable, Codable {
    /// The number of beginnings of a feed, because the relay has lost entries, for which a leadership has terms.
    package static let terms = 1 << 10
    /// The largest number of a list of hubs, and of a term of leading, that are told apart.
    package static let maximumList = (1 << 12) - 1
    package static let maximumTerm = (1 << 30) - 1

    /// A hub that was never one of two.
    package static let alone = FeedLeadership(list: 0, term: 0)

    /// The number of the list of hubs; 0 for a hub that never had one.
    package let list: Int
    /// The term in which the hub leads; 0 for a hub that is alone.
    package let term: Int

    /// Creates a leadership.
    package init(list: Int, term: Int) {
        self.list = list
        self.term = term
    }

    /// The first feed term of the leadership.
    package var firstTerm: Int {
        (min(list, Self.maximumList) << 30 | min(term, Self.maximumTerm)) * Self.terms
    }

    /// The first number of a list of readers that the leadership makes; `nil` if the time is one. It is above all times.
    package var firstList: Int? { self == .alone ? nil : 1 << 42 + firstTerm }

    /// Returns whether a feed's term is of a later leadership.
    func isBefore(_ term: Int) -> Bool { self != .alone && term >= firstTerm + Self.terms }
}
