import Automations
import Consensus
import Foundation
import HAPCatalog
import HomeModel
import HomeStore
import HubAPI
import Logging
import Replication

extension AutomationRunner {
    /// A firing that is about to be claimed.
    private struct Firing {
        var decision: TriggerDecision
        var home: Home
        var trigger: TriggerRecord
        var claim: FiringClaim
        var undo: UndoState?
        /// Until when its writes may go out, once this hub as the leader of two has claimed it.
        var fence: WriteFence?

        var occurrence: Occurrence { Occurrence(trigger: trigger.id, name: claim.occurrence) }
    }

    /// Carries out the engine's decisions, in their order.
    func carryOut(_ decisions: [TriggerDecision]) async {
        var firings: [Firing] = []
        for decision in decisions {
            switch decision.outcome {
            case .fire:
                if let firing = firing(for: decision) { firings.append(firing) }
            case .end:
                // What fired before it must have begun.
                await fire(firings)
                firings = []
                await end(decision)
            case .missed:
                if await isNew(decision) { publish(decision, .missed) }
                if decision.isLast { await retire(decision) }
            case .held:
                publish(decision, TriggerOutcome(decision.outcome))
                if decision.isLast { await retire(decision) }
            }
        }
        await fire(firings)
    }

    /// Returns whether a missed time was neither carried out nor told before the hub stopped. The time until which
    /// automations ran is stored only now and then.
    private func isNew(_ decision: TriggerDecision) async -> Bool {
        let claim = FiringClaim(
            home: decision.home,
            trigger: decision.trigger,
            occurrence: decision.occurrence.rawValue,
            time: parts.clock.now
        )
        do {
            guard try await parts.changes.claim([claim]) == [true] else { return false }
            try await parts.changes.complete(claim)
        } catch {
            parts.log.warning("A missed automation was not stored.", metadata: [LogKey.error: "\(error)"])
            // The hub that leads now looks at it as well.
            return claims == nil
        }
        return true
    }

    private func firing(for decision: TriggerDecision) -> Firing? {
        guard let home = homes[decision.home], let trigger = home.triggers[id: decision.trigger] else { return nil }
        let now = parts.clock.now
        return Firing(
            decision: decision,
            home: home,
            trigger: trigger,
            claim: FiringClaim(home: home.id, trigger: trigger.id, occurrence: decision.occurrence.rawValue, time: now),
            undo: undoState(of: trigger, in: home, at: now)
        )
    }

    /// Returns what the trigger's end event will restore, or `nil` if it has no end event.
    ///
    /// If the trigger fires again before its end, the values from before its first firing are kept.
    private func undoState(of trigger: TriggerRecord, in home: Home, at now: Date) -> UndoState? {
        guard case .event(let rule) = trigger.definition, !rule.endEvents.isEmpty else { return nil }
        var state = UndoState(home: home.id, began: now, values: undo[trigger.id]?.values ?? [])
        var known = Set(state.values.map(\.characteristic))
        for action in trigger.actionSets.compactMap({ home.actionSet($0) }).flatMap(\.actions) {
            guard let identity = action.characteristic, known.insert(identity).inserted else { continue }
            // A trigger that waits for a lamp to turn on turns it off at its end: before the event, it was off.
            let before = change.flatMap { $0.characteristic == identity ? $0.previous : nil }
            guard let value = before ?? value(of: identity, in: home.id) else { continue }
            state.values.append(UndoState.Value(characteristic: identity, value: value))
        }
        return state
    }

    /// Claims firings, all in one transaction, and starts those that weren't claimed before.
    private func fire(_ decided: [Firing]) async {
        let firings = await claimable(decided)
        guard !firings.isEmpty else { return }
        var states: [Int: [StateKey: [UInt8]?]] = [:]
        for (index, firing) in firings.enumerated() {
            let (home, trigger) = (firing.home.id, firing.trigger.id)
            states[index] = [StateKey(.run, home: home, id: trigger): RunState(last: firing.claim.time).bytes]
            if let undo = firing.undo { states[index]?[StateKey(.undo, home: home, id: trigger)] = undo.bytes }
        }
        let (isNew, former): ([Bool], [StateKey: [UInt8]])
        do {
            former = claims == nil ? [:] : try await parts.store.states(.run)
            isNew = try await parts.changes.claim(firings.map(\.claim), updating: states)
        } catch {
            parts.log.error(
                "Automations could not be claimed, so they don't run.",
                metadata: [LogKey.error: "\(error)"]
            )
            for firing in firings { publish(firing.decision, .notStored) }
            return
        }
        var new: [(firing: Firing, activity: UUID)] = []
        for (firing, isNew) in zip(firings, isNew) {
            guard let firing = await settle(firing, isNew, former) else { continue }
            new.append((firing, publish(firing.decision, .fired)))
        }
        guard !new.isEmpty else { return }
        // The journal knows of a firing before the first accessory does.
        await parts.journal.flush()
        for (firing, activity) in new { await start(firing, activity) }
    }

    /// Returns the firings that this hub is to claim. As the leader of two, it claims nothing that is too late or that the
    /// former leader may have carried out.
    private func claimable(_ firings: [Firing]) async -> [Firing] {
        guard claims != nil else { return firings }
        var proposed: Set<Occurrence> = []
        var missed: [Occurrence: FiringClaims.Reason] = [:]
        for firing in firings {
            let now = parts.clock.running
            let effects =
                if let due = firing.decision.due {
                    claims?.fallDue(firing.occurrence, due: now - parts.clock.time(since: due), now: now)
                } else {
                    claims?.happen(firing.occurrence, now: now)
                }
            for effect in effects ?? [] {
                switch effect {
                case .propose(let claims): proposed.formUnion(claims.map(\.occurrence))
                case .miss(let occurrence, let reason): missed[occurrence] = reason
                case .fire, .unknown: break
                }
            }
        }
        for firing in firings {
            guard let reason = missed[firing.occurrence] else { continue }
            // The former leader may have carried out in time what is too late now.
            if reason == .takeover {
                miss(firing.decision, .takeover)
            } else if await isNew(firing.decision) {
                miss(firing.decision, TriggerOutcome(reason))
                if firing.decision.event == nil, firing.decision.isLast { await retire(firing.decision) }
            }
        }
        return firings.filter { missed[$0.occurrence] == nil && proposed.contains($0.occurrence) }
    }

    /// Tells that something isn't carried out.
    private func miss(_ decision: TriggerDecision, _ outcome: TriggerOutcome) {
        publish(decision, outcome)
        engine.ignored(decision.trigger, in: decision.home, at: parts.clock.now)
    }

    /// Decides about a firing whose claim is stored.
    ///
    /// - Parameters:
    ///   - isNew: Whether it wasn't claimed before.
    ///   - former: The last runs before the claim. One that isn't carried out is none.
    /// - Returns: The firing if it is to be carried out.
    private func settle(_ firing: Firing, _ isNew: Bool, _ former: [StateKey: [UInt8]]) async -> Firing? {
        guard claims != nil else { return isNew ? firing : nil }
        guard case .leading(term: let term) = role else { return nil }
        let claim = Claim(occurrence: firing.occurrence, hub: parts.device, term: term)
        for effect in claims?.apply(claim, isFirst: isNew, now: parts.clock.running) ?? [] {
            switch effect {
            case .fire(firing.occurrence, let fence):
                var firing = firing
                firing.fence = fence
                return firing
            case .miss(firing.occurrence, let reason):
                miss(firing.decision, TriggerOutcome(reason))
                let undoKey = StateKey(.undo, home: firing.home.id, id: firing.trigger.id)
                let runKey = StateKey(.run, home: firing.home.id, id: firing.trigger.id)
                let states = [undoKey: undo[firing.trigger.id]?.bytes, runKey: former[runKey]]
                do {
                    try await parts.changes.complete(firing.claim, updating: states)
                } catch {
                    parts.log.warning("An automation's end was not stored.", metadata: [LogKey.error: "\(error)"])
                }
            default: break
            }
        }
        return nil
    }

    private func start(_ firing: Firing, _ activity: UUID) async {
        let (home, trigger, decision) = (firing.home, firing.trigger, firing.decision)
        if let state = firing.undo {
            undo[trigger.id] = state
            engine.began(trigger.id, in: home.id, at: firing.claim.time)
        }
        parts.live.update([RunUpdate(home: home.id, id: trigger.id, isRunning: false, last: firing.claim.time)])
        let chain = chains.triggers(of: decision.parent) + [trigger.id]
        let cause = Cause(kind: .trigger, subject: trigger.id)
        let origin = Origin(cause: cause, caller: nil, parent: activity, fence: firing.fence)
        var begun: [ActionSetRunner.Run] = []
        for actionSet in trigger.actionSets.compactMap({ home.actionSet($0) }) {
            do throws(HubError) {
                let run = try await parts.actionSets.begin(actionSet, in: home, by: origin)
                chains.add(run.id, chain)
                begun.append(run)
            } catch {
                parts.log.notice(
                    "An automation did not run one of its scenes.",
                    metadata: ["automation": "\(trigger.name)", LogKey.error: "\(error)"]
                )
            }
        }
        let (id, runs, claim) = (UUID.random(), begun, firing.claim)
        track(id, claim.occurrence) { [parts] in
            for run in runs { _ = await parts.actionSets.finish(run) }
            do {
                try await parts.changes.complete(claim)
            } catch {
                parts.log.warning("An automation's end was not stored.", metadata: [LogKey.error: "\(error)"])
            }
            // Its scenes run to their end before they are removed with it.
            if decision.isLast, trigger.isTemporary { await Self.remove(trigger.id, in: home.id, parts) }
        }
        if decision.isLast { await disable(decision) }
    }

    /// Disables or removes a trigger that has nothing left to do.
    private func retire(_ decision: TriggerDecision) async {
        if homes[decision.home]?.triggers[id: decision.trigger]?.isTemporary == true {
            await Self.remove(decision.trigger, in: decision.home, parts)
        } else {
            await disable(decision)
        }
    }

    /// Removes the temporary triggers that the hub didn't remove before it stopped.
    func removeSpentTriggers() async {
        for home in homes.values {
            for trigger in home.triggers where trigger.isTemporary && !trigger.isEnabled {
                await Self.remove(trigger.id, in: home.id, parts)
            }
        }
    }

    private static func remove(_ trigger: UUID, in home: UUID, _ parts: Parts) async {
        do {
            let change = try await parts.database.submit(RemoveTrigger(trigger), in: home, asHub: parts.hub)
            _ = try await change.committed(Empty())
        } catch {
            parts.log.warning("A spent automation was not removed.", metadata: [LogKey.error: "\(error)"])
        }
    }

    /// Disables a trigger that has nothing left to do.
    private func disable(_ decision: TriggerDecision) async {
        do {
            let request = EnableTrigger(decision.trigger, false)
            let change = try await parts.database.submit(request, in: decision.home, asHub: parts.hub)
            _ = try await change.committed(Empty())
        } catch {
            parts.log.warning("A spent automation was not disabled.", metadata: [LogKey.error: "\(error)"])
        }
    }

    // MARK: Ending

    /// Restores what a trigger's action sets changed.
    private func end(_ decision: TriggerDecision) async {
        guard let home = homes[decision.home], let state = undo.removeValue(forKey: decision.trigger) else { return }
        let key = StateKey(.undo, home: home.id, id: decision.trigger)
        let claim = FiringClaim(
            home: home.id,
            trigger: decision.trigger,
            occurrence: decision.occurrence.rawValue,
            time: parts.clock.now
        )
        do {
            guard try await parts.changes.claim([claim], updating: [0: [key: nil]]) == [true] else { return }
        } catch {
            parts.log.error("An automation's end could not be claimed.", metadata: [LogKey.error: "\(error)"])
            undo[decision.trigger] = state
            publish(decision, .notStored)
            return
        }
        // An end is never too late, but its writes must not wait until another hub has taken over.
        let fence = claims.map { _ in WriteFence(due: parts.clock.running) }
        let activity: UUID = publish(decision, .ended)
        let cause = Cause(kind: .trigger, subject: decision.trigger)
        let orders = state.values.compactMap { value in
            home.locate(value.characteristic).map { reference, located in
                let write = WriteCharacteristics.Write(characteristic: reference, value: value.value)
                return CharacteristicWriter.Order(write: write, target: .success(located))
            }
        }
        chains.add(activity, chains.triggers(of: decision.parent) + [decision.trigger])
        let submitted = await parts.writer.submit(
            orders,
            in: home.id,
            by: Origin(cause: cause, caller: nil, parent: activity, fence: fence)
        )
        track(UUID(), claim.occurrence) { [parts] in
            await parts.writer.finish(submitted) { _ in }
            do {
                try await parts.changes.complete(claim)
            } catch {
                parts.log.warning("An automation's end was not stored.", metadata: [LogKey.error: "\(error)"])
            }
        }
    }

    // MARK: Telling

    /// Publishes what a trigger did.
    ///
    /// - Returns: The activity's ID.
    @discardableResult
    private func publish(_ decision: TriggerDecision, _ outcome: TriggerOutcome) -> UUID {
        let activity = TriggerActivity(
            id: .random(),
            home: decision.home,
            trigger: decision.trigger,
            time: parts.clock.now,
            outcome: outcome,
            event: decision.event,
            observations: decision.observations,
            due: decision.due,
            parent: decision.parent
        )
        parts.activities.publish(.trigger(activity))
        return activity.id
    }
}

extension TriggerOutcome {
    /// Creates the outcome that clients see.
    init(_ outcome: TriggerDecision.Outcome) {
        self =
            switch outcome {
            case .fire: .fired
            case .end: .ended
            case .missed: .missed
            case .held(let obstacle): TriggerOutcome(obstacle)
            }
    }

    /// Creates the outcome that clients see.
    init(_ reason: FiringClaims.Reason) {
        self =
            switch reason {
            case .late, .tooMany: .late
            case .takeover: .takeover
            }
    }

    /// Creates the outcome that clients see.
    init(_ obstacle: TriggerDecision.Obstacle) {
        self =
            switch obstacle {
            case .conditionFalse: .conditionFalse
            case .wrongWeekday: .wrongWeekday
            case .loopStopped: .loopStopped
            case .disabled: .disabled
            case .clockNotSet: .clockNotSet
            case .noPlace: .noPlace
            }
    }
}
