import Automations
import Consensus
import Foundation
import HomeModel
import HomeStore
import HubAPI
import Logging
import Replication

/// What a runner does as part of one of two hubs.
extension AutomationRunner {
    /// How long before a hub notices that the leader is gone it may have been gone.
    private static let unnoticed = ConsensusTimes.maximumElection

    /// Whether this hub is alone or leads.
    var mayFire: Bool {
        guard claims != nil else { return true }
        if case .leading = role { return true }
        return false
    }

    /// Handles that this hub leads, or doesn't any more, or is alone from now on.
    func take(_ role: HubRole?) async {
        guard let role else { return await endPair() }
        if claims == nil { beginPair() }
        let former = self.role
        guard role != former else { return }
        switch former {
        case .leading:
            claims?.endLeading()
            isStarted = false
            lastSeen = parts.clock.now
        // One that slept may have missed that nobody led.
        case .following: if !hasSlept(), !mayHaveMissed { lastSeen = parts.clock.now }
        case .withoutLeader: break
        }
        self.role = role
        if case .following = role {
            // The leader tells what fell due before.
            _ = hasSlept()
            mayHaveMissed = false
            lastSeen = parts.clock.now
        }
        if case .leading(term: let term) = role { await beginLeading(in: term) }
    }

    /// Handles that this hub, which was alone, becomes one of two while it runs.
    private func beginPair() {
        claims = FiringClaims(hub: parts.device)
        isStarted = false
        lastSeen = parts.clock.now
    }

    private func endPair() async {
        guard claims != nil else { return }
        claims = nil
        role = .withoutLeader
        // A hub that led goes on as it is.
        guard !isStarted else { return }
        await beginAnew()
    }

    /// Begins to lead: what the former leader claimed and didn't end is told, and what fell due shortly before fires.
    private func beginLeading(in term: Int) async {
        _ = claims?.beginLeading(term: term, open: [], isClaimed: { _ in true }, now: parts.clock.running)
        let now = parts.clock.now
        // What was claimed isn't claimed again, so it does no harm to look too far back.
        let inTime = now.addingTimeInterval(-FiringTimes.lateness.seconds)
        lastSeen = min((lastSeen ?? now).addingTimeInterval(-Self.unnoticed.seconds), inTime)
        await beginAnew()
    }

    private func beginAnew() async {
        engine = TriggerEngine(timeZone: engine.timeZone)
        for home in homes.values.sorted(by: { $0.id.uuidString < $1.id.uuidString }) {
            engine.update(home, at: parts.clock.now)
        }
        do {
            // The other hub may have handled reports.
            try await parts.presence.start()
            try await begin()
        } catch {
            parts.log.error("Automations don't run.", metadata: [LogKey.error: "\(error)"])
        }
    }

    /// Tells the claims without an end that this hub isn't carrying out.
    func tellInterrupted() async throws {
        let current = Set(occurrences.values)
        for claim in try await parts.store.incompleteFirings() where !current.contains(claim.occurrence) {
            await tellInterrupted(claim)
        }
    }
}

extension Duration {
    /// The duration in seconds.
    fileprivate var seconds: Double { self / .seconds(1) }
}
