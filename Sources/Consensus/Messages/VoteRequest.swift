/// A hub's request for a vote.
package struct VoteRequest: Hashable, Sendable {
    /// The term of the election. It is the next one if the hub only asks whether it could win.
    package var term: Int
    /// The end of the hub's log.
    package var last: BatchPosition
    /// Whether the hub only asks whether it could win. The answer binds nobody.
    package var isTrial: Bool

    /// Creates a request.
    package init(term: Int, last: BatchPosition, isTrial: Bool) {
        self.term = term
        self.last = last
        self.isTrial = isTrial
    }
}
