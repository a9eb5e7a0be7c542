import Foundation
package import HomeModel

extension Projection {
    /// The changes that apps don't see, whoever runs them.
    private static let personalChanges: Set<Verb> = [
        .userInvited, .invitationUsed, .deviceJoined, .deviceLeft, .syncEnabled, .syncMoved, .syncDisabled, .feedBegun,
        .feedEnded, .relayRefilled, .hubSetBack, .laterChangesRecovered, .laterChangesDiscarded, .vaultMade,
        .vaultOpened, .hubJoined, .hubLeft, .hubRemoved, .hubAlone, .hubLeads, .hubTookOver, .hubsSilent,
    ]

    /// Returns a journal entry in the form that the session may see; `nil` if it may not see the entry.
    ///
    /// Users appear under their aliases, and never with a place. Guests see what accessories, scenes and triggers did. They
    /// don't see changes to the layout, when people came and went, or which devices people have.
    package func entry(_ entry: JournalEntry, as role: Role) -> JournalEntry? {
        var entry = entry
        let seesPeople = role.canEditLayout
        if !seesPeople || !kind.isPerson { (entry.device, entry.way) = (nil, nil) }
        switch entry.content {
        case .value, .failedWrite, .scene, .reachability, .sentence:
            break
        case .change(let verb, let objects):
            guard seesPeople, kind.isPerson || !Self.personalChanges.contains(verb) else { return nil }
            entry.content = .change(verb, objects: objects.map { object($0, in: entry) })
        case .presence(let person, let isHome):
            guard seesPeople else { return nil }
            entry.content = .presence(object(person, in: entry), isHome: isHome)
        case .trigger(let trigger, let outcome, let event, let observations, let due):
            let visible = observations.filter { seesPeople || !$0.isAboutPeople }
            entry.content = .trigger(
                trigger,
                outcome,
                event: event.flatMap { seesPeople || !$0.isAboutPeople ? self.event($0, in: entry.home) : nil },
                observations: visible.map { observation($0, in: entry.home) },
                due: due
            )
            entry.names = entry.names.filter { seesPeople || !$0.isUser }.map { object($0, in: entry) }
        }
        return entry
    }

    private func object(_ object: JournalObject, in entry: JournalEntry) -> JournalObject {
        var object = object
        if object.isUser { object.id = alias(of: object.id, in: entry.home) }
        return object
    }
}

extension TriggerEvent {
    fileprivate var isAboutPeople: Bool {
        switch occurrence {
        case .presence, .location, .hiddenLocation: true
        case .characteristic, .threshold, .sun, .calendar, .duration, .unknown: false
        }
    }
}

extension Observation {
    fileprivate var isAboutPeople: Bool {
        if case .presence = term { true } else { present != nil }
    }
}
