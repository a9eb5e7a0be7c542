import Foundation

/// What in a home refers to something else by its identity, and so changes when that goes.
enum Referrer: Hashable, Sendable {
    /// To rooms.
    case zone(UUID)
    /// To accessories.
    case serviceGroup(UUID)
    /// To accessories; and to its own actions, which are in one action set only.
    case actionSet(UUID)
    /// To action sets, accessories and people.
    case trigger(UUID)

    /// The referrer's own identity.
    var id: UUID {
        switch self {
        case .zone(let id), .serviceGroup(let id), .actionSet(let id), .trigger(let id): id
        }
    }
}

extension ZoneRecord {
    var references: Set<UUID> { Set(rooms) }
}

extension ServiceGroupRecord {
    var references: Set<UUID> { Set(services.map(\.accessory)) }
}

extension ActionSetRecord {
    var references: Set<UUID> { Set(actions.compactMap(\.characteristic?.accessory) + actions.map(\.id)) }
}

extension TriggerRecord {
    var references: Set<UUID> {
        var references = Set(actionSets)
        guard case .event(let rule) = definition else { return references }
        for event in rule.events + rule.endEvents {
            if let characteristic = event.characteristic { references.insert(characteristic.accessory) }
            references.formUnion(event.people)
        }
        for term in rule.condition?.leaves ?? [] {
            if case .characteristic(let characteristic, _, _) = term { references.insert(characteristic.accessory) }
            if case .presence(let presence) = term { references.formUnion(presence.named) }
        }
        return references
    }
}

extension TriggerEvent {
    /// The people that the event names.
    var people: [UUID] {
        switch occurrence {
        case .presence(let presence): presence.named
        case .location(let region): region.user.map { [$0] } ?? []
        case .hiddenLocation(let location): location.user.map { [$0] } ?? []
        default: []
        }
    }
}

extension Presence {
    /// The people that it names.
    var named: [UUID] {
        guard case .users(let users) = people else { return [] }
        return users
    }
}
