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
