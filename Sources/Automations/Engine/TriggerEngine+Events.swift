package import Foundation
package import HAPCatalog
package import HomeModel

extension TriggerEngine {
    /// Handles a value that an accessory reported or that was written.
    ///
    /// Events that end an effect come first; then each trigger fires at most once. A condition that triggers share is
    /// evaluated once, and if it isn't true, they are returned together.
    ///
    /// - Parameters:
    ///   - characteristic: The characteristic.
    ///   - home: Its home.
    ///   - old: The value before; `nil` if it wasn't known. Then only momentary characteristics fire.
    ///   - new: The value now; `nil` if it isn't known any more, which is no event.
    ///   - source: The event's ID and what caused it.
    ///   - now: The time.
    ///   - known: What is known about the homes. The characteristic has the new value, whatever it says.
    /// - Returns: The decisions of the triggers that wait for this value, in the order in which the triggers were added, and
    ///   the triggers that their conditions hold back.
    package mutating func characteristicChanged(
        _ characteristic: CharacteristicIdentity,
        in home: UUID,
        from old: CharacteristicValue?,
        to new: CharacteristicValue?,
        source: EventSource,
        at now: Date,
        known: KnownState
    ) -> (decisions: [TriggerDecision], held: [HeldTriggers]) {
        let groups = characteristics.events(of: characteristic, from: old, to: new)
        guard !groups.isEmpty else { return ([], []) }
        var current = known
        current.value = { $0 == home && $1 == characteristic ? new : known.value($0, $1) }
        var references: [EventReference] = []
        var held: [HeldTriggers] = []
        for group in groups {
            references += group.single.filter { $0.trigger.home == home }
            for (shared, members) in group.conditional where shared.home == home {
                let result = shared.condition.evaluate(in: circumstances(of: home, at: now, current))
                if result.isTrue || !isStarted {
                    references += members.map { $0.reference(in: home) }
                } else {
                    held.append(
                        HeldTriggers(
                            home: home,
                            members: members,
                            observations: result.observations,
                            time: now,
                            parent: source.parent
                        )
                    )
                }
            }
        }
        guard !references.isEmpty else { return ([], held) }
        return (decide(references, source: source, at: now, known: current), held)
    }

    /// Handles a user's arrival or departure.
    ///
    /// Users whose presence was never reported don't count: the last one who leaves is the last of those who were
    /// reported. A first report that a user is at home is an arrival; a first report that a user is away isn't an event.
    ///
    /// - Parameters:
    ///   - user: The user's ID in the home.
    ///   - home: The home.
    ///   - old: Whether the user was at home; `nil` if it was never reported.
    ///   - new: Whether the user is at home.
    ///   - source: The event's ID and what caused it.
    ///   - now: The time.
    ///   - known: What is known about the homes. The user's presence is the new one, whatever it says.
    /// - Returns: The decisions of the triggers that wait for this, in the order in which they were added.
    package mutating func presenceChanged(
        of user: UUID,
        in home: UUID,
        from old: Bool?,
        to new: Bool,
        source: EventSource,
        at now: Date,
        known: KnownState
    ) -> [TriggerDecision] {
        guard new != (old ?? false), let references = presences[home] else { return [] }
        var current = known
        current.isHome = { $0 == home && $1 == user ? new : known.isHome($0, $1) }
        let users = homes[home]?.users.map(\.id) ?? []
        let matching = references.filter { reference in
            guard case .presence(let presence) = triggers[reference.trigger]?.event(reference.role)?.occurrence else {
                return false
            }
            let counted = presence.people.users(among: users)
            guard counted.contains(user) else { return false }
            let isAlone = !counted.contains { $0 != user && current.isHome(home, $0) == true }
            switch presence.kind {
            case .everyEntry: return new
            case .everyExit: return !new
            case .firstEntry: return new && isAlone
            case .lastExit: return !new && isAlone
            default: return false
            }
        }
        return decide(Array(matching), source: source, at: now, known: current)
    }

    /// Handles the events that happen, ends first.
    mutating func decide(
        _ references: [EventReference],
        source: EventSource,
        at now: Date,
        known: KnownState
    ) -> [TriggerDecision] {
        let ordered = references.map { (order: triggers[$0.trigger]?.order ?? 0, reference: $0) }.sorted {
            left,
            right in
            if left.reference.isEnd != right.reference.isEnd { return left.reference.isEnd }
            return (left.order, left.reference.position) < (right.order, right.reference.position)
        }.map(\.reference)
        var decisions: [TriggerDecision] = []
        var fired: TriggerKey?
        for reference in ordered {
            let occurrence = OccurrenceKey(reference.trigger.trigger, isEnd: reference.isEnd, event: source.id)
            if reference.isEnd {
                decisions += [end(reference, occurrence, due: nil, source: source, at: now)].compactMap(\.self)
            } else if reference.trigger != fired, triggers[reference.trigger]?.canFire == true {
                fired = reference.trigger
                decisions.append(fire(reference, occurrence, due: nil, source: source, at: now, known: known))
            }
        }
        return decisions
    }
}
