import Foundation

extension HubVoter {
    /// Proposes batches. They are committed when ``VoterEffect/apply(through:)`` has come to their places, if the batches
    /// there still have this term.
    ///
    /// - Parameters:
    ///   - contents: The sealed contents. The first one is at ``next``.
    ///   - now: The time.
    /// - Throws: ``ProposalError``; nothing is proposed. Call ``tick(now:)`` at ``deadline`` anyway.
    package mutating func propose(_ contents: [[UInt8]], now: Duration) throws(ProposalError) -> [VoterEffect] {
        // A hub that was stopped learns here that its time is over.
        guard case .leader(let leadership) = role, leadership.isEffective,
            now - leadership.heard < ConsensusTimes.leaderAlone
        else { throw .notLeader }
        for content in contents where content.isEmpty || content.count > ConsensusLimits.batchBytes { throw .size }
        let count = log.last.place - committed + contents.count
        let bytes = log.byteCount(after: committed) + contents.reduce(0) { $0 + $1.count }
        guard count <= ConsensusLimits.uncommittedBatches, bytes <= ConsensusLimits.uncommittedBytes,
            log.last.place + contents.count < ConsensusLimits.maximumNumber
        else { throw .tooMuch }
        return handle(now: now) { $0.append(contents, now) }
    }

    mutating func beginLeading(_ now: Duration) {
        role = .leader(Leadership(other: .hub(pair.other), last: log.last.place, now: now))
        leaderHeard = nil
        follow(pair.own)
        // What earlier leaders left is committed by a batch of this term.
        append([[]], now)
    }

    private mutating func append(_ contents: [[UInt8]], _ now: Duration) {
        var change = LogChange()
        for content in contents {
            let batch = Batch(next, bytes: content)
            log.append(batch)
            change.added.append(batch)
        }
        // The others write it at the same time. It counts as this hub's only with an answer of theirs, which the hub handles
        // once it has written it, too.
        lead(now, sendsNew: true)
        effects.append(.persist(change))
    }

    /// Does what is due for a leader.
    mutating func lead(_ now: Duration, sendsNew: Bool = false) {
        guard case .leader(var leadership) = role else { return }
        if now - leadership.heard >= ConsensusTimes.leaderAlone {
            follow(nil)
            return waitForLeader(now)
        }
        send(&leadership.hub, every: ConsensusTimes.hubHeartbeat, sendsNew, now)
        let isSilent = now - leadership.hub.heard >= ConsensusTimes.silence
        let relayTime = isSilent ? ConsensusTimes.hubHeartbeat : ConsensusTimes.relayHeartbeat
        leadership.relay.due = min(leadership.relay.due, now + relayTime)
        send(&leadership.relay, every: relayTime, sendsNew, now)
        deadline = min(
            leadership.hub.due,
            leadership.relay.due,
            leadership.heard + ConsensusTimes.leaderAlone
        )
        role = .leader(leadership)
    }

    /// Sends a voter what it lacks, if a message is due or there is something new.
    private mutating func send(_ peer: inout Leadership.Peer, every time: Duration, _ sendsNew: Bool, _ now: Duration) {
        let isDue = now >= peer.due
        // The other hub's people wait for what is committed; the relay applies nothing.
        let isNew = peer.sent < log.last.place || peer.voter != .relay && peer.committed < committed
        guard isDue || sendsNew && isNew && peer.baseDeadline == nil else { return }
        // What was sent and not acknowledged until the next message may be lost.
        if isDue { peer.sent = min(peer.sent, max(peer.match, log.base.place)) }
        if let baseDeadline = peer.baseDeadline, now >= baseDeadline { peer.baseDeadline = nil }
        if peer.sent < log.base.place { sendBase(&peer, now) }
        guard let previous = log.position(at: peer.sent) else { return }
        let batches = peer.baseDeadline == nil ? log.batches(after: peer.sent) : []
        let request = AppendRequest(
            term: record.term,
            previous: previous,
            batches: batches,
            committed: committed,
            settled: settled
        )
        effects.append(.send(.appendRequest(request), to: peer.voter))
        peer.previous = previous.place
        peer.committed = committed
        if let last = batches.last { peer.sent = last.position.place }
        // A voter that has something to acknowledge gets it again soon.
        peer.due = now + (peer.match < log.last.place ? ConsensusTimes.hubHeartbeat : time)
    }

    private mutating func sendBase(_ peer: inout Leadership.Peer, _ now: Duration) {
        // A relay that asks for bases all the time doesn't get them.
        if let sent = peer.baseSent, now - sent < ConsensusTimes.betweenBases {
            peer.sent = log.last.place
            return
        }
        peer.baseSent = now
        peer.baseDeadline = now + ConsensusTimes.base
        peer.sent = log.base.place
        peer.due = min(peer.due, now + ConsensusTimes.hubHeartbeat)
        effects.append(.sendBase(to: peer.voter))
    }

    mutating func receive(_ reply: AppendReply, from sender: Voter, _ now: Duration) {
        guard pair.peers.contains(sender) else { return }
        adopt(reply.term, of: sender, now)
        guard reply.term == record.term, case .leader(var leadership) = role else { return }
        var peer = sender == .relay ? leadership.relay : leadership.hub
        peer.heard = now
        if reply.isMatch {
            peer.match = max(peer.match, min(reply.place, log.last.place))
            peer.sent = max(peer.sent, peer.match)
            peer.contradictions = 0
        } else if peer.baseDeadline == nil, reply.previous == peer.previous {
            // Only the answer to the last message moves on, so that answers don't multiply.
            goBack(&peer, to: min(reply.place, peer.sent), now)
        }
        if reply.isFull, peer.baseDeadline == nil { sendBase(&peer, now) }
        if sender == .relay { leadership.relay = peer } else { leadership.hub = peer }
        role = .leader(leadership)
        advance(now)
        lead(now, sendsNew: true)
    }

    /// Goes back to a place up to which a voter may have the leader's batches. What is before the log's base is in a base.
    private mutating func goBack(_ peer: inout Leadership.Peer, to place: Int, _ now: Duration) {
        if place < peer.match {
            // An old answer that comes late says this once. A voter that has lost batches goes on saying it.
            peer.contradictions += 1
            guard peer.contradictions >= ConsensusLimits.contradictions else { return }
            peer.match = place
        }
        if place < log.base.place {
            sendBase(&peer, now)
        } else {
            peer.sent = place
        }
    }

    /// Handles that a voter has taken a base.
    ///
    /// - Parameters:
    ///   - term: The term in which it was sent.
    ///   - base: Its position.
    ///   - sender: The voter.
    ///   - now: The time.
    package mutating func receiveBaseReply(
        _ base: BatchPosition,
        term: Int,
        from sender: Voter,
        now: Duration
    ) -> [VoterEffect] {
        handle(now: now) { voter in
            guard term == voter.record.term, case .leader(var leadership) = voter.role else { return }
            var peer = sender == .relay ? leadership.relay : leadership.hub
            peer.heard = now
            peer.baseDeadline = nil
            peer.match = max(peer.match, min(base.place, voter.committed))
            peer.sent = max(peer.match, voter.log.base.place)
            peer.due = now
            if sender == .relay { leadership.relay = peer } else { leadership.hub = peer }
            voter.role = .leader(leadership)
            voter.lead(now)
        }
    }

    /// Commits what a majority has, if it is of this term. What is older is committed with it, never by itself: a leader
    /// that counts an older batch could see it replaced by a later one's.
    private mutating func advance(_ now: Duration) {
        guard case .leader(var leadership) = role else { return }
        let place = leadership.match
        if place >= leadership.first { commit(through: place) }
        settled = max(settled, min(leadership.settled, committed))
        discard()
        guard !leadership.isEffective, committed >= leadership.first else { return }
        leadership.isEffective = true
        role = .leader(leadership)
        effects.append(.beginLeading(term: record.term))
    }
}
