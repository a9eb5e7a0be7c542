package import Consensus
package import Foundation

/// The relay as a voter of one house, as a store has it within a transaction.
package struct HouseVoter: Sendable {
    /// The number of the pair of hubs that votes. A later pair of the house has a larger one.
    package var pair: Int64
    /// The term and vote.
    package var record: VoterRecord
    /// The batches. Their bytes are needed to answer a request for batches alone.
    package var log: BatchLog
    /// The size of the batches, in bytes. The store counts it.
    package var byteCount: Int

    /// Creates a voter; a new one unless more is given.
    package init(
        pair: Int64,
        record: VoterRecord = VoterRecord(),
        log: BatchLog = BatchLog(),
        byteCount: Int = 0
    ) {
        self.pair = pair
        self.record = record
        self.log = log
        self.byteCount = byteCount
    }

    /// What a store writes and answers.
    package struct Decision: Sendable {
        /// The answer, once everything is written.
        package var answer: VoterMessage
        /// Whether what was stored for the house is removed first, because it belongs to a former pair.
        package var beginsAnew = false
        /// What is written. Nothing is if it's empty and nothing is discarded.
        package var change = LogChange()
        /// The place up to which batches are removed; `nil` if none are.
        package var discarded: Int?
        /// The voter after that.
        package var voter: HouseVoter

        /// Whether anything is written.
        package var isWritten: Bool { beginsAnew || !change.isEmpty || discarded != nil }
    }

    /// Decides about a message.
    ///
    /// - Parameters:
    ///   - message: The message, and who sends it.
    ///   - stored: What the store has for the house; `nil` for nothing.
    /// - Throws: `outdated` if a later pair of the house votes.
    package static func deciding(
        about message: VoteCall,
        stored: HouseVoter?
    ) throws(RelayStoreError) -> Decision {
        if let stored, stored.pair > message.pair { throw .outdated(stored: stored.pair) }
        let isKnown = stored?.pair == message.pair
        let voter = isKnown ? stored ?? HouseVoter(pair: message.pair) : HouseVoter(pair: message.pair)
        var relay = RelayVoter(record: voter.record, log: voter.log, byteCount: voter.byteCount)
        var decision: Decision
        switch message.message {
        case .voteRequest(let request):
            let answer = relay.answer(request, from: message.hub, hasLeader: message.hasLeader)
            decision = Decision(answer: .voteReply(answer.reply), change: answer.change, voter: voter)
        case .appendRequest(let request):
            let answer = relay.answer(request)
            decision = Decision(
                answer: .appendReply(answer.reply),
                change: answer.change,
                discarded: answer.discarded,
                voter: voter
            )
        case .fetchRequest(let request):
            decision = Decision(answer: .fetchReply(relay.answer(request)), voter: voter)
        case .voteReply, .appendReply, .fetchReply: throw .notFound
        }
        decision.beginsAnew = !isKnown
        decision.voter.record = relay.record
        decision.voter.log = relay.log
        return decision
    }
}

/// A hub's message to the relay as a voter.
package struct VoteCall: Sendable {
    /// The message: a request.
    package var message: VoterMessage
    /// The hub.
    package var hub: UUID
    /// The number of the pair of hubs.
    package var pair: Int64
    /// Whether a leader's message came in the last ``Consensus/ConsensusTimes/leaderHeard``, or may have.
    package var hasLeader: Bool

    /// Creates a call. Returns `nil` if the message isn't a request.
    package init?(_ message: VoterMessage, from hub: UUID, pair: Int64, hasLeader: Bool) {
        switch message {
        case .voteRequest, .appendRequest, .fetchRequest: break
        case .voteReply, .appendReply, .fetchReply: return nil
        }
        self.message = message
        self.hub = hub
        self.pair = pair
        self.hasLeader = hasLeader
    }

    /// The place after which the voter needs the bytes of its batches; `nil` if it needs none.
    package var fetchedAfter: Int? {
        if case .fetchRequest(let request) = message { request.after.place } else { nil }
    }
}
