import Consensus
import Foundation
import Testing

/// Raft's rules of the log, each by its name.
@Suite struct ReplicationTests {
    let position = { BatchPosition(place: $0, term: $1) }

    @Test func `log matching: batches are taken only after what precedes them`() {
        var hub = LoneHub(record: VoterRecord(term: 2), terms: [1, 1])
        hub.append(term: 2, after: position(3, 2), LoneHub.batches([2], after: 3))
        #expect(hub.appendReply == AppendReply(term: 2, previous: 3, isMatch: false, place: 2))
        hub.append(term: 2, after: position(2, 2), LoneHub.batches([2], after: 2))
        #expect(hub.appendReply == AppendReply(term: 2, previous: 2, isMatch: false, place: 1))
        #expect(hub.terms == [1, 1])
        hub.append(term: 2, after: position(2, 1), LoneHub.batches([2], after: 2))
        #expect(hub.appendReply == AppendReply(term: 2, previous: 2, isMatch: true, place: 3))
        #expect(hub.terms == [1, 1, 2] && hub.persistsFirst)
        var relay = RelayVoter(record: VoterRecord(term: 2), log: LoneHub.log([1, 1]), byteCount: 4)
        let request = AppendRequest(
            term: 2,
            previous: position(2, 2),
            batches: LoneHub.batches([2], after: 2),
            committed: 0,
            settled: 0
        )
        #expect(!relay.answer(request).reply.isMatch && relay.log.last == position(2, 1))
    }

    @Test func `a leader's batches replace others at their places`() {
        var hub = LoneHub(record: VoterRecord(term: 3), terms: [1, 2, 2, 2])
        hub.append(term: 3, after: position(1, 1), LoneHub.batches([3], after: 1))
        #expect(hub.terms == [1, 3])
        #expect(hub.persisted == [LogChange(removedAfter: 1, added: LoneHub.batches([3], after: 1))])
        var relay = RelayVoter(record: VoterRecord(term: 3), log: LoneHub.log([1, 2, 2, 2]), byteCount: 8)
        let request = AppendRequest(
            term: 3,
            previous: position(1, 1),
            batches: LoneHub.batches([3], after: 1),
            committed: 0,
            settled: 0
        )
        let answer = relay.answer(request)
        #expect(answer.change == LogChange(removedAfter: 1, added: LoneHub.batches([3], after: 1)))
        #expect(relay.log.last == position(2, 3))
    }

    @Test func `a message that comes late removes nothing that came after it`() {
        var hub = LoneHub(record: VoterRecord(term: 1), terms: [1, 1, 1])
        hub.append(term: 1, after: .start, LoneHub.batches([1]))
        #expect(hub.terms == [1, 1, 1] && hub.persisted.isEmpty)
        #expect(hub.appendReply == AppendReply(term: 1, previous: 0, isMatch: true, place: 1))
    }

    @Test func `a leader of an earlier term is refused`() {
        var hub = LoneHub(record: VoterRecord(term: 3))
        hub.append(term: 2, after: .start, LoneHub.batches([2]), committed: 1)
        #expect(hub.appendReply == AppendReply(term: 3, previous: 0, isMatch: false, place: 0))
        #expect(hub.terms == [] && hub.voter.committed == 0)
        var relay = RelayVoter(record: VoterRecord(term: 3), log: BatchLog(), byteCount: 0)
        let request = AppendRequest(term: 2, previous: .start, batches: LoneHub.batches([2]), committed: 1, settled: 0)
        #expect(relay.answer(request).reply == AppendReply(term: 3, previous: 0, isMatch: false, place: 0))
        #expect(relay.log == BatchLog())
    }

    @Test func `a follower commits only what the leader's message proves to be the same`() {
        var hub = LoneHub(record: VoterRecord(term: 2), terms: [1, 1, 1])
        hub.append(term: 2, after: position(1, 1), committed: 3)
        #expect(hub.voter.committed == 1)
        hub.append(term: 2, after: position(1, 1), LoneHub.batches([2], after: 1), committed: 9)
        #expect(hub.voter.committed == 2)
        #expect(hub.effects.contains(.apply(through: 2)) && hub.persistsFirst)
    }

    @Test func `a batch is committed when two of three have it`() throws {
        for voter in [LoneHub.peer, .relay] {
            var hub = LoneHub()
            hub.lead()
            #expect(hub.voter.committed == 0 && !hub.voter.mayPropose)
            #expect(throws: ProposalError.notLeader) { try hub.voter.propose([[1]], now: hub.now) }
            hub.acknowledge(1, from: voter)
            #expect(hub.voter.committed == 1 && hub.effects.contains(.beginLeading(term: 1)))
            hub.effects = try hub.voter.propose([[7], [8]], now: hub.now)
            #expect(hub.voter.committed == 1 && hub.persistsFirst)
            hub.acknowledge(2, from: voter)
            #expect(hub.voter.committed == 2)
            hub.acknowledge(3, from: voter)
            #expect(hub.voter.committed == 3)
        }
    }

    @Test func `the others write a batch while the leader does, and it counts once the leader has`() throws {
        var hub = LoneHub()
        hub.lead()
        hub.acknowledge(1)
        hub.effects = try hub.voter.propose([[7], [8]], now: hub.now)
        let added = LogChange(added: [Batch(position(2, 1), bytes: [7]), Batch(position(3, 1), bytes: [8])])
        // What is carried out last is done before an answer is handled.
        #expect(hub.effects.last == .persist(added) && hub.persisted == [added])
        for voter in [LoneHub.peer, .relay] {
            #expect(hub.appends(to: voter).map(\.batches) == [added.added])
        }
        hub.acknowledge(3, from: .relay)
        #expect(hub.effects.contains(.apply(through: 3)) && hub.persisted.isEmpty)
    }

    @Test func `a leader that failed before it wrote what others have follows them`() throws {
        // The other hub and the relay have committed a batch that this hub sent, and never wrote.
        var hub = LoneHub(record: VoterRecord(term: 1, vote: LoneHub.own), terms: [1])
        hub.askVote(term: 2, last: position(2, 1))
        #expect(hub.voteReply?.isGranted == true)
        hub.append(term: 2, after: position(1, 1), LoneHub.batches([1, 2], after: 1), committed: 3)
        #expect(hub.terms == [1, 1, 2] && hub.voter.committed == 3 && hub.persistsFirst)
        // The relay, which has it, votes for nobody who doesn't.
        var relay = RelayVoter(record: VoterRecord(term: 1), log: LoneHub.log([1, 1]), byteCount: 4)
        let request = VoteRequest(term: 2, last: position(1, 1), isTrial: false)
        #expect(!relay.answer(request, from: LoneHub.own, hasLeader: false).reply.isGranted)
    }

    @Test func `the other hub hears at once what is committed, the relay with its next message`() throws {
        var hub = LoneHub()
        hub.lead()
        hub.acknowledge(1)
        hub.effects = try hub.voter.propose([[7]], now: hub.now)
        #expect(hub.appends(to: LoneHub.peer).map(\.committed) == [1])
        hub.acknowledge(2, from: .relay)
        let told = hub.appends(to: LoneHub.peer)
        #expect(told.map(\.committed) == [2] && told.map(\.batches) == [[]])
        #expect(hub.appends(to: .relay).isEmpty)
        // Its answer says nothing new, so it is the last message.
        hub.acknowledge(2)
        #expect(hub.sent.isEmpty)
    }

    @Test func `a base counts for what is committed, whatever its receiver says`() throws {
        var hub = LoneHub()
        hub.lead()
        hub.acknowledge(1)
        hub.effects = try hub.voter.propose([[7], [8]], now: hub.now)
        let base = BatchPosition(place: 3, term: 1)
        for term in [0, 1] {
            hub.effects = hub.voter.receiveBaseReply(base, term: term, from: LoneHub.peer, now: hub.now)
            // What commits is found with the next answer.
            hub.acknowledge(1, from: .relay)
            #expect(hub.voter.committed == 1)
        }
        hub.acknowledge(2)
        #expect(hub.voter.committed == 2)
    }

    @Test func `the relay takes a base from a leader that isn't over, and none older than its own`() {
        let log = LoneHub.log([1, 1, 2], base: BatchPosition(place: 4, term: 1))
        func take(_ base: BatchPosition, term: Int) -> (RelayVoter, RelayVoter.Answer<BatchPosition>?) {
            var relay = RelayVoter(record: VoterRecord(term: 3), log: log, byteCount: log.byteCount)
            let answer = relay.takeBase(base, term: term)
            return (relay, answer)
        }
        #expect(take(BatchPosition(place: 6, term: 1), term: 2).1 == nil)
        #expect(take(BatchPosition(place: 3, term: 1), term: 3).1 == nil)
        // What it has after the base stays.
        let (kept, keeping) = take(BatchPosition(place: 6, term: 1), term: 3)
        #expect(kept.log.base.place == 6 && kept.log.last == log.last)
        #expect(keeping?.discarded == 6 && keeping?.change == LogChange())
        // What another leader had goes.
        let (replaced, replacing) = take(BatchPosition(place: 6, term: 3), term: 4)
        #expect(replaced.log == BatchLog(base: BatchPosition(place: 6, term: 3)) && replaced.record.term == 4)
        #expect(replacing?.discarded == 6 && replacing?.change.removedAfter == 4)
        #expect(replacing?.change.record == VoterRecord(term: 4))
    }

    @Test func `batches that contradict the base aren't taken`() {
        var log = LoneHub.log([2], base: BatchPosition(place: 2, term: 1))
        let former = log
        #expect(log.merge(after: .start, LoneHub.batches([1, 2, 2, 2])) == nil && log == former)
        #expect(log.merge(after: .start, LoneHub.batches([1, 1, 2, 2]))?.added.map(\.position.place) == [4])
    }

    @Test func `only batches of the own term commit others`() {
        // Figure 8 of the paper: a batch of an earlier term that two of three have may still be replaced.
        var hub = LoneHub(record: VoterRecord(term: 3), terms: [1, 2])
        hub.lead()
        hub.acknowledge(2)
        #expect(hub.voter.committed == 0)
        hub.acknowledge(3)
        #expect(hub.voter.committed == 3)
    }

    @Test func `an answer of an earlier term, or of a stranger, commits nothing`() {
        var hub = LoneHub(record: VoterRecord(term: 3))
        hub.lead()
        hub.receive(.appendReply(AppendReply(term: 3, previous: 0, isMatch: true, place: 1)))
        #expect(hub.voter.committed == 0)
        hub.receive(.appendReply(AppendReply(term: 4, previous: 0, isMatch: true, place: 1)), from: .hub(UUID()))
        #expect(hub.voter.committed == 0)
        hub.receive(.appendReply(AppendReply(term: 4, previous: 0, isMatch: false, place: 1)))
        #expect(hub.voter.committed == 0)
    }

    @Test func `a leader goes back until a voter's log is the same, and sends the rest`() throws {
        var hub = LoneHub(record: VoterRecord(term: 5), terms: [1, 1, 4, 4])
        hub.lead()
        hub.acknowledge(1, isMatch: false)
        let requests = hub.sent.compactMap { if case .appendRequest(let request) = $0 { request } else { nil } }
        #expect(requests.map(\.previous) == [position(1, 1)])
        #expect(requests.first?.batches.map(\.position.term) == [1, 4, 4, 6])
    }

    @Test func `what was lost is sent again`() throws {
        var hub = LoneHub()
        hub.lead()
        hub.acknowledge(1)
        _ = try hub.voter.propose([[1]], now: hub.now)
        hub.tick(after: .milliseconds(500))
        let requests = hub.sent.compactMap { if case .appendRequest(let request) = $0 { request } else { nil } }
        #expect(requests.contains { $0.previous.place == 1 && $0.batches.count == 1 })
    }

    @Test func `a voter that says once that it lacks what it acknowledged isn't believed`() {
        var hub = LoneHub(record: VoterRecord(term: 1), terms: [1, 1, 1])
        hub.lead()
        hub.acknowledge(4, from: .relay)
        for count in 1...ConsensusLimits.contradictions {
            hub.acknowledge(0, from: .relay, isMatch: false)
            let goesBack = hub.sent.contains {
                if case .appendRequest(let request) = $0 { request.previous.place == 0 } else { false }
            }
            #expect(goesBack == (count == ConsensusLimits.contradictions))
        }
    }

    @Test func `proposals have a size and a number`() throws {
        var hub = LoneHub()
        hub.lead()
        hub.acknowledge(1)
        let largest = [UInt8](repeating: 1, count: ConsensusLimits.batchBytes)
        #expect(throws: ProposalError.size) { try hub.voter.propose([[]], now: hub.now) }
        #expect(throws: ProposalError.size) { try hub.voter.propose([largest + [1]], now: hub.now) }
        var many = hub
        let count = ConsensusLimits.uncommittedBatches
        _ = try many.voter.propose(Array(repeating: [1], count: count), now: hub.now)
        #expect(throws: ProposalError.tooMuch) { try many.voter.propose([[1]], now: hub.now) }
        many.acknowledge(2)
        _ = try many.voter.propose([[1]], now: hub.now)
        var large = hub
        let fitting = ConsensusLimits.uncommittedBytes / ConsensusLimits.batchBytes
        _ = try large.voter.propose(Array(repeating: largest, count: fitting), now: hub.now)
        #expect(throws: ProposalError.tooMuch) { try large.voter.propose([[1]], now: hub.now) }
    }

    @Test func `a message takes so many batches, and so many bytes, but at least one`() {
        let many = LoneHub.log(Array(repeating: 1, count: ConsensusLimits.batchesPerMessage + 1))
        #expect(many.batches(after: 0).count == ConsensusLimits.batchesPerMessage)
        #expect(many.batches(after: 1).count == ConsensusLimits.batchesPerMessage)
        #expect(many.batches(after: 2).count == ConsensusLimits.batchesPerMessage - 1)
        var large = BatchLog()
        for place in 1...3 {
            let bytes = [UInt8](repeating: 0, count: ConsensusLimits.messageBatchBytes / 2 + place - 1)
            large.append(Batch(position(place, 1), bytes: bytes))
        }
        #expect(large.batches(after: 0).count == 1)
        var largest = BatchLog()
        let bytes = [UInt8](repeating: 0, count: ConsensusLimits.batchBytes)
        largest.append(Batch(position(1, 1), bytes: bytes))
        #expect(largest.batches(after: 0).count == 1)
    }

    @Test func `a log discards what all have, and old batches beyond its limit`() {
        var hub = LoneHub(record: VoterRecord(term: 1), terms: [1, 1, 1, 1])
        hub.append(term: 1, after: position(4, 1), committed: 3, settled: 2)
        #expect(hub.effects.contains(.discard(through: 2)) && hub.voter.log.base == position(2, 1))
        hub.append(term: 1, after: position(4, 1), committed: 3, settled: 4)
        #expect(hub.voter.log.base == position(3, 1))

        let limit = ConsensusLimits.logBatches
        var long = LoneHub(record: VoterRecord(term: 1), terms: Array(repeating: 1, count: limit))
        long.append(term: 1, after: position(limit, 1), committed: limit)
        #expect(long.voter.log.batches.count == limit)
        long.append(term: 1, after: position(limit, 1), LoneHub.batches([1], after: limit), committed: limit + 1)
        #expect(long.voter.log.batches.count == ConsensusLimits.keptBatches)
    }

    @Test func `a relay that has no room asks for a base`() {
        let limit = ConsensusLimits.relayBatches
        let log = LoneHub.log(Array(repeating: 1, count: limit - 1))
        var relay = RelayVoter(record: VoterRecord(term: 1), log: log, byteCount: log.byteCount)
        func append(_ place: Int, bytes: Int = 1) -> AppendReply {
            let batch = Batch(position(place, 1), bytes: Array(repeating: 0, count: bytes))
            let request = AppendRequest(
                term: 1,
                previous: position(place - 1, 1),
                batches: [batch],
                committed: 0,
                settled: 0
            )
            return relay.answer(request).reply
        }
        #expect(append(limit) == AppendReply(term: 1, previous: limit - 1, isMatch: true, place: limit))
        #expect(append(limit + 1) == AppendReply(term: 1, previous: limit, isMatch: true, place: limit, isFull: true))
        #expect(relay.log.last.place == limit)
        let taken = relay.takeBase(position(limit, 1), term: 1)
        #expect(taken?.discarded == limit)
        relay = RelayVoter(record: relay.record, log: relay.log, byteCount: ConsensusLimits.relayBytes - 10)
        #expect(append(limit + 1, bytes: 11).isFull)
        #expect(!append(limit + 1, bytes: 10).isFull)
    }

    @Test func `a base replaces what precedes it, and keeps what follows only if the log had it`() {
        var same = LoneHub(record: VoterRecord(term: 2), terms: [1, 1, 2])
        same.effects = same.voter.receiveBase(position(2, 1), term: 2, now: same.now) ?? []
        #expect(same.effects.contains(.installBase(position(2, 1), keepsLater: true)))
        #expect(same.terms == [2] && same.voter.committed == 2)
        var other = LoneHub(record: VoterRecord(term: 3), terms: [1, 1, 2])
        other.effects = other.voter.receiveBase(position(2, 3), term: 3, now: other.now) ?? []
        #expect(other.effects.contains(.installBase(position(2, 3), keepsLater: false)))
        #expect(other.terms == [] && other.voter.committed == 2)
        #expect(other.voter.receiveBase(position(9, 3), term: 2, now: other.now) == nil)
        let again = other.voter.receiveBase(position(1, 1), term: 3, now: other.now) ?? []
        #expect(!again.contains { if case .installBase = $0 { true } else { false } })
        #expect(other.voter.committed == 2)
    }

    @Test func `a hub takes over a log that is more up to date, from the relay and without a leader only`() {
        let fetched = FetchReply(previous: .start, batches: LoneHub.batches([1, 2]), last: position(2, 2))
        var hub = LoneHub(record: VoterRecord(term: 2), terms: [1, 1, 1])
        hub.receive(.fetchReply(fetched), from: .relay)
        #expect(hub.terms == [1, 1, 1])
        hub.tick(after: .seconds(4))
        hub.answerVote(isTrial: true, isGranted: false, from: .relay, last: position(2, 2))
        #expect(hub.sent == [.fetchRequest(FetchRequest(after: .start))])
        var followed = hub
        followed.append(term: 2)
        followed.receive(.fetchReply(fetched), from: .relay)
        #expect(followed.terms == [1, 1, 1])
        var older = hub
        older.receive(
            .fetchReply(FetchReply(previous: .start, batches: LoneHub.batches([1]), last: position(1, 1))),
            from: .relay
        )
        #expect(older.terms == [1, 1, 1])
        hub.receive(.fetchReply(fetched), from: LoneHub.peer)
        #expect(hub.terms == [1, 1, 1])
        hub.receive(.fetchReply(fetched), from: .relay)
        #expect(hub.terms == [1, 2])
        #expect(hub.voter.committed == 0 && hub.persistsFirst)
        // It asks again whether it could win.
        #expect(hub.sent.count == 2)
    }

    @Test func `a part of the relay's log is taken over once it is more up to date itself`() {
        var hub = LoneHub(record: VoterRecord(term: 4), terms: [1, 3])
        hub.tick(after: .seconds(4))
        hub.answerVote(isTrial: true, isGranted: false, from: .relay, last: position(3, 4))
        let first = FetchReply(previous: .start, batches: LoneHub.batches([1, 2]), last: position(3, 4))
        hub.receive(.fetchReply(first), from: .relay)
        #expect(hub.terms == [1, 3] && hub.persisted.isEmpty)
        #expect(hub.sent == [.fetchRequest(FetchRequest(after: position(2, 2)))])
        let rest = FetchReply(previous: position(2, 2), batches: LoneHub.batches([4], after: 2), last: position(3, 4))
        hub.receive(.fetchReply(rest), from: .relay)
        #expect(hub.terms == [1, 2, 4])
    }

    @Test func `a hub that doesn't know that its batches are committed goes on after what the relay has discarded`() {
        var hub = LoneHub(record: VoterRecord(term: 1), terms: [1, 1, 1], applied: 1)
        hub.tick(after: .seconds(4))
        hub.answerVote(isTrial: true, isGranted: false, from: .relay, last: position(3, 2))
        #expect(hub.sent == [.fetchRequest(FetchRequest(after: position(1, 1)))])
        let base = FetchReply(previous: position(2, 1), batches: [], last: position(3, 2), base: position(2, 1))
        hub.receive(.fetchReply(base), from: .relay)
        #expect(hub.sent == [.fetchRequest(FetchRequest(after: position(2, 1)))])
        // A relay that says it again isn't asked again at once.
        var liar = hub
        liar.receive(.fetchReply(base), from: .relay)
        #expect(liar.effects.isEmpty)
        let rest = FetchReply(previous: position(2, 1), batches: LoneHub.batches([2], after: 2), last: position(3, 2))
        hub.receive(.fetchReply(rest), from: .relay)
        #expect(hub.terms == [1, 1, 2] && hub.voter.committed == 1 && hub.persistsFirst)
        #expect(hub.sent.count == 2)
    }

    @Test func `a leader discards only what both others have`() {
        var hub = LoneHub(record: VoterRecord(term: 1), terms: [1, 1, 1])
        hub.lead()
        hub.acknowledge(4)
        #expect(hub.voter.committed == 4 && hub.voter.log.base == .start)
        hub.acknowledge(2, from: .relay)
        #expect(hub.voter.log.base == position(2, 1) && hub.effects.contains(.discard(through: 2)))
    }

    @Test func `a relay that lies removes nothing that is committed`() {
        var hub = LoneHub(record: VoterRecord(term: 2), terms: [1, 1, 1], applied: 3)
        hub.tick(after: .seconds(4))
        hub.answerVote(isTrial: true, isGranted: false, from: .relay, last: position(9, 9))
        let lie = FetchReply(previous: position(3, 1), batches: LoneHub.batches([9], after: 1), last: position(9, 9))
        hub.receive(.fetchReply(lie), from: .relay)
        #expect(hub.terms == [1, 1, 1] && hub.persisted.isEmpty)
    }
}
