import Foundation

extension HubVoter {
    /// Asks the relay for batches that this hub lacks. It only does so without a leader.
    ///
    /// A log that is more up to date has everything that is committed. So to take it over is safe, whoever made it.
    mutating func fetch(_ now: Duration) {
        guard let known = log.position(at: committed) else { return }
        request(Fetch(start: known), now)
    }

    private mutating func request(_ fetch: Fetch, _ now: Duration) {
        role = .fetching(fetch)
        deadline = now + random.time(ConsensusTimes.minimumElection, ConsensusTimes.maximumElection)
        effects.append(.send(.fetchRequest(FetchRequest(after: fetch.end)), to: .relay))
    }

    mutating func receive(_ reply: FetchReply, from sender: Voter, _ now: Duration) {
        guard sender == .relay, case .fetching(var fetch) = role, reply.last > log.last else { return }
        if let base = reply.base {
            // All have what the relay has discarded, but this hub may not have heard that it is committed.
            if base.place > fetch.end.place, log.position(at: base.place) == base {
                return request(Fetch(start: base), now)
            }
            guard base.place > committed, base > log.last else { return }
            effects.append(.fetchBase(base))
            deadline = now + ConsensusTimes.base
            return
        }
        guard reply.previous == fetch.end, fetch.add(reply.batches) else { return }
        let end = fetch.end
        // A part of a log is taken over once it is itself more up to date.
        if end > log.last {
            var merged = log
            guard let change = merged.merge(after: fetch.start, fetch.batches), allows(change) else { return }
            log = merged
            if !change.isEmpty { effects.append(.persist(change)) }
            fetch = Fetch(start: end)
        }
        if end < reply.last {
            request(fetch, now)
        } else {
            ask(now)
        }
    }

    /// Handles that the base of the relay was received and checked.
    ///
    /// - Parameter base: Its position.
    package mutating func receiveFetchedBase(_ base: BatchPosition, now: Duration) -> [VoterEffect] {
        handle(now: now) { voter in
            guard case .fetching = voter.role, base.place > voter.committed, base > voter.log.last else { return }
            voter.install(base)
            voter.request(Fetch(start: base), now)
        }
    }

    /// Handles that the base of the relay could not be received, or is not what it should be.
    package mutating func failFetchingBase(now: Duration) -> [VoterEffect] {
        handle(now: now) { voter in
            if case .fetching = voter.role { voter.waitForLeader(now) }
        }
    }

    /// Returns whether a change keeps everything that is committed. Only a voter that lies sends another one.
    func allows(_ change: LogChange) -> Bool { change.removedAfter.map { $0 >= committed } ?? true }

    mutating func install(_ base: BatchPosition) {
        let keepsLater = log.position(at: base.place) == base
        log.replace(by: base)
        committed = base.place
        effects.append(.installBase(base, keepsLater: keepsLater))
    }
}
