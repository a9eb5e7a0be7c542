package import Foundation

/// Decides at a hub which occurrences it claims, and which of its claims it carries out, so that none is carried out twice.
///
/// Both hubs notice what falls due. Only the one that leads claims it, and only after the claim is committed does it act.
package struct FiringClaims: Sendable {
    /// What the hub has to do.
    package enum Effect: Hashable, Sendable {
        /// Propose claims in this order.
        case propose([Claim])
        /// Carry an occurrence out, as long as the fence allows it. Then propose its end.
        case fire(Occurrence, WriteFence)
        /// Journal that an occurrence was claimed and that its outcome isn't known. Then propose its end. Never repeat it.
        case unknown(Claim)
        /// Journal that an occurrence was not carried out.
        case miss(Occurrence, Reason)
    }

    /// Why an occurrence was not carried out.
    package enum Reason: Hashable, Sendable {
        /// ``FiringTimes/lateness`` has passed.
        case late
        /// The event came right after a takeover, when the former leader may have claimed it.
        case takeover
        /// More fell due at a time than a hub remembers.
        case tooMany
    }

    /// A hub as the leader.
    private struct Leadership {
        var term: Int
        var start: Duration
    }

    /// This hub.
    package let hub: UUID
    private var leadership: Leadership?
    /// What fell due, and when, in the order in which the hub noticed it.
    private var remembered: [(occurrence: Occurrence, due: Duration)] = []

    /// Creates claims of a hub that doesn't lead.
    package init(hub: UUID) {
        self.hub = hub
    }

    /// Handles that a time was reached.
    ///
    /// - Parameters:
    ///   - occurrence: The occurrence.
    ///   - due: When it fell due. A hub that was stopped notices that later.
    ///   - now: The time. Both are on a clock that runs while the machine sleeps.
    package mutating func fallDue(_ occurrence: Occurrence, due: Duration, now: Duration) -> [Effect] {
        guard !remembered.contains(where: { $0.occurrence == occurrence }) else { return forget(now) }
        remembered.append((occurrence, due))
        let effects = forget(now)
        guard let leadership, remembered.last?.occurrence == occurrence else { return effects }
        return effects + [.propose([claim(occurrence, leadership.term)])]
    }

    /// Handles an event, which only a hub that leads acts on.
    package mutating func happen(_ occurrence: Occurrence, now: Duration) -> [Effect] {
        guard let leadership else { return [] }
        guard now - leadership.start >= FiringTimes.ignoredEvents else { return [.miss(occurrence, .takeover)] }
        return fallDue(occurrence, due: now, now: now)
    }

    /// Handles that this hub leads and has applied everything that was committed before.
    ///
    /// - Parameters:
    ///   - term: The term.
    ///   - open: The claims without an end.
    ///   - isClaimed: Returns whether an occurrence was ever claimed.
    ///   - now: The time.
    package mutating func beginLeading(
        term: Int,
        open: [Claim],
        isClaimed: (Occurrence) -> Bool,
        now: Duration
    ) -> [Effect] {
        leadership = Leadership(term: term, start: now)
        var effects = open.map(Effect.unknown)
        remembered.removeAll { isClaimed($0.occurrence) }
        effects += forget(now)
        if !remembered.isEmpty { effects.append(.propose(remembered.map { claim($0.occurrence, term) })) }
        return effects
    }

    /// Handles that this hub no longer leads. Its claims that are committed later are not carried out.
    package mutating func endLeading() {
        leadership = nil
    }

    /// Handles that a claim was applied.
    ///
    /// - Parameters:
    ///   - claim: The claim.
    ///   - isFirst: Whether the occurrence wasn't claimed before.
    ///   - now: The time.
    package mutating func apply(_ claim: Claim, isFirst: Bool, now: Duration) -> [Effect] {
        let due = remembered.first { $0.occurrence == claim.occurrence }?.due
        remembered.removeAll { $0.occurrence == claim.occurrence }
        let effects = forget(now)
        // Another hub's, or of a time in which this hub led and that is over.
        guard isFirst, claim.hub == hub, let leadership, claim.term == leadership.term else { return effects }
        guard let due else { return effects + [.miss(claim.occurrence, .late)] }
        let fence = WriteFence(due: due)
        return effects + [fence.allowsWrite(at: now) ? .fire(claim.occurrence, fence) : .miss(claim.occurrence, .late)]
    }

    /// Forgets what fell due too long ago, and what is too much.
    private mutating func forget(_ now: Duration) -> [Effect] {
        var effects: [Effect] = []
        remembered.removeAll { item in
            let isLate = !WriteFence(due: item.due).allowsWrite(at: now)
            if isLate, leadership != nil { effects.append(.miss(item.occurrence, .late)) }
            return isLate
        }
        while remembered.count > FiringTimes.rememberedOccurrences {
            effects.append(.miss(remembered.removeFirst().occurrence, .tooMany))
        }
        return effects
    }

    private func claim(_ occurrence: Occurrence, _ term: Int) -> Claim {
        Claim(occurrence: occurrence, hub: hub, term: term)
    }
}
