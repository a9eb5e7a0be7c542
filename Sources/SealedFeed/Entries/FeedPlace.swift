package import HomeIdentity

/// A place in a feed: an entry, by its term, number and digest.
package struct FeedPlace: Hashable, Sendable, Codable {
    /// The place before the first entry.
    package static let start = FeedPlace(term: 0, sequence: 0, head: .zero)

    /// The term.
    package var term: Int
    /// The number of the entry; 0 before the first one.
    package var sequence: Int
    /// The digest of the entry.
    package var head: EntryDigest

    /// Creates a place.
    package init(term: Int, sequence: Int, head: EntryDigest) {
        self.term = term
        self.sequence = sequence
        self.head = head
    }

    /// Returns whether a place is before another one. A later term is later, whatever the numbers.
    package func isBefore(_ other: FeedPlace) -> Bool {
        (term, sequence) < (other.term, other.sequence)
    }
}
