import Foundation
import HAPCatalog
import HomeModel
import HubAPI
import Testing

/// The methods of the hub as clients of each role call them, by what the role may do.
enum RoleTable {
    /// A method as a client would call it on things that exist.
    struct RoleCall: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var call: @Sendable (RecordingHubClient, Fixture) async throws -> String?

        init<Parameters, Result>(
            _ method: Method<Parameters, Result>,
            _ parameters: @escaping @Sendable (Fixture) -> Parameters
        ) {
            testDescription = method.name
            call = { probe, stage in try await probe.refusal(method, parameters(stage)) }
        }
    }

    /// A home with something of everything.
    struct Fixture: Sendable {
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
        var empty: Fixture {
            var stage = self
            for id in [\Fixture.room, \.otherRoom, \.zone, \.person, \.group, \.scene, \.action, \.trigger] {
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
        RoleCall(HubMethods.addRoom) { AddNamed(home: $0.home, name: "Attic") },
        RoleCall(HubMethods.renameRoom) { Rename(home: $0.home, id: $0.room, name: "Cuisine") },
        RoleCall(HubMethods.addZone) { AddNamed(home: $0.home, name: "Outside") },
        RoleCall(HubMethods.renameZone) { Rename(home: $0.home, id: $0.zone, name: "Below") },
        RoleCall(HubMethods.addRoomToZone) { ZoneMembership(home: $0.home, zone: $0.zone, room: $0.otherRoom) },
        RoleCall(HubMethods.removeRoomFromZone) { ZoneMembership(home: $0.home, zone: $0.zone, room: $0.room) },
        RoleCall(HubMethods.removeZone) { Target(home: $0.home, id: $0.zone) },
        RoleCall(HubMethods.removeRoom) { Target(home: $0.home, id: $0.room) },
        RoleCall(HubMethods.addUser) { AddUser(home: $0.home, name: "Visitor", role: .guest) },
        RoleCall(HubMethods.setRole) { SetRole(home: $0.home, id: $0.person, role: .administrator) },
        RoleCall(HubMethods.removeUser) { Target(home: $0.home, id: $0.person) },
        RoleCall(HubMethods.setAssociatedType) {
            SetAssociatedType(home: $0.home, accessory: $0.lamp.accessory, iid: 20, type: HAPType.Service.fan)
        },
        RoleCall(HubMethods.addServiceGroup) { AddNamed(home: $0.home, name: "Fans") },
        RoleCall(HubMethods.renameServiceGroup) { Rename(home: $0.home, id: $0.group, name: "Lamps") },
        RoleCall(HubMethods.addServiceToGroup) {
            ServiceGroupMembership(home: $0.home, group: $0.group, service: $0.lamp)
        },
        RoleCall(HubMethods.removeServiceFromGroup) {
            ServiceGroupMembership(home: $0.home, group: $0.group, service: $0.lamp)
        },
        RoleCall(HubMethods.removeServiceGroup) { Target(home: $0.home, id: $0.group) },
        RoleCall(HubMethods.addActionSet) { AddNamed(home: $0.home, name: "Party") },
        RoleCall(HubMethods.renameActionSet) { Rename(home: $0.home, id: $0.scene, name: "Cinema") },
        RoleCall(HubMethods.addAction) {
            AddAction(home: $0.home, actionSet: $0.scene, characteristic: $0.power, value: .bool(true))
        },
        RoleCall(HubMethods.setActionValue) {
            SetActionValue(home: $0.home, actionSet: $0.scene, id: $0.action, value: .bool(false))
        },
        RoleCall(HubMethods.addTrigger) { AddTrigger(home: $0.home, name: "Noon", definition: daily) },
        RoleCall(HubMethods.renameTrigger) { Rename(home: $0.home, id: $0.trigger, name: "Dusk") },
        RoleCall(HubMethods.editTrigger) {
            EditTrigger(home: $0.home, id: $0.trigger, edit: .recurrence(RecurrenceInterval(hours: 1)))
        },
        RoleCall(HubMethods.addOwnedActionSet) { AddOwnedActionSet(home: $0.home, trigger: $0.trigger) },
        RoleCall(HubMethods.addActionSetToTrigger) {
            TriggeredActionSet(home: $0.home, trigger: $0.trigger, actionSet: $0.scene)
        },
        RoleCall(HubMethods.enableTrigger) { EnableTrigger(home: $0.home, id: $0.trigger, isEnabled: false) },
        RoleCall(HubMethods.removeActionSetFromTrigger) {
            TriggeredActionSet(home: $0.home, trigger: $0.trigger, actionSet: $0.scene)
        },
        RoleCall(HubMethods.removeTrigger) { Target(home: $0.home, id: $0.trigger) },
        RoleCall(HubMethods.removeAction) { ActionTarget(home: $0.home, actionSet: $0.scene, id: $0.action) },
        RoleCall(HubMethods.removeActionSet) { Target(home: $0.home, id: $0.scene) },
    ]
    /// What names nothing that has to be there.
    static let additions: Set<String> = [
        HubMethods.addRoom.name, HubMethods.addZone.name, HubMethods.addUser.name,
        HubMethods.addServiceGroup.name, HubMethods.addActionSet.name, HubMethods.addTrigger.name,
    ]
    static let accessoryLayoutDeeds = [
        RoleCall(HubMethods.renameAccessory) { Rename(home: $0.home, id: $0.accessory, name: "Lamp") },
        RoleCall(HubMethods.moveAccessory) { MoveAccessory(home: $0.home, id: $0.accessory, room: $0.room) },
        RoleCall(HubMethods.removeAccessory) { Target(home: $0.home, id: $0.accessory) },
        RoleCall(HubMethods.blockAccessory) { Target(home: $0.home, id: $0.accessory) },
        RoleCall(HubMethods.unblockAccessory) { Target(home: $0.home, id: $0.accessory) },
        RoleCall(HubMethods.renameService) {
            RenameService(home: $0.home, accessory: $0.accessory, iid: 8, name: "Lamp")
        },
    ]
    static let identify = RoleCall(HubMethods.identifyAccessory) { Target(home: $0.home, id: $0.accessory) }
    static let diagnose = RoleCall(HubMethods.diagnoseAccessory) { Target(home: $0.home, id: $0.accessory) }
    static let uses = [
        RoleCall(HubMethods.read) { ReadCharacteristics(home: $0.home, characteristics: [$0.characteristic]) },
        RoleCall(HubMethods.write) { stage in
            let write = WriteCharacteristics.Write(characteristic: stage.characteristic, value: .bool(true))
            return WriteCharacteristics(home: stage.home, writes: [write])
        },
        RoleCall(HubMethods.notify) {
            NotifyCharacteristics(home: $0.home, characteristics: [$0.characteristic], enabled: true)
        },
    ]
    /// What asks a person before it changes anything.
    static let sheets = [
        RoleCall(HubMethods.inviteUser) { HomeTarget(home: $0.home) },
        RoleCall(HubMethods.manageUsers) { HomeTarget(home: $0.home) },
        RoleCall(HubMethods.setUpAccessories) { SetUpAccessories(home: $0.home) },
    ]
    static let removal = RoleCall(HubMethods.removeHome) { HomeTarget(home: $0.home) }
    /// What the owner alone may do with people.
    static let confirmation = RoleCall(HubMethods.confirmUser) { Target(home: $0.home, id: $0.person) }
    /// An addition of what no browser has shown, so that none is looked for on the network, which would take its time.
    static let addition = RoleCall(HubMethods.addAccessory) {
        AddAccessory(home: $0.home, discovered: UUID(), code: "482-11-957")
    }
    /// An import of a pairing that is none, so that no accessory is looked for on the network.
    static let importation = RoleCall(HubMethods.importAccessory) {
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
        RoleCall(HubMethods.renameHome) { Rename(home: $0.home, id: $0.home, name: "Mine") },
        RoleCall(HubMethods.setPrimaryHome) { HomeTarget(home: $0.home) },
    ]
    /// What is about no home of anybody's.
    static let anyones = [
        RoleCall(HubMethods.addHome) { _ in AddHome(name: "Flat") },
        RoleCall(HubMethods.startBrowsing) { _ in Empty() },
        RoleCall(HubMethods.stopBrowsing) { _ in Empty() },
        RoleCall(HubMethods.questions) { _ in Empty() },
        RoleCall(HubMethods.enterBackground) { _ in Empty() },
        RoleCall(HubMethods.enterForeground) { _ in Empty() },
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
