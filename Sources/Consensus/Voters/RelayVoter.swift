package import Foundation

/// The relay as a voter: it votes and keeps batches, and never leads.
///
/// It is a value that is made for each request from what is on the disk, within the transaction that writes the changes.
/// Batches before the ones of a request may be without their bytes.
package struct RelayVoter: Sendable {
    /// The term and vote.
    package private(set) var record: VoterRecord
    /// The batches.
    package private(set) var log: BatchLog
    /// The size of the batches, in bytes.
    package private(set) var byteCount: Int

    /// A request's answer, and what is written before it is sent.
    package struct Answer<Reply: Sendable>: Sendable {
        /// What is written.
        package var change = LogChange()
        /// The place up to which batches are discarded; `nil` if none are.
        package var discarded: Int?
        /// The answer.
        package var reply: Reply
    }

    /// Creates a voter from what is on the disk.
    ///
    /// - Parameters:
    ///   - record: The term and vote.
    ///   - log: The batches, with or without their bytes.
    ///   - byteCount: The size of the batches.
    package init(record: VoterRecord, log: BatchLog, byteCount: Int) {
        self.record = record
        self.log = log
        self.byteCount = byteCount
    }

    /// Answers a hub that asks for a vote.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - candidate: The hub.
    ///   - hasLeader: Whether a leader's message came in the last ``ConsensusTimes/leaderHeard``, or may have come before
    ///     this process started.
    package mutating func answer(
        _ request: VoteRequest,
        from candidate: UUID,
        hasLeader: Bool
    ) -> Answer<VoteReply> {
        var isGranted = request.last >= log.last
        let former = record
        if request.isTrial {
            isGranted = isGranted && request.term > record.term && !hasLeader
        } else {
            if request.term > record.term { record = VoterRecord(term: request.term) }
            isGranted = isGranted && request.term == record.term && record.allowsVote(for: candidate, in: request.term)
            if isGranted { record.vote = candidate }
        }
        let reply = VoteReply(
            term: record.term,
            requestTerm: request.term,
            isTrial: request.isTrial,
            isGranted: isGranted,
            last: log.last
        )
        return Answer(change: LogChange(record: record == former ? nil : record), reply: reply)
    }

    /// Answers a leader.
    package mutating func answer(_ request: AppendRequest) -> Answer<AppendReply> {
        let previous = request.previous.place
        let refusal = AppendReply(term: record.term, previous: previous, isMatch: false, place: log.last.place)
        var answer = Answer(reply: refusal)
        guard request.term >= record.term else { return answer }
        answer.reply.term = request.term
        if request.term > record.term {
            record = VoterRecord(term: request.term)
            answer.change.record = record
        }
        var merged = log
        guard let change = merged.merge(after: request.previous, request.batches) else {
            answer.reply.place = placeBeforeConflict(request.previous)
            return answer
        }
        let added = change.added.reduce(0) { $0 + $1.bytes.count }
        guard
            change.added.isEmpty
                || merged.batches.count <= ConsensusLimits.relayBatches
                    && byteCount + added <= ConsensusLimits.relayBytes
        else {
            answer.reply.isMatch = true
            answer.reply.place = previous
            answer.reply.isFull = true
            return answer
        }
        log = merged
        byteCount += added
        answer.change.removedAfter = change.removedAfter
        answer.change.added = change.added
        answer.reply.isMatch = true
        answer.reply.place = max(request.batches.last?.position.place ?? request.previous.place, log.base.place)
        if min(request.settled, answer.reply.place) > log.base.place {
            log.discard(through: min(request.settled, answer.reply.place))
            answer.discarded = log.base.place
        }
        return answer
    }

    /// Returns a place from which on the relay's batches may be another leader's: before all batches of the term that is
    /// wrong at a position.
    private func placeBeforeConflict(_ previous: BatchPosition) -> Int {
        guard let wrong = log.position(at: previous.place), wrong.place > log.base.place else {
            return max(log.base.place, min(log.last.place, previous.place - 1))
        }
        let first = log.batches.first { $0.position.term == wrong.term }?.position.place ?? wrong.place
        return first - 1
    }

    /// Returns whether the relay takes a leader's base: from the leader of its term or a later one, and only one that is
    /// newer than what it has.
    ///
    /// - Returns: The change, with the place up to which batches are discarded; `nil` if it doesn't take the base.
    package mutating func takeBase(_ base: BatchPosition, term: Int) -> Answer<BatchPosition>? {
        guard term >= record.term, base.place >= log.base.place else { return nil }
        var answer = Answer(reply: base)
        if term > record.term {
            record = VoterRecord(term: term)
            answer.change.record = record
        }
        if log.position(at: base.place) != base { answer.change.removedAfter = log.base.place }
        log.replace(by: base)
        answer.discarded = base.place
        return answer
    }

    /// Returns where a request for batches begins: after the position if the relay has it, else at its base.
    package func answer(_ request: FetchRequest) -> FetchReply {
        guard log.position(at: request.after.place) == request.after else {
            return FetchReply(previous: log.base, batches: [], last: log.last, base: log.base)
        }
        return FetchReply(previous: request.after, batches: log.batches(after: request.after.place), last: log.last)
    }
}
