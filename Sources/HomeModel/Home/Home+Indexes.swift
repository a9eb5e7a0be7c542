import Foundation

// Indexes by properties other than the ID. The old record is removed from them before its replacement is inserted.

extension Home {
    mutating func index(_ accessory: AccessoryRecord) {
        names.insert(.accessory(accessory.id), accessory.name)
        for (iid, name) in accessory.serviceNames { names.insert(.service(accessory: accessory.id, iid: iid), name) }
        accessoriesByRoom.insert(accessory.id, under: accessory.room)
        accessoriesByServer.insert(accessory.id, under: accessory.server)
        accessoriesByShape.insert(accessory.id, under: accessory.shape)
        if let bridge = accessory.bridge { accessoriesByBridge.insert(accessory.id, under: bridge) }
    }

    mutating func unindex(_ accessory: AccessoryRecord) {
        names.remove(.accessory(accessory.id), accessory.name)
        for (iid, name) in accessory.serviceNames { names.remove(.service(accessory: accessory.id, iid: iid), name) }
        accessoriesByRoom.remove(accessory.id, under: accessory.room)
        accessoriesByServer.remove(accessory.id, under: accessory.server)
        accessoriesByShape.remove(accessory.id, under: accessory.shape)
        if let bridge = accessory.bridge { accessoriesByBridge.remove(accessory.id, under: bridge) }
    }

    mutating func index(_ zone: ZoneRecord) {
        names.insert(.zone(zone.id), zone.name)
        insert(.zone(zone.id), zone.references)
    }

    mutating func unindex(_ zone: ZoneRecord) {
        names.remove(.zone(zone.id), zone.name)
        remove(.zone(zone.id), zone.references)
    }

    mutating func index(_ group: ServiceGroupRecord) {
        names.insert(.serviceGroup(group.id), group.name)
        insert(.serviceGroup(group.id), group.references)
    }

    mutating func unindex(_ group: ServiceGroupRecord) {
        names.remove(.serviceGroup(group.id), group.name)
        remove(.serviceGroup(group.id), group.references)
    }

    mutating func index(_ actionSet: ActionSetRecord) {
        if actionSet.type != .triggerOwned { names.insert(.actionSet(actionSet.id), actionSet.name) }
        insert(.actionSet(actionSet.id), actionSet.references)
    }

    mutating func unindex(_ actionSet: ActionSetRecord) {
        if actionSet.type != .triggerOwned { names.remove(.actionSet(actionSet.id), actionSet.name) }
        remove(.actionSet(actionSet.id), actionSet.references)
    }

    mutating func index(_ trigger: TriggerRecord) {
        names.insert(.trigger(trigger.id), trigger.name)
        insert(.trigger(trigger.id), trigger.references)
    }

    mutating func unindex(_ trigger: TriggerRecord) {
        names.remove(.trigger(trigger.id), trigger.name)
        remove(.trigger(trigger.id), trigger.references)
    }

    mutating func index(_ order: OrderRecord) { insert(.order(order.id), order.references) }

    mutating func unindex(_ order: OrderRecord) { remove(.order(order.id), order.references) }

    private mutating func insert(_ referrer: Referrer, _ references: Set<UUID>) {
        for reference in references { referrers.insert(referrer, under: reference) }
    }

    private mutating func remove(_ referrer: Referrer, _ references: Set<UUID>) {
        for reference in references { referrers.remove(referrer, under: reference) }
    }
}
