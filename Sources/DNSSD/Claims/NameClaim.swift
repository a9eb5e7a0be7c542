/// A claim to a unique name: probing, announcing, and starting again after a conflict (RFC 6762 sections 8 and 9). It
/// doesn't know the name or its records; its owner sends what ``advance(to:)`` returns.
struct NameClaim {
    /// The phase of a claim.
    enum Phase: Hashable {
        /// The name is being probed; the given number of probes were sent.
        case probing(sent: Int)
        /// The name is claimed; the given number of announcements were sent.
        case announcing(sent: Int)
        /// The name is claimed and announced.
        case established
    }

    /// A message to send.
    enum Action: Hashable {
        /// A query for the name, with the claimed records as authorities.
        case probe
        /// An unsolicited response with all records.
        case announce
    }

    private(set) var phase = Phase.probing(sent: 0)
    /// The time at which ``advance(to:)`` has something to do.
    private(set) var deadline: Instant?
    /// Whether other hosts may have the records in their caches.
    private(set) var wasAnnounced = false
    private var hasYielded = false
    private var conflicts: [Instant] = []

    /// Creates a claim with the first probe at `start`.
    init(start: Instant) {
        deadline = start
    }

    /// Whether the name is claimed.
    var isClaimed: Bool {
        if case .probing = phase { false } else { true }
    }

    /// Whether a response is a conflict that requires another name. It is one after a probe was sent, or after another
    /// host's probe took precedence. Any other response may be stale, and its sender will also object to the probe.
    var isContestable: Bool {
        if case .probing(let sent) = phase { sent > 0 || hasYielded } else { false }
    }

    /// Whether the next action is a probe.
    var isNextAProbe: Bool {
        if case .probing(let sent) = phase { sent < ClaimTiming.probeCount } else { false }
    }

    /// Advances to a time and returns the message that is due.
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

    /// Postpones the deadline, because the records depend on a name that isn't claimed yet.
    mutating func postpone(until instant: Instant) {
        deadline = instant
    }

    /// Yields to another host that won the tie between simultaneous probes. If that host takes the name, its responses
    /// are a conflict.
    mutating func yield(at now: Instant) {
        phase = .probing(sent: 0)
        hasYielded = true
        deadline = now.advanced(by: ClaimTiming.tieBreakDelay)
    }

    /// Probes again after a conflict: another host has the name or contradicting records.
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

    /// Probes again with the same name, because the link may have different hosts. This doesn't count as a conflict.
    mutating func probeAgain(at start: Instant) {
        phase = .probing(sent: 0)
        hasYielded = false
        deadline = start
    }

    /// Announces again, because the records changed but not the name. Does nothing while probing, which ends with an
    /// announcement.
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
