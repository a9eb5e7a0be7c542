package import HomeIdentity

/// Where a feed stands at a relay.
package struct FeedPosition: Hashable, Sendable, Codable {
    /// The number of the last entry; 0 for none.
    package var seq: Int64
    /// The hash of the last entry.
    package var head: EntryDigest
    /// The number of the first entry of the last whole base; 0 for none.
    package var base: Int64
    /// The term of the last entry.
    package var term: Int64

    /// Creates a position.
    package init(seq: Int64 = 0, head: EntryDigest = .zero, base: Int64 = 0, term: Int64 = 0) {
        self.seq = seq
        self.head = head
        self.base = base
        self.term = term
    }
}
