import Consensus
import Foundation

/// A relay with its disk.
struct SimulatedRelay {
    var record = VoterRecord()
    var log = BatchLog()
    var base = SimulatedMachine()
    /// When the process started, or last got a leader's message.
    var heard = Duration.zero
    /// Whether it votes and acknowledges as it likes.
    var lies = false

    private var voter: RelayVoter { RelayVoter(record: record, log: log, byteCount: log.byteCount) }

    mutating func answer(
        _ message: VoterMessage,
        from hub: UUID,
        now: Duration,
        random: inout SimulationRandom
    ) -> VoterMessage? {
        if lies, let lie = lie(message, &random) { return lie }
        var voter = voter
        switch message {
        case .voteRequest(let request):
            let hasLeader = now - heard < ConsensusTimes.leaderHeard
            let answer = voter.answer(request, from: hub, hasLeader: hasLeader)
            write(answer)
            return .voteReply(answer.reply)
        case .appendRequest(let request):
            let answer = voter.answer(request)
            if request.term >= record.term { heard = now }
            write(answer)
            return .appendReply(answer.reply)
        case .fetchRequest(let request): return .fetchReply(voter.answer(request))
        case .voteReply, .appendReply, .fetchReply: return nil
        }
    }

    mutating func take(_ position: BatchPosition, term: Int, _ machine: SimulatedMachine) -> Bool {
        var voter = voter
        guard let answer = voter.takeBase(position, term: term) else { return false }
        write(answer)
        log = voter.log
        base = machine
        return true
    }

    private mutating func write<Reply>(_ answer: RelayVoter.Answer<Reply>) {
        if let record = answer.change.record { self.record = record }
        if let place = answer.change.removedAfter { log.removeAll(after: place) }
        for batch in answer.change.added { log.append(batch) }
        if let place = answer.discarded { log.discard(through: place) }
    }

    private mutating func lie(_ message: VoterMessage, _ random: inout SimulationRandom) -> VoterMessage? {
        switch message {
        case .voteRequest(let request):
            guard random.happens(0.7) else { return nil }
            let term = request.isTrial ? request.term - 1 : request.term
            return .voteReply(
                VoteReply(
                    term: random.happens(0.1) ? term + random.number(below: 3) : term,
                    requestTerm: request.term,
                    isTrial: request.isTrial,
                    isGranted: true,
                    last: random.happens(0.5) ? .start : BatchPosition(place: 1_000_000, term: term)
                )
            )
        case .appendRequest(let request):
            if random.happens(0.1) { log = BatchLog() }
            guard random.happens(0.5) else { return nil }
            return .appendReply(
                AppendReply(
                    term: request.term,
                    previous: request.previous.place,
                    isMatch: random.happens(0.8),
                    place: request.previous.place + random.number(below: 70) - 3,
                    isFull: random.happens(0.01)
                )
            )
        case .fetchRequest(let request):
            guard random.happens(0.5) else { return nil }
            return .fetchReply(
                FetchReply(previous: request.after, batches: [], last: BatchPosition(place: 1 << 40, term: 1 << 40))
            )
        case .voteReply, .appendReply, .fetchReply: return nil
        }
    }
}
