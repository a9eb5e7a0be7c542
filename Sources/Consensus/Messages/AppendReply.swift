/// The answer to a leader's message.
package struct AppendReply: Hashable, Sendable {
    /// The voter's term.
    package var term: Int
    /// The place before the first batch of the leader's message.
    package var previous: Int
    /// Whether the voter has what precedes the batches.
    package var isMatch: Bool
    /// If so, the place up to which it has the leader's batches. Else a place up to which it may have them.
    package var place: Int
    /// Whether the voter, a relay, has no room for more until it gets a base.
    package var isFull: Bool

    /// Creates a reply.
    package init(term: Int, previous: Int, isMatch: Bool, place: Int, isFull: Bool = false) {
        self.term = term
        self.previous = previous
        self.isMatch = isMatch
        self.place = place
        self.isFull = isFull
    }
}
