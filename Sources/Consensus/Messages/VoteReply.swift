/// The answer to a request for a vote.
package struct VoteReply: Hashable, Sendable {
    /// The voter's term.
    package var term: Int
    /// The term of the request.
    package var requestTerm: Int
    /// Whether the request was a trial.
    package var isTrial: Bool
    /// Whether the hub gets the vote.
    package var isGranted: Bool
    /// The end of the voter's log.
    package var last: BatchPosition

    /// Creates a reply.
    package init(term: Int, requestTerm: Int, isTrial: Bool, isGranted: Bool, last: BatchPosition) {
        self.term = term
        self.requestTerm = requestTerm
        self.isTrial = isTrial
        self.isGranted = isGranted
        self.last = last
    }
}
