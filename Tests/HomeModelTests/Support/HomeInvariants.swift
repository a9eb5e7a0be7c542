import Foundation
import Testing

@testable import HomeModel

/// Invariants of every home that results from requests.
enum HomeInvariants {
    static func expect(_ home: Home) {
        expectNames(home)
        expectPlaces(home)
        expectReferences(home)
        expectTriggers(home)
        #expect(home.users.count { $0.role == .owner } == 1)
        #expect(home.serviceGroups.count <= HomeLimits.serviceGroupsPerHome)
    }

    /// Names are valid and unique, except that a service may have its accessory's name.
    private static func expectNames(_ home: Home) {
        var names = [Home.defaultRoomName] + home.rooms.map(\.name) + home.zones.map(\.name)
        names += home.accessories.map(\.name) + home.serviceGroups.map(\.name) + home.actionSets.map(\.name)
        names += home.triggers.map(\.name)
        for accessory in home.accessories {
            names += accessory.serviceNames.values.filter { FoldedName($0) != FoldedName(accessory.name) }
        }
        #expect(Set(names.map(FoldedName.init)).count == names.count)
        for name in names { #expect(throws: Never.self) { try NameRule.check(name) } }
    }

    /// Every accessory is in one existing room. A bridged accessory has an existing bridge.
    private static func expectPlaces(_ home: Home) {
        for accessory in home.accessories {
            #expect(home.hasRoom(accessory.room))
            #expect(home.accessories(inRoom: accessory.room).contains(accessory))
            if let bridge = accessory.bridge { #expect(home.accessories[id: bridge]?.isBridge == true) }
            #expect(home.shape(of: accessory) != nil)
        }
        let rooms = [home.defaultRoom] + home.rooms.map(\.id)
        #expect(rooms.map { home.accessories(inRoom: $0).count }.reduce(0, +) == home.accessories.count)
        // Zones have existing rooms without duplicates, and never the default room.
        for zone in home.zones {
            #expect(zone.rooms.filter { !home.rooms.contains(id: $0) } == [])
            #expect(Set(zone.rooms).count == zone.rooms.count)
        }
        // Only shapes that are used exist.
        #expect(Set(home.shapes.map(\.id)) == Set(home.accessories.map(\.shape)))
    }

    /// Orders, groups and action sets refer to existing accessories.
    private static func expectReferences(_ home: Home) {
        for group in home.serviceGroups {
            #expect(group.services.filter { !home.accessories.contains(id: $0.accessory) } == [])
            #expect(Set(group.services).count == group.services.count)
        }
        for order in home.orders {
            #expect(order.id == home.id || home.hasRoom(order.id))
            #expect(order.rooms.filter { !home.rooms.contains(id: $0) } == [])
            #expect(order.services.filter { !home.accessories.contains(id: $0.accessory) } == [])
            #expect(Set(order.services).count == order.services.count)
        }
        let actionSets = home.actionSetRecords.map(\.self)
        for actionSet in actionSets {
            let characteristics = actionSet.actions.compactMap(\.characteristic)
            #expect(characteristics.filter { !home.accessories.contains(id: $0.accessory) } == [])
            #expect(Set(characteristics).count == characteristics.count)
        }
        let actions = actionSets.flatMap(\.actions).map(\.id)
        #expect(Set(actions).count == actions.count)
    }

    /// Triggers run existing action sets, depend on existing objects, and are enabled only if they have work to do.
    private static func expectTriggers(_ home: Home) {
        for trigger in home.triggers {
            #expect(trigger.actionSets.filter { home.actionSet($0) == nil } == [])
            #expect(Set(trigger.actionSets).count == trigger.actionSets.count)
            let elsewhere = trigger.references.subtracting(trigger.actionSets).filter {
                !home.accessories.contains(id: $0) && !home.users.contains(id: $0)
            }
            #expect(elsewhere.isEmpty)
            if trigger.isEnabled { #expect(home.hasWork(trigger)) }
        }
        // A trigger-owned action set has one owner.
        for actionSet in home.actionSetRecords where actionSet.type == .triggerOwned {
            #expect(home.triggers.count { $0.actionSets.contains(actionSet.id) } == 1)
        }
    }
}
