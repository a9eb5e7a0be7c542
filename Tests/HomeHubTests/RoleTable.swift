import Foundation
import HAPCatalog
import HomeModel
import HubAPI
import Testing

/// The methods of the hub as clients of each role call them, by what the role may do.
enum RoleTable {
    /// A method as a client would call it on things that exist.
    struct Deed: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var call: @Sendable (HubProbe, Stage) async throws -> String?

        init<Parameters, Result>(
            _ method: Method<Parameters, Result>,
            _ parameters: @escaping @Sendable (Stage) -> Parameters
        ) {
            testDescription = method.name
            call = { probe, stage in try await probe.refusal(method, parameters(stage)) }
        }
    }

    /// A home with something of everything.
    struct Stage: Sendable {
        var home: UUID
        var room: UUID
        var otherRoom: UUID
        var zone: UUID
        var person: UUID
        var group: UUID
        var scene: UUID
        var action: UUID
        var trigger: UUID
        /// A service of the gadget that is in no group.
        var lamp: ServiceIdentity
        /// A characteristic of the gadget that is in no action set.
        var power: CharacteristicIdentity
        /// Stands for an accessory: there is none, so that whoever may ask is told so.
        var accessory = UUID()
        var characteristic: CharacteristicReference { CharacteristicReference(accessory: accessory, iid: 9) }

        /// The same home, with identities that nothing in it has.
        var empty: Stage {
            var stage = self
            for id in [\Stage.room, \.otherRoom, \.zone, \.person, \.group, \.scene, \.action, \.trigger] {
                stage[keyPath: id] = UUID()
            }
            stage.lamp.accessory = UUID()
            stage.power.accessory = UUID()
            return stage
        }
    }

    static let daily = TriggerDefinition.timer(
        TimerSchedule(fireDate: Date(timeIntervalSince1970: 60), recurrence: RecurrenceInterval(days: 1))
    )

    static let layoutDeeds = [
        Deed(HubMethods.addRoom) { AddNamed(home: $0.home, name: "Attic") },
        Deed(HubMethods.renameRoom) { Rename(home: $0.home, id: $0.room, name: "Cuisine") },
        Deed(HubMethods.addZone) { AddNamed(home: $0.home, name: "Outside") },
        Deed(HubMethods.renameZone) { Rename(home: $0.home, id: $0.zone, name: "Below") },
        Deed(HubMethods.addRoomToZone) { ZoneMembership(home: $0.home, zone: $0.zone, room: $0.otherRoom) },
        Deed(HubMethods.removeRoomFromZone) { ZoneMembership(home: $0.home, zone: $0.zone, room: $0.room) },
        Deed(HubMethods.removeZone) { Target(home: $0.home, id: $0.zone) },
        Deed(HubMethods.removeRoom) { Target(home: $0.home, id: $0.room) },
        Deed(HubMethods.addUser) { AddUser(home: $0.home, name: "Visitor", role: .guest) },
        Deed(HubMethods.setRole) { SetRole(home: $0.home, id: $0.person, role: .administrator) },
        Deed(HubMethods.removeUser) { Target(home: $0.home, id: $0.person) },
        Deed(HubMethods.setAssociatedType) {
            SetAssociatedType(home: $0.home, accessory: $0.lamp.accessory, iid: 20, type: HAPType.Service.fan)
        },
        Deed(HubMethods.addServiceGroup) { AddNamed(home: $0.home, name: "Fans") },
        Deed(HubMethods.renameServiceGroup) { Rename(home: $0.home, id: $0.group, name: "Lamps") },
        Deed(HubMethods.addServiceToGroup) {
            ServiceGroupMembership(home: $0.home, group: $0.group, service: $0.lamp)
        },
        Deed(HubMethods.removeServiceFromGroup) {
            ServiceGroupMembership(home: $0.home, group: $0.group, service: $0.lamp)
        },
        Deed(HubMethods.removeServiceGroup) { Target(home: $0.home, id: $0.group) },
        Deed(HubMethods.addActionSet) { AddNamed(home: $0.home, name: "Party") },
        Deed(HubMethods.renameActionSet) { Rename(home: $0.home, id: $0.scene, name: "Cinema") },
        Deed(HubMethods.addAction) {
            AddAction(home: $0.home, actionSet: $0.scene, characteristic: $0.power, value: .bool(true))
        },
        Deed(HubMethods.setActionValue) {
            SetActionValue(home: $0.home, actionSet: $0.scene, id: $0.action, value: .bool(false))
        },
        Deed(HubMethods.addTrigger) { AddTrigger(home: $0.home, name: "Noon", definition: daily) },
        Deed(HubMethods.renameTrigger) { Rename(home: $0.home, id: $0.trigger, name: "Dusk") },
        Deed(HubMethods.editTrigger) {
            EditTrigger(home: $0.home, id: $0.trigger, edit: .recurrence(RecurrenceInterval(hours: 1)))
        },
        Deed(HubMethods.addOwnedActionSet) { AddOwnedActionSet(home: $0.home, trigger: $0.trigger) },
        Deed(HubMethods.addActionSetToTrigger) {
            TriggeredActionSet(home: $0.home, trigger: $0.trigger, actionSet: $0.scene)
        },
        Deed(HubMethods.enableTrigger) { EnableTrigger(home: $0.home, id: $0.trigger, isEnabled: false) },
        Deed(HubMethods.removeActionSetFromTrigger) {
            TriggeredActionSet(home: $0.home, trigger: $0.trigger, actionSet: $0.scene)
        },
        Deed(HubMethods.removeTrigger) { Target(home: $0.home, id: $0.trigger) },
        Deed(HubMethods.removeAction) { ActionTarget(home: $0.home, actionSet: $0.scene, id: $0.action) },
        Deed(HubMethods.removeActionSet) { Target(home: $0.home, id: $0.scene) },
    ]
    /// What names nothing that has to be there.
    static let additions: Set<String> = [
        HubMethods.addRoom.name, HubMethods.addZone.name, HubMethods.addUser.name,
        HubMethods.addServiceGroup.name, HubMethods.addActionSet.name, HubMethods.addTrigger.name,
    ]
    static let accessoryLayoutDeeds = [
        Deed(HubMethods.renameAccessory) { Rename(home: $0.home, id: $0.accessory, name: "Lamp") },
        Deed(HubMethods.moveAccessory) { MoveAccessory(home: $0.home, id: $0.accessory, room: $0.room) },
        Deed(HubMethods.removeAccessory) { Target(home: $0.home, id: $0.accessory) },
        Deed(HubMethods.blockAccessory) { Target(home: $0.home, id: $0.accessory) },
        Deed(HubMethods.unblockAccessory) { Target(home: $0.home, id: $0.accessory) },
        Deed(HubMethods.renameService) {
            RenameService(home: $0.home, accessory: $0.accessory, iid: 8, name: "Lamp")
        },
    ]
    static let identify = Deed(HubMethods.identifyAccessory) { Target(home: $0.home, id: $0.accessory) }
    static let diagnose = Deed(HubMethods.diagnoseAccessory) { Target(home: $0.home, id: $0.accessory) }
    static let uses = [
        Deed(HubMethods.read) { ReadCharacteristics(home: $0.home, characteristics: [$0.characteristic]) },
        Deed(HubMethods.write) { stage in
            let write = WriteCharacteristics.Write(characteristic: stage.characteristic, value: .bool(true))
            return WriteCharacteristics(home: stage.home, writes: [write])
        },
        Deed(HubMethods.notify) {
            NotifyCharacteristics(home: $0.home, characteristics: [$0.characteristic], enabled: true)
        },
    ]
    /// What asks a person before it changes anything.
    static let sheets = [
        Deed(HubMethods.inviteUser) { HomeTarget(home: $0.home) },
        Deed(HubMethods.manageUsers) { HomeTarget(home: $0.home) },
        Deed(HubMethods.setUpAccessories) { SetUpAccessories(home: $0.home) },
    ]
    static let removal = Deed(HubMethods.removeHome) { HomeTarget(home: $0.home) }
    /// What the owner alone may do with people.
    static let confirmation = Deed(HubMethods.confirmUser) { Target(home: $0.home, id: $0.person) }
    /// An addition of what no browser has shown, so that none is looked for on the network, which would take its time.
    static let addition = Deed(HubMethods.addAccessory) {
        AddAccessory(home: $0.home, discovered: UUID(), code: "482-11-957")
    }
    /// An import of a pairing that is none, so that no accessory is looked for on the network.
    static let importation = Deed(HubMethods.importAccessory) {
        ImportAccessory(
            home: $0.home,
            deviceID: "none",
            accessoryKey: Data(repeating: 1, count: 32),
            controllerID: "CONTROLLER",
            controllerSecret: Data(repeating: 2, count: 32)
        )
    }
    /// What changes the caller's list of homes alone.
    static let ownList = [
        Deed(HubMethods.renameHome) { Rename(home: $0.home, id: $0.home, name: "Mine") },
        Deed(HubMethods.setPrimaryHome) { HomeTarget(home: $0.home) },
    ]
    /// What is about no home of anybody's.
    static let anyones = [
        Deed(HubMethods.addHome) { _ in AddHome(name: "Flat") },
        Deed(HubMethods.startBrowsing) { _ in Done() },
        Deed(HubMethods.stopBrowsing) { _ in Done() },
        Deed(HubMethods.questions) { _ in Done() },
        Deed(HubMethods.enterBackground) { _ in Done() },
        Deed(HubMethods.enterForeground) { _ in Done() },
    ]
    /// Whose roles other tests look at, because no home's role says who may: what a connection did itself, the hub's own
    /// user, the user's own apps, accessories of all homes of theirs, and imports, which may be about several homes.
    static let elsewhere: Set<String> = [
        HubMethods.hello.name, HubMethods.identifyDiscovered.name, HubMethods.answerQuestion.name,
        HubMethods.declineQuestion.name, HubMethods.makeBackup.name, HubMethods.readBackup.name,
        HubMethods.openAppSocket.name, HubMethods.closeAppSocket.name,
        HubMethods.apps.name, HubMethods.allowApp.name, HubMethods.denyApp.name, HubMethods.forgetApp.name,
        HubMethods.findAccessory.name, HubMethods.writeImport.name, HubMethods.importHomes.name,
    ]
    /// Every method of the table.
    static var names: Set<String> {
        let deeds = layoutDeeds + accessoryLayoutDeeds + uses + sheets + ownList + anyones
        let single = [identify, diagnose, removal, confirmation, addition, importation]
        return Set((deeds + single).map(\.testDescription)).union(elsewhere)
    }
}
