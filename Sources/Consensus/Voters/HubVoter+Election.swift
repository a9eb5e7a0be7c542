import Foundation

extension HubVoter {
    /// Asks whether this hub could win an election. That changes no term, so a hub that is cut off disturbs nobody.
    mutating func ask(_ now: Duration) {
        follow(nil)
        role = .asking([.hub(pair.own)])
        deadline = now + random.time(ConsensusTimes.minimumRetry, ConsensusTimes.maximumRetry)
        guard record.term + 1 < ConsensusLimits.maximumNumber else { return }
        request(isTrial: true, term: record.term + 1)
    }

    /// Stands for election in a new term.
    private mutating func stand(_ now: Duration) {
        record = VoterRecord(term: record.term + 1, vote: pair.own)
        effects.append(.persist(LogChange(record: record)))
        role = .candidate([.hub(pair.own)])
        deadline = now + random.time(ConsensusTimes.minimumElection, ConsensusTimes.maximumElection)
        request(isTrial: false, term: record.term)
    }

    private mutating func request(isTrial: Bool, term: Int) {
        let request = VoteRequest(term: term, last: log.last, isTrial: isTrial)
        for peer in pair.peers { effects.append(.send(.voteRequest(request), to: peer)) }
    }

    /// Whether this hub leads, or heard from the leader a short time ago.
    private func hasLeader(_ now: Duration) -> Bool {
        if isLeader { return true }
        guard let leaderHeard else { return false }
        return now - leaderHeard < ConsensusTimes.leaderHeard
    }

    mutating func receive(_ request: VoteRequest, from sender: Voter, _ now: Duration) {
        guard case .hub(let candidate) = sender, candidate == pair.other else { return }
        var isGranted = request.last >= log.last
        if request.isTrial {
            isGranted = isGranted && request.term > record.term && !hasLeader(now)
        } else {
            adopt(request.term, of: sender, now)
            isGranted = isGranted && request.term == record.term && record.allowsVote(for: candidate, in: request.term)
            if isGranted, record.vote == nil {
                record.vote = candidate
                effects.append(.persist(LogChange(record: record)))
                waitForLeader(now)
            }
        }
        let reply = VoteReply(
            term: record.term,
            requestTerm: request.term,
            isTrial: request.isTrial,
            isGranted: isGranted,
            last: log.last
        )
        effects.append(.send(.voteReply(reply), to: sender))
    }

    mutating func receive(_ reply: VoteReply, from sender: Voter, _ now: Duration) {
        guard pair.peers.contains(sender) else { return }
        let request = reply.isTrial ? record.term + 1 : record.term
        adopt(reply.term, of: sender, now)
        guard reply.requestTerm == request else { return }
        switch role {
        case .asking(var votes) where reply.isTrial:
            guard reply.isGranted else {
                if sender == .relay, reply.last > log.last { fetch(now) }
                return
            }
            votes.insert(sender)
            role = .asking(votes)
            if isMajority(votes) { stand(now) }
        case .candidate(var votes) where !reply.isTrial && reply.isGranted:
            votes.insert(sender)
            role = .candidate(votes)
            if isMajority(votes) { beginLeading(now) }
        default: break
        }
    }

    private func isMajority(_ votes: Set<Voter>) -> Bool { votes.count >= 2 }
}
