import Foundation

/// An object that refers to others by ID, and so changes when they are removed.
enum Referrer: Hashable, Sendable {
    /// Refers to rooms.
    case zone(UUID)
    /// Refers to accessories.
    case serviceGroup(UUID)
    /// Refers to accessories, and to its own actions, which are in one action set only.
    case actionSet(UUID)
    /// Refers to action sets, accessories and users.
    case trigger(UUID)
    /// Refers to accessories.
    case order(UUID)

    /// The referrer's own ID.
    var id: UUID {
        switch self {
        case .zone(let id), .serviceGroup(let id), .actionSet(let id), .trigger(let id), .order(let id): id
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

extension OrderRecord {
    /// The accessories whose services are in the order. Rooms are few, and looked up in the order itself.
    var references: Set<UUID> { Set(services.map(\.accessory)) }
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
    /// The users that the event names.
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
    /// The users that the presence names.
    var named: [UUID] {
        guard case .users(let users) = people else { return [] }
        return users
    }
}
