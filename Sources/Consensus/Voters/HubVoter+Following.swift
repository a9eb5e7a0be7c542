import Foundation

extension HubVoter {
    mutating func receive(_ request: AppendRequest, from sender: Voter, _ now: Duration) {
        guard sender == .hub(pair.other) else { return }
        adopt(request.term, of: sender, now)
        guard request.term == record.term, !isLeader else {
            return answer(request, isMatch: false, place: committed)
        }
        hearLeader(now)
        var merged = log
        guard let change = merged.merge(after: request.previous, request.batches), allows(change) else {
            // What is committed is the same at the leader, and maybe more.
            let place = max(committed, min(log.last.place, request.previous.place - 1))
            return answer(request, isMatch: false, place: place)
        }
        log = merged
        if !change.isEmpty { effects.append(.persist(change)) }
        // Only what this message proves to be the leader's is the leader's: a later place may be another leader's.
        let match = max(request.batches.last?.position.place ?? request.previous.place, committed)
        settled = max(settled, min(request.settled, match))
        commit(through: min(request.committed, match))
        discard()
        answer(request, isMatch: true, place: match)
    }

    private mutating func answer(_ request: AppendRequest, isMatch: Bool, place: Int) {
        let previous = request.previous.place
        let reply = AppendReply(term: record.term, previous: previous, isMatch: isMatch, place: place)
        effects.append(.send(.appendReply(reply), to: .hub(pair.other)))
    }

    private mutating func hearLeader(_ now: Duration) {
        leaderHeard = now
        waitForLeader(now)
        follow(pair.other)
    }

    /// Handles that the leader's state was received and checked. If effects say so, install it; then tell the leader.
    ///
    /// - Parameters:
    ///   - base: The position of the last batch that was applied to the state.
    ///   - term: The leader's term.
    ///   - now: The time.
    /// - Returns: Effects; `nil` if the state isn't from the leader, so that nothing is installed and nothing answered.
    package mutating func receiveBase(_ base: BatchPosition, term: Int, now: Duration) -> [VoterEffect]? {
        guard term >= record.term, !(isLeader && term == record.term) else { return nil }
        return handle(now: now, isLeaders: !isLeader) { voter in
            voter.adopt(term, of: .hub(voter.pair.other), now)
            voter.hearLeader(now)
            if base.place > voter.committed { voter.install(base) }
        }
    }
}
