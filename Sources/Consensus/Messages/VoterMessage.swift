/// What voters send each other. Messages may be lost, repeated and reordered. The sender is known from the connection.
package enum VoterMessage: Hashable, Sendable {
    /// A hub asks for a vote, or whether it could win.
    case voteRequest(VoteRequest)
    /// The answer to a hub that asks for a vote.
    case voteReply(VoteReply)
    /// A leader sends batches, or nothing but that it leads.
    case appendRequest(AppendRequest)
    /// The answer to a leader.
    case appendReply(AppendReply)
    /// A hub without a leader asks the relay for batches that it lacks.
    case fetchRequest(FetchRequest)
    /// The relay's answer to it.
    case fetchReply(FetchReply)
}

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

/// A leader's message.
package struct AppendRequest: Hashable, Sendable {
    /// The leader's term.
    package var term: Int
    /// The position before the first batch.
    package var previous: BatchPosition
    /// The batches.
    package var batches: [Batch]
    /// The place up to which all batches are committed.
    package var committed: Int
    /// The place up to which all voters have all batches. They needn't be kept.
    package var settled: Int

    /// Creates a request.
    package init(term: Int, previous: BatchPosition, batches: [Batch], committed: Int, settled: Int) {
        self.term = term
        self.previous = previous
        self.batches = batches
        self.committed = committed
        self.settled = settled
    }
}

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

/// A hub's request for batches that a relay has and it lacks.
package struct FetchRequest: Hashable, Sendable {
    /// The position after which it needs batches.
    package var after: BatchPosition

    /// Creates a request.
    package init(after: BatchPosition) {
        self.after = after
    }
}

/// A relay's batches.
package struct FetchReply: Hashable, Sendable {
    /// The position before the first batch.
    package var previous: BatchPosition
    /// The batches.
    package var batches: [Batch]
    /// The end of the relay's log.
    package var last: BatchPosition
    /// The base that the relay has instead of the batches that were asked for; `nil` if it has the batches.
    package var base: BatchPosition?

    /// Creates a reply.
    package init(previous: BatchPosition, batches: [Batch], last: BatchPosition, base: BatchPosition? = nil) {
        self.previous = previous
        self.batches = batches
        self.last = last
        self.base = base
    }
}
