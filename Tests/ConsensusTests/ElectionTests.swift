import Consensus
import Foundation
import Testing

/// Raft's rules of elections, each by its name.
@Suite struct ElectionTests {
    let position = { BatchPosition(place: $0, term: $1) }

    @Test func `a voter votes for one hub a term`() {
        var hub = LoneHub(record: VoterRecord(term: 5, vote: LoneHub.own))
        hub.askVote(term: 5)
        #expect(hub.voteReply?.isGranted == false)
        var relay = RelayVoter(record: VoterRecord(), log: BatchLog(), byteCount: 0)
        let request = VoteRequest(term: 1, last: .start, isTrial: false)
        #expect(relay.answer(request, from: LoneHub.own, hasLeader: false).reply.isGranted)
        #expect(!relay.answer(request, from: LoneHub.other, hasLeader: false).reply.isGranted)
        #expect(relay.answer(request, from: LoneHub.own, hasLeader: false).reply.isGranted)
        #expect(relay.record == VoterRecord(term: 1, vote: LoneHub.own))
        let record = VoterRecord(term: 5)
        #expect(record.allowsVote(for: LoneHub.own, in: 5) && record.allowsVote(for: LoneHub.own, in: 6))
        #expect(!record.allowsVote(for: LoneHub.own, in: 4))
    }

    @Test func `a vote is on the disk before it is sent`() {
        var hub = LoneHub()
        hub.askVote(term: 3)
        #expect(hub.voteReply?.isGranted == true)
        #expect(hub.persisted.last?.record == VoterRecord(term: 3, vote: LoneHub.other))
        #expect(hub.persistsFirst)
        var relay = RelayVoter(record: VoterRecord(), log: BatchLog(), byteCount: 0)
        let answer = relay.answer(
            VoteRequest(term: 3, last: .start, isTrial: false),
            from: LoneHub.own,
            hasLeader: false
        )
        #expect(answer.change.record == VoterRecord(term: 3, vote: LoneHub.own))
    }

    @Test func `a hub votes for itself on the disk before it asks`() {
        var hub = LoneHub(record: VoterRecord(term: 3))
        hub.tick(after: .seconds(4))
        hub.answerVote(isTrial: true, from: .relay)
        #expect(hub.persisted.map(\.record) == [VoterRecord(term: 4, vote: LoneHub.own)])
        #expect(hub.persistsFirst && hub.sent.count == 2)
    }

    @Test(arguments: [(2, 2, false), (1, 3, true), (2, 3, true), (3, 3, true), (9, 2, false)])
    func `election restriction: a voter refuses a hub whose log is less up to date`(
        place: Int,
        term: Int,
        isGranted: Bool
    ) {
        // Its own log ends at place 3 of term 2, or at place 1 of term 3.
        let last = position(place, term)
        for terms in [[1, 2, 2], [3]] {
            let own = LoneHub.log(terms)
            let expected = terms == [3] ? term == 3 : (term > 2 || term == 2 && place >= 3)
            for isTrial in [true, false] {
                var hub = LoneHub(record: VoterRecord(term: 3), terms: terms)
                hub.askVote(term: 4, last: last, isTrial: isTrial)
                #expect(hub.voteReply?.isGranted == expected)
                var relay = RelayVoter(record: VoterRecord(term: 3), log: own, byteCount: own.byteCount)
                let request = VoteRequest(term: 4, last: last, isTrial: isTrial)
                #expect(relay.answer(request, from: LoneHub.own, hasLeader: false).reply.isGranted == expected)
            }
            if terms == [3] { #expect(expected == isGranted) }
        }
    }

    @Test func `a request of an earlier term gets no vote`() {
        var hub = LoneHub(record: VoterRecord(term: 5))
        hub.askVote(term: 4, last: position(9, 4))
        #expect(hub.voteReply?.isGranted == false && hub.voteReply?.term == 5)
        var relay = RelayVoter(record: VoterRecord(term: 5), log: BatchLog(), byteCount: 0)
        let request = VoteRequest(term: 4, last: .start, isTrial: false)
        #expect(!relay.answer(request, from: LoneHub.own, hasLeader: false).reply.isGranted)
    }

    @Test func `a hub stands after two to four seconds without a leader, at random`() {
        let deadlines = (1...200).map { LoneHub(seed: $0).voter.deadline - .seconds(100) }
        #expect(deadlines.allSatisfy { $0 >= .seconds(2) && $0 < .seconds(4) })
        #expect(deadlines.min()! < .milliseconds(2_100) && deadlines.max()! > .milliseconds(3_900))
    }

    @Test func `asking changes no term, neither here nor there`() {
        var hub = LoneHub(record: VoterRecord(term: 3))
        hub.tick(after: .seconds(4))
        #expect(hub.voter.record == VoterRecord(term: 3) && hub.persisted.isEmpty)
        hub.askVote(term: 9, isTrial: true)
        #expect(hub.voteReply?.isGranted == true)
        #expect(hub.voter.record == VoterRecord(term: 3) && hub.persisted.isEmpty)
        var relay = RelayVoter(record: VoterRecord(term: 3), log: BatchLog(), byteCount: 0)
        let request = VoteRequest(term: 9, last: .start, isTrial: true)
        let answer = relay.answer(request, from: LoneHub.own, hasLeader: false)
        #expect(answer.reply.isGranted && answer.change.isEmpty && relay.record.term == 3)
    }

    @Test func `a hub that asks stands only after another voter says that it could win`() {
        var hub = LoneHub()
        hub.tick(after: .seconds(4))
        hub.answerVote(isTrial: true, isGranted: false, from: LoneHub.peer)
        hub.answerVote(isTrial: true, isGranted: false, from: .relay)
        #expect(hub.voter.record.term == 0)
        hub.answerVote(isTrial: true, from: LoneHub.peer)
        #expect(hub.voter.record.term == 1)
    }

    @Test func `whoever heard from a leader in the last two seconds refuses a trial`() {
        var hub = LoneHub()
        hub.append(term: 1)
        hub.now += .milliseconds(1_999)
        hub.askVote(term: 2, isTrial: true)
        #expect(hub.voteReply?.isGranted == false)
        hub.now += .milliseconds(1)
        hub.askVote(term: 2, isTrial: true)
        #expect(hub.voteReply?.isGranted == true)
        var relay = RelayVoter(record: VoterRecord(), log: BatchLog(), byteCount: 0)
        let request = VoteRequest(term: 1, last: .start, isTrial: true)
        #expect(!relay.answer(request, from: LoneHub.own, hasLeader: true).reply.isGranted)
    }

    @Test func `a message of the leader that is handled late begins no election`() {
        let asks = { (hub: LoneHub) in
            hub.sent.contains { if case .voteRequest = $0 { true } else { false } }
        }
        var hub = LoneHub()
        hub.append(term: 1)
        hub.append(term: 1, later: .seconds(5))
        #expect(hub.appendReply != nil && !asks(hub))
        hub.tick(after: .milliseconds(1_999))
        #expect(!asks(hub))
        // That of a former leader says nothing.
        hub.append(term: 0, later: .seconds(5))
        #expect(asks(hub))
    }

    @Test func `a leader refuses a trial`() {
        var hub = LoneHub()
        hub.lead()
        hub.askVote(term: 9, last: position(9, 9), isTrial: true)
        #expect(hub.voteReply?.isGranted == false && hub.voter.isLeader)
    }

    @Test func `a majority of votes makes a leader, an old vote doesn't`() {
        var hub = LoneHub()
        hub.tick(after: .seconds(4))
        hub.answerVote(isTrial: true, from: .relay)
        let old = VoteReply(term: 0, requestTerm: 0, isTrial: false, isGranted: true, last: .start)
        hub.receive(.voteReply(old), from: .relay)
        #expect(!hub.voter.isLeader)
        hub.answerVote(isTrial: false, isGranted: false, from: LoneHub.peer)
        #expect(!hub.voter.isLeader)
        hub.answerVote(isTrial: false, from: .relay)
        #expect(hub.voter.isLeader && hub.voter.record.term == 1)
    }

    @Test func `a leader begins with an empty batch of its term`() {
        var hub = LoneHub(record: VoterRecord(term: 2), terms: [1, 2])
        hub.lead()
        #expect(hub.terms == [1, 2, 3])
        #expect(hub.voter.log.batches.last?.bytes == [])
        #expect(hub.persistsFirst)
    }

    @Test func `a later term ends a leader, a candidate, and a vote`() {
        var leader = LoneHub()
        leader.lead()
        leader.append(term: 7)
        #expect(!leader.voter.isLeader && leader.voter.record == VoterRecord(term: 7))
        #expect(leader.effects.contains(.endLeading) && leader.persistsFirst)
        var candidate = LoneHub()
        candidate.tick(after: .seconds(4))
        candidate.answerVote(isTrial: true, from: .relay)
        candidate.receive(.appendReply(AppendReply(term: 8, previous: 0, isMatch: false, place: 0)))
        candidate.answerVote(isTrial: false, from: .relay)
        #expect(candidate.voter.record == VoterRecord(term: 8) && !candidate.voter.isLeader)
    }

    @Test func `a candidate follows the leader of its term`() {
        var hub = LoneHub()
        hub.tick(after: .seconds(4))
        hub.answerVote(isTrial: true, from: .relay)
        hub.append(term: 1)
        hub.answerVote(isTrial: false, from: .relay)
        #expect(!hub.voter.isLeader)
        #expect(hub.appendReply?.isMatch == nil)
    }

    @Test func `a leader steps down after three seconds without a majority`() {
        var hub = LoneHub()
        hub.lead()
        for _ in 0..<29 { hub.tick(after: .milliseconds(100)) }
        #expect(hub.voter.isLeader)
        hub.tick(after: .milliseconds(100))
        #expect(!hub.voter.isLeader && hub.effects.contains(.endLeading))
        for voter in [LoneHub.peer, .relay] {
            var hub = LoneHub()
            hub.lead()
            for _ in 0..<10 {
                hub.acknowledge(1, from: voter, after: .milliseconds(1_400))
                hub.tick(after: .milliseconds(1_400))
            }
            #expect(hub.voter.isLeader)
        }
    }

    @Test func `a leader that was stopped proposes nothing when it goes on`() throws {
        var hub = LoneHub()
        hub.lead()
        hub.acknowledge(1)
        let effects = try hub.voter.propose([[1]], now: hub.now)
        #expect(!effects.isEmpty)
        #expect(throws: ProposalError.notLeader) { try hub.voter.propose([[2]], now: hub.now + .seconds(3)) }
    }

    @Test func `the relay hears every five seconds, and often while the other hub is silent`() {
        func messages(_ answers: Bool) -> (hub: Int, relay: Int) {
            var hub = LoneHub()
            hub.lead()
            hub.acknowledge(1, from: .relay)
            hub.acknowledge(1)
            var counts = (hub: 0, relay: 0)
            for _ in 0..<100 {
                hub.tick(after: .milliseconds(100))
                for case .send(.appendRequest, let voter) in hub.effects {
                    if voter == .relay { counts.relay += 1 } else { counts.hub += 1 }
                    if (voter == .relay) != answers { hub.acknowledge(1, from: voter) }
                }
            }
            return counts
        }
        let (quiet, alone) = (messages(true), messages(false))
        #expect((19...21).contains(quiet.hub) && (1...3).contains(quiet.relay))
        #expect((17...20).contains(alone.relay))
    }

    @Test func `nobody but the other hub leads or stands`() {
        for sender in [Voter.relay, .hub(LoneHub.own), .hub(UUID())] {
            var hub = LoneHub()
            hub.receive(.voteRequest(VoteRequest(term: 3, last: .start, isTrial: false)), from: sender)
            #expect(hub.effects.isEmpty && hub.voter.record.term == 0)
            let request = AppendRequest(term: 3, previous: .start, batches: [], committed: 0, settled: 0)
            hub.receive(.appendRequest(request), from: sender)
            #expect(hub.effects.isEmpty && hub.voter.record.term == 0)
        }
    }

    @Test func `a relay can't use up the terms`() {
        var hub = LoneHub()
        for _ in 0..<10 {
            hub.receive(.appendReply(AppendReply(term: 1 << 52, previous: 0, isMatch: false, place: 0)), from: .relay)
        }
        #expect(hub.voter.record.term == 10 * ConsensusLimits.relayTermStep)
        hub.receive(.appendReply(AppendReply(term: 1 << 40, previous: 0, isMatch: false, place: 0)))
        #expect(hub.voter.record.term == 1 << 40)
    }
}
