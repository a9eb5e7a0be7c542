import Foundation

/// A hub as a voter: it follows, stands for election, or leads, by the rules of Raft.
///
/// Diego Ongaro and John Ousterhout, "In Search of an Understandable Consensus Algorithm", describe the rules. Ongaro's
/// thesis describes asking before an election, and leaders that step down.
///
/// It is a value without I/O. Each event returns effects, which the hub carries out in order. Times are on a clock that
/// runs while the machine sleeps.
package struct HubVoter: Sendable {
    /// The hubs.
    package let pair: HubPair
    /// The term and vote.
    package internal(set) var record: VoterRecord
    /// The newest batches.
    package internal(set) var log: BatchLog
    /// The place up to which all batches are committed. Those are applied, or the effect to do so was returned.
    package internal(set) var committed: Int
    /// When ``tick(now:)`` is due next.
    package internal(set) var deadline: Duration
    var role: Role
    /// The hub that leads in this term; `nil` if it isn't known.
    var leader: UUID?
    var leaderHeard: Duration?
    /// The place up to which all voters have all batches.
    var settled = 0
    var random: ElectionRandom
    var effects: [VoterEffect] = []

    /// What the hub is to the others.
    enum Role: Sendable {
        case follower
        /// It asks whether it could win.
        case asking(Set<Voter>)
        /// It asks the relay for batches that it lacks, before it asks again whether it could win.
        case fetching(Fetch)
        case candidate(Set<Voter>)
        case leader(Leadership)
    }

    /// Creates a voter from what is on the disk.
    ///
    /// - Parameters:
    ///   - pair: The hubs.
    ///   - record: The term and vote.
    ///   - log: The batches.
    ///   - applied: The place of the last batch that was applied.
    ///   - seed: Randomness, different for each start.
    ///   - now: The time.
    package init(pair: HubPair, record: VoterRecord, log: BatchLog, applied: Int, seed: UInt64, now: Duration) {
        precondition(applied >= log.base.place && applied <= log.last.place)
        self.pair = pair
        self.record = record
        self.log = log
        committed = applied
        settled = log.base.place
        role = .follower
        random = ElectionRandom(seed: seed)
        deadline = now
        deadline = now + random.time(ConsensusTimes.minimumElection, ConsensusTimes.maximumElection)
    }

    /// Whether this hub leads, as far as it knows.
    package var isLeader: Bool {
        if case .leader = role { return true }
        return false
    }

    /// Whether this hub leads and may decide.
    package var mayPropose: Bool {
        if case .leader(let leadership) = role { return leadership.isEffective }
        return false
    }

    /// The place up to which the other hub has all batches, as far as it has acknowledged them; `nil` if this hub doesn't lead.
    package var otherPlace: Int? {
        if case .leader(let leadership) = role { return leadership.hub.match }
        return nil
    }

    /// The position of the next batch, if this hub proposes it in this term.
    package var next: BatchPosition { BatchPosition(place: log.last.place + 1, term: record.term) }

    /// Handles that time has passed.
    package mutating func tick(now: Duration) -> [VoterEffect] {
        handle(now: now) { _ in }
    }

    /// Handles a message.
    package mutating func receive(_ message: VoterMessage, from sender: Voter, now: Duration) -> [VoterEffect] {
        handle(now: now, isLeaders: isLeaders(message, sender)) { voter in
            switch message {
            case .voteRequest(let request): voter.receive(request, from: sender, now)
            case .voteReply(let reply): voter.receive(reply, from: sender, now)
            case .appendRequest(let request): voter.receive(request, from: sender, now)
            case .appendReply(let reply): voter.receive(reply, from: sender, now)
            case .fetchRequest: break
            case .fetchReply(let reply): voter.receive(reply, from: sender, now)
            }
        }
    }

    /// Returns whether a message comes from the leader of this hub's term or of a later one.
    private func isLeaders(_ message: VoterMessage, _ sender: Voter) -> Bool {
        guard case .appendRequest(let request) = message, !isLeader else { return false }
        return sender == .hub(pair.other) && request.term >= record.term
    }

    /// Handles an event, after everything that was due before it. A hub that was stopped may find that its time as the
    /// leader is over.
    ///
    /// - Parameter isLeaders: Whether the event is a message of the leader. Then the leader is there, and this hub only hears it
    ///   late.
    mutating func handle(
        now: Duration,
        isLeaders: Bool = false,
        _ event: (inout HubVoter) -> Void
    ) -> [VoterEffect] {
        if now >= deadline, !isLeaders { expire(now) }
        event(&self)
        defer { effects = [] }
        return effects
    }

    private mutating func expire(_ now: Duration) {
        switch role {
        case .follower, .asking, .fetching, .candidate: ask(now)
        case .leader: lead(now)
        }
    }

    /// Adopts a term that another voter knows of.
    mutating func adopt(_ term: Int, of sender: Voter, _ now: Duration) {
        guard term > record.term else { return }
        // A hub believes the other one. A relay may claim what it likes, so it raises the term in steps.
        let step = sender == .relay ? ConsensusLimits.relayTermStep : term
        record = VoterRecord(term: min(term, record.term + step))
        effects.append(.persist(LogChange(record: record)))
        if isLeader { waitForLeader(now) }
        follow(nil)
        if case .candidate = role { waitForLeader(now) }
    }

    /// Waits for a leader's message, for a random time.
    mutating func waitForLeader(_ now: Duration) {
        if isLeader { effects.append(.endLeading) }
        role = .follower
        deadline = now + random.time(ConsensusTimes.minimumElection, ConsensusTimes.maximumElection)
    }

    mutating func follow(_ hub: UUID?) {
        guard leader != hub else { return }
        leader = hub
        effects.append(.follow(hub))
    }

    /// Commits and applies batches up to a place.
    mutating func commit(through place: Int) {
        guard place > committed else { return }
        committed = place
        effects.append(.apply(through: place))
        discard()
    }

    /// Discards batches that nobody needs, and old ones of a log that is too long. A voter that lacks those gets a base.
    mutating func discard() {
        var place = min(settled, committed)
        if log.batches.count > ConsensusLimits.logBatches || log.byteCount > ConsensusLimits.logBytes {
            place = max(place, min(committed, log.last.place - ConsensusLimits.keptBatches))
        }
        guard place > log.base.place else { return }
        log.discard(through: place)
        effects.append(.discard(through: place))
    }
}
