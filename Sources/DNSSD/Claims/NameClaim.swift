/// The way to a name that no other host may use: probing, announcing, and starting again after a conflict (RFC 6762
/// sections 8 and 9). It knows neither the name nor its records; its owner sends what ``advance(to:)`` asks for.
struct NameClaim {
    /// How far the claim has come.
    enum Phase: Hashable {
        /// The name is asked for; so many probes were sent.
        case probing(sent: Int)
        /// The name is ours; so many announcements were sent.
        case announcing(sent: Int)
        /// The name is ours and announced.
        case established
    }

    /// What is to be sent.
    enum Action: Hashable {
        /// A question for the name, with the claimed records as authorities.
        case probe
        /// All records, unasked.
        case announce
    }

    private(set) var phase = Phase.probing(sent: 0)
    /// When ``advance(to:)`` has something to do.
    private(set) var deadline: Instant?
    /// Whether others may have the records in their caches.
    private(set) var wasAnnounced = false
    private var hasYielded = false
    private var conflicts: [Instant] = []

    /// Starts with the first probe at `start`.
    init(start: Instant) {
        deadline = start
    }

    /// Whether the name is ours.
    var isClaimed: Bool {
        if case .probing = phase { false } else { true }
    }

    /// Whether an answer is a reason to choose another name: a probe was sent and not every answer to it can have arrived
    /// yet, or another host's probe went first, whose answers say that it has the name. Any other answer may be stale, and
    /// its sender will object to the probe as well.
    var isContestable: Bool {
        if case .probing(let sent) = phase { sent > 0 || hasYielded } else { false }
    }

    /// Whether the next action is a probe.
    var isNextAProbe: Bool {
        if case .probing(let sent) = phase { sent < ClaimTiming.probeCount } else { false }
    }

    /// Does what is due.
    mutating func advance(to now: Instant) -> Action? {
        guard let due = deadline, due <= now else { return nil }
        switch phase {
        case .probing(let sent) where sent < ClaimTiming.probeCount:
            phase = .probing(sent: sent + 1)
            deadline = now.advanced(by: ClaimTiming.probeInterval)
            return .probe
        case .probing:
            return announce(1, at: now)
        case .announcing(let sent):
            return announce(sent + 1, at: now)
        case .established:
            deadline = nil
            return nil
        }
    }

    /// Puts off what is due, because the records depend on a name that is not ours yet.
    mutating func postpone(until moment: Instant) {
        deadline = moment
    }

    /// The tie with another host's probe was lost: it may go first. If it takes the name, its answers are a conflict.
    mutating func yield(at now: Instant) {
        phase = .probing(sent: 0)
        hasYielded = true
        deadline = now.advanced(by: ClaimTiming.tieBreakDelay)
    }

    /// Another host has the name, or records that contradict ours: probe again.
    ///
    /// - Parameter isRenamed: Whether the owner has chosen another name.
    mutating func restart(at now: Instant, after delay: Duration, isRenamed: Bool = false) {
        wasAnnounced = wasAnnounced && !isRenamed
        conflicts.removeAll { $0.duration(to: now) > ClaimTiming.conflictWindow }
        conflicts = conflicts.suffix(ClaimTiming.conflictLimit - 1) + [now]
        phase = .probing(sent: 0)
        hasYielded = false
        let isSlowed = conflicts.count >= ClaimTiming.conflictLimit
        deadline = now.advanced(by: isSlowed ? ClaimTiming.conflictBackoff + delay : delay)
    }

    /// The link may have other hosts on it than before: probe again under the same name. This is no conflict.
    mutating func probeAgain(at start: Instant) {
        phase = .probing(sent: 0)
        hasYielded = false
        deadline = start
    }

    /// The records changed, the name did not: announce again. Does nothing while probing, which ends in announcing.
    mutating func announceAgain(at now: Instant) {
        guard isClaimed else { return }
        phase = .announcing(sent: 0)
        deadline = now
    }

    private mutating func announce(_ count: Int, at now: Instant) -> Action {
        wasAnnounced = true
        hasYielded = false
        let isLast = count >= ClaimTiming.announceCount
        phase = isLast ? .established : .announcing(sent: count)
        deadline = isLast ? nil : now.advanced(by: ClaimTiming.announceInterval * (1 << (count - 1)))
        return .announce
    }
}
