import Consensus
import Foundation
import Testing

/// A hub whose messages a test writes, to show one rule at a time.
struct LoneHub {
    static let own = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1))
    static let other = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2))
    static let peer = Voter.hub(other)

    var voter: HubVoter
    var now = Duration.seconds(100)
    /// What the last event returned.
    var effects: [VoterEffect] = [] {
        didSet {
            for case .send(.appendRequest(let request), let voter) in effects {
                previous[voter] = request.previous.place
            }
        }
    }
    /// The place before the batches that were last sent to a voter.
    private var previous: [Voter: Int] = [:]

    init(
        record: VoterRecord = VoterRecord(),
        terms: [Int] = [],
        base: BatchPosition = .start,
        applied: Int = 0,
        seed: UInt64 = 1
    ) {
        voter = HubVoter(
            pair: HubPair(own: Self.own, other: Self.other),
            record: record,
            log: Self.log(terms, base: base),
            applied: applied,
            seed: seed,
            now: .seconds(100)
        )
    }

    static func log(_ terms: [Int], base: BatchPosition = .start) -> BatchLog {
        BatchLog(base: base, batches: batches(terms, after: base.place)) ?? BatchLog(base: base)
    }

    static func batches(_ terms: [Int], after place: Int = 0) -> [Batch] {
        terms.enumerated().map { index, term in
            Batch(
                BatchPosition(place: place + index + 1, term: term),
                bytes: [UInt8(truncatingIfNeeded: index), UInt8(term)]
            )
        }
    }

    var terms: [Int] { voter.log.batches.map(\.position.term) }
    var sent: [VoterMessage] {
        effects.compactMap { if case .send(let message, _) = $0 { message } else { nil } }
    }
    func appends(to voter: Voter) -> [AppendRequest] {
        effects.compactMap { effect in
            if case .send(.appendRequest(let request), to: voter) = effect { request } else { nil }
        }
    }
    var voteReply: VoteReply? {
        for case .voteReply(let reply) in sent { return reply }
        return nil
    }
    var appendReply: AppendReply? {
        for case .appendReply(let reply) in sent { return reply }
        return nil
    }
    var persisted: [LogChange] {
        effects.compactMap { if case .persist(let change) = $0 { change } else { nil } }
    }
    /// Whether everything that has to be on the disk is there before something is sent or applied. The others may write a
    /// leader's new batches at the same time.
    var persistsFirst: Bool {
        effects.indices.allSatisfy { index in
            let later = effects[index...].compactMap { if case .persist(let change) = $0 { change } else { nil } }
            return switch effects[index] {
            case .send(.appendRequest, _): later.allSatisfy { $0.record == nil && $0.removedAfter == nil }
            case .send, .apply, .beginLeading: later.isEmpty
            default: true
            }
        }
    }

    mutating func receive(_ message: VoterMessage, from sender: Voter = peer, after time: Duration = .zero) {
        now += time
        effects = voter.receive(message, from: sender, now: now)
    }

    mutating func tick(after time: Duration = .zero) {
        now += time
        effects = voter.tick(now: now)
    }

    mutating func append(
        term: Int,
        after previous: BatchPosition = .start,
        _ batches: [Batch] = [],
        committed: Int = 0,
        settled: Int = 0,
        later: Duration = .zero
    ) {
        let request = AppendRequest(
            term: term,
            previous: previous,
            batches: batches,
            committed: committed,
            settled: settled
        )
        receive(.appendRequest(request), after: later)
    }

    mutating func askVote(term: Int, last: BatchPosition = .start, isTrial: Bool = false) {
        receive(.voteRequest(VoteRequest(term: term, last: last, isTrial: isTrial)))
    }

    mutating func answerVote(isTrial: Bool, isGranted: Bool = true, from voter: Voter, last: BatchPosition = .start) {
        let term = self.voter.record.term
        let reply = VoteReply(
            term: term,
            requestTerm: isTrial ? term + 1 : term,
            isTrial: isTrial,
            isGranted: isGranted,
            last: last
        )
        receive(.voteReply(reply), from: voter)
    }

    mutating func acknowledge(
        _ place: Int,
        from voter: Voter = peer,
        isMatch: Bool = true,
        after time: Duration = .zero
    ) {
        let previous = previous[voter] ?? 0
        let reply = AppendReply(term: self.voter.record.term, previous: previous, isMatch: isMatch, place: place)
        receive(.appendReply(reply), from: voter, after: time)
    }

    /// Wins an election by the relay's vote.
    mutating func lead() {
        tick(after: .seconds(4))
        answerVote(isTrial: true, from: .relay)
        answerVote(isTrial: false, from: .relay)
    }
}
