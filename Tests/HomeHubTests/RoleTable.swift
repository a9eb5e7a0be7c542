import Foundation
import HAPCatalog
import HomeModel
import HubAPI
import Testing

/// The hub's methods as clients of each role call them, grouped by what the roles may do.
enum RoleTable {
    /// A call of a method, with objects that exist.
    struct RoleCall: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var call: @Sendable (RecordingHubClient, Fixture) async throws -> String?

        init<Parameters, Result>(
            _ method: Method<Parameters, Result>,
            _ parameters: @escaping @Sendable (Fixture) -> Parameters
        ) {
            testDescription = method.name
            call = { probe, fixture in try await probe.refusal(method, parameters(fixture)) }
        }
    }

    /// A home with an object of each kind.
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
        /// A service of the gadget that isn't in a group.
        var lamp: ServiceIdentity
        /// A characteristic of the gadget that isn't in an action set.
        var power: CharacteristicIdentity
        /// The ID of an accessory that doesn't exist, so that an authorized call fails with `notFound`.
        var accessory = UUID()
        var characteristic: CharacteristicReference { CharacteristicReference(accessory: accessory, iid: 9) }

        /// The same home, with IDs of objects that don't exist.
        var empty: Fixture {
            var fixture = self
            for id in [\Fixture.room, \.otherRoom, \.zone, \.person, \.group, \.scene, \.action, \.trigger] {
                fixture[keyPath: id] = UUID()
            }
            fixture.lamp.accessory = UUID()
            fixture.power.accessory = UUID()
            return fixture
        }
    }

    static let daily = TriggerDefinition.timer(
        TimerSchedule(fireDate: Date(timeIntervalSince1970: 60), recurrence: RecurrenceInterval(days: 1))
    )

    static let layoutCalls = [
        RoleCall(HubMethods.setHomePlace) { InHome($0.home, SetHomePlace(Place(latitude: 1, longitude: 2))) },
        RoleCall(HubMethods.addRoom) { InHome($0.home, AddRoom(name: "Attic")) },
        RoleCall(HubMethods.renameRoom) { InHome($0.home, RenameRoom($0.room, name: "Cuisine")) },
        RoleCall(HubMethods.reorderRoom) { InHome($0.home, ReorderRoom($0.room, before: nil)) },
        RoleCall(HubMethods.addZone) { InHome($0.home, AddZone(name: "Outside")) },
        RoleCall(HubMethods.renameZone) { InHome($0.home, RenameZone($0.zone, name: "Below")) },
        RoleCall(HubMethods.addRoomToZone) { InHome($0.home, AddRoomToZone(room: $0.otherRoom, zone: $0.zone)) },
        RoleCall(HubMethods.removeRoomFromZone) { InHome($0.home, RemoveRoomFromZone(room: $0.room, zone: $0.zone)) },
        RoleCall(HubMethods.removeZone) { InHome($0.home, RemoveZone($0.zone)) },
        RoleCall(HubMethods.removeRoom) { InHome($0.home, RemoveRoom($0.room)) },
        RoleCall(HubMethods.addUser) { AddHomeUser(home: $0.home, name: "Visitor", role: .guest) },
        RoleCall(HubMethods.removeUser) { InHome($0.home, RemoveUser($0.person)) },
        RoleCall(HubMethods.setAssociatedType) {
            InHome($0.home, SetAssociatedType(HAPType.Service.fan, accessory: $0.lamp.accessory, iid: 20))
        },
        RoleCall(HubMethods.reorderService) { InHome($0.home, ReorderService($0.lamp, before: nil)) },
        RoleCall(HubMethods.setServiceHidden) {
            InHome($0.home, SetServiceHidden(true, accessory: $0.lamp.accessory, iid: 10))
        },
        RoleCall(HubMethods.setServiceAsksFirst) {
            InHome($0.home, SetServiceAsksFirst(true, accessory: $0.lamp.accessory, iid: 10))
        },
        RoleCall(HubMethods.addServiceGroup) { InHome($0.home, AddServiceGroup(name: "Fans")) },
        RoleCall(HubMethods.renameServiceGroup) { InHome($0.home, RenameServiceGroup($0.group, name: "Lamps")) },
        RoleCall(HubMethods.addServiceToGroup) {
            InHome($0.home, AddServiceToGroup($0.lamp, group: $0.group))
        },
        RoleCall(HubMethods.removeServiceFromGroup) {
            InHome($0.home, RemoveServiceFromGroup($0.lamp, group: $0.group))
        },
        RoleCall(HubMethods.removeServiceGroup) { InHome($0.home, RemoveServiceGroup($0.group)) },
        RoleCall(HubMethods.addActionSet) { InHome($0.home, AddActionSet(name: "Party")) },
        RoleCall(HubMethods.renameActionSet) { InHome($0.home, RenameActionSet($0.scene, name: "Cinema")) },
        RoleCall(HubMethods.setSceneIcon) { InHome($0.home, SetSceneIcon(SceneIcon.choices[0], of: $0.scene)) },
        RoleCall(HubMethods.addAction) {
            InHome($0.home, AddAction($0.power, value: .bool(true), actionSet: $0.scene))
        },
        RoleCall(HubMethods.setActionValue) {
            InHome($0.home, SetActionValue(.bool(false), action: $0.action, actionSet: $0.scene))
        },
        RoleCall(HubMethods.addTrigger) { InHome($0.home, AddTrigger(name: "Noon", daily)) },
        RoleCall(HubMethods.renameTrigger) { InHome($0.home, RenameTrigger($0.trigger, name: "Dusk")) },
        RoleCall(HubMethods.editTrigger) {
            InHome($0.home, EditTrigger($0.trigger, .recurrence(RecurrenceInterval(hours: 1))))
        },
        RoleCall(HubMethods.addOwnedActionSet) { InHome($0.home, AddOwnedActionSet(trigger: $0.trigger)) },
        RoleCall(HubMethods.addActionSetToTrigger) {
            InHome($0.home, AddActionSetToTrigger(actionSet: $0.scene, trigger: $0.trigger))
        },
        RoleCall(HubMethods.enableTrigger) { InHome($0.home, EnableTrigger($0.trigger, false)) },
        RoleCall(HubMethods.removeActionSetFromTrigger) {
            InHome($0.home, RemoveActionSetFromTrigger(actionSet: $0.scene, trigger: $0.trigger))
        },
        RoleCall(HubMethods.removeTrigger) { InHome($0.home, RemoveTrigger($0.trigger)) },
        RoleCall(HubMethods.removeAction) { InHome($0.home, RemoveAction($0.action, actionSet: $0.scene)) },
        RoleCall(HubMethods.removeActionSet) { InHome($0.home, RemoveActionSet($0.scene)) },
    ]
    /// The calls that refer to no existing object.
    static let additions: Set<String> = [
        HubMethods.addRoom.name, HubMethods.addZone.name, HubMethods.addUser.name, HubMethods.setHomePlace.name,
        HubMethods.addServiceGroup.name, HubMethods.addActionSet.name, HubMethods.addTrigger.name,
    ]
    static let accessoryLayoutCalls = [
        RoleCall(HubMethods.renameAccessory) { InHome($0.home, RenameAccessory($0.accessory, name: "Lamp")) },
        RoleCall(HubMethods.moveAccessory) { InHome($0.home, MoveAccessory($0.accessory, room: $0.room)) },
        RoleCall(HubMethods.removeAccessory) { InHome($0.home, RemoveAccessory($0.accessory)) },
        RoleCall(HubMethods.blockAccessory) { InHome($0.home, BlockAccessory($0.accessory)) },
        RoleCall(HubMethods.unblockAccessory) { InHome($0.home, UnblockAccessory($0.accessory)) },
        RoleCall(HubMethods.renameService) {
            InHome($0.home, RenameService(accessory: $0.accessory, iid: 8, name: "Lamp"))
        },
    ]
    static let identify = RoleCall(HubMethods.identifyAccessory) { ItemTarget(home: $0.home, id: $0.accessory) }
    static let diagnose = RoleCall(HubMethods.diagnoseAccessory) { ItemTarget(home: $0.home, id: $0.accessory) }
    static let valueCalls = [
        RoleCall(HubMethods.read) { ReadCharacteristics(home: $0.home, characteristics: [$0.characteristic]) },
        RoleCall(HubMethods.write) { fixture in
            let write = WriteCharacteristics.Write(characteristic: fixture.characteristic, value: .bool(true))
            return WriteCharacteristics(home: fixture.home, writes: [write])
        },
        RoleCall(HubMethods.changeTimes) { ChangeTimesQuery(home: $0.home) },
        RoleCall(HubMethods.notify) {
            NotifyCharacteristics(home: $0.home, characteristics: [$0.characteristic], enabled: true)
        },
    ]
    /// The calls that ask the user a question before they change anything.
    static let questionCalls = [
        RoleCall(HubMethods.inviteUser) { HomeTarget(home: $0.home) },
        RoleCall(HubMethods.manageUsers) { HomeTarget(home: $0.home) },
        RoleCall(HubMethods.setUpAccessories) { SetUpAccessories(home: $0.home) },
    ]
    /// The call that makes an administrator.
    static let promotion = RoleCall(HubMethods.setRole) { InHome($0.home, SetRole(.administrator, of: $0.person)) }
    static let removal = RoleCall(HubMethods.removeHome) { HomeTarget(home: $0.home) }
    /// The call for users that only the owner may make.
    static let confirmation = RoleCall(HubMethods.confirmUser) { InHome($0.home, ConfirmUser($0.person)) }
    /// A call to add an undiscovered accessory, so that it doesn't search the network.
    static let addition = RoleCall(HubMethods.addAccessory) {
        AddAccessory(home: $0.home, discovered: UUID(), code: "482-11-957")
    }
    /// A call to import an invalid pairing, so that it doesn't search the network.
    static let importCall = RoleCall(HubMethods.importAccessory) {
        ImportAccessory(
            home: $0.home,
            deviceID: "none",
            accessoryKey: Data(repeating: 1, count: 32),
            controllerID: "CONTROLLER",
            controllerSecret: Data(repeating: 2, count: 32)
        )
    }
    /// The calls that change only the caller's list of homes, or the caller's favorites.
    static let listCalls = [
        RoleCall(HubMethods.addFavorite) { FavoritePlacement(home: $0.home, favorite: .service($0.lamp)) },
        RoleCall(HubMethods.moveFavorite) { FavoritePlacement(home: $0.home, favorite: .service($0.lamp)) },
        RoleCall(HubMethods.removeFavorite) { FavoriteTarget(home: $0.home, favorite: .service($0.lamp)) },
        RoleCall(HubMethods.renameHome) { RenameHome(home: $0.home, name: "Mine") },
        RoleCall(HubMethods.setPrimaryHome) { HomeTarget(home: $0.home) },
    ]
    /// The calls that only owners and administrators of some home may make, and the hub's own user.
    static let editorCalls = [
        RoleCall(HubMethods.addHome) { _ in AddHome(name: "Flat") },
        RoleCall(HubMethods.startBrowsing) { _ in Empty() },
    ]
    /// The calls that everybody may make.
    static let generalCalls = [
        RoleCall(HubMethods.stopBrowsing) { _ in Empty() },
        RoleCall(HubMethods.questions) { _ in Empty() },
        RoleCall(HubMethods.enterBackground) { _ in Empty() },
        RoleCall(HubMethods.enterForeground) { _ in Empty() },
        RoleCall(HubMethods.runningClock) { _ in Empty() },
    ]
    /// The methods that other tests cover, because they don't depend on the role in one home. They depend on the
    /// connection, the hub's own user or the user's own apps, or concern several homes.
    static let coveredElsewhere: Set<String> = [
        HubMethods.hello.name, HubMethods.identifyDiscovered.name, HubMethods.answerQuestion.name,
        HubMethods.declineQuestion.name, HubMethods.renewQuestion.name, HubMethods.makeBackup.name,
        HubMethods.readBackup.name,
        HubMethods.openAppSocket.name, HubMethods.closeAppSocket.name,
        HubMethods.apps.name, HubMethods.allowApp.name, HubMethods.denyApp.name, HubMethods.forgetApp.name,
        HubMethods.findAccessory.name, HubMethods.writeImport.name, HubMethods.importHomes.name,
        HubMethods.runActionSet.name, HubMethods.testTrigger.name, HubMethods.presence.name,
        HubMethods.say.name, HubMethods.voiceExamples.name, HubMethods.voiceGrammar.name,
        HubMethods.setPresence.name, HubMethods.clock.name,
        HubMethods.advanceClock.name, HubMethods.journal.name,
        HubMethods.explain.name, HubMethods.journalSamples.name, HubMethods.followJournal.name,
        HubMethods.followMedia.name, HubMethods.startBrowsingMedia.name, HubMethods.stopBrowsingMedia.name,
        HubMethods.chooseRoute.name, HubMethods.commandMedia.name, HubMethods.setMediaVolume.name,
        HubMethods.mediaArtwork.name,
        HubMethods.startBrowsingUnconfigured.name, HubMethods.stopBrowsingUnconfigured.name,
        HubMethods.configureAccessory.name, HubMethods.createLogin.name, HubMethods.devices.name,
        HubMethods.removeDevice.name, HubMethods.addDevice.name, HubMethods.vouchForDevice.name,
        HubMethods.renameDevice.name, HubMethods.confirmDevices.name, HubMethods.createInvitation.name,
        HubMethods.invitations.name,
        HubMethods.removeInvitation.name, HubMethods.homeKeys.name, HubMethods.sendToDevice.name,
        HubMethods.openFeed.name, HubMethods.enableSync.name, HubMethods.disableSync.name,
        HubMethods.updateVault.name, HubMethods.syncStatus.name,
        HubMethods.setMayBeAway.name, HubMethods.inviteHub.name, HubMethods.hubs.name, HubMethods.leaveHub.name,
        HubMethods.removeHub.name, HubMethods.goOnAlone.name,
    ]
    /// The names of all methods in the table.
    static var names: Set<String> {
        let calls =
            layoutCalls + accessoryLayoutCalls + valueCalls + questionCalls + listCalls + editorCalls
            + generalCalls + [promotion]
        let single = [identify, diagnose, removal, confirmation, addition, importCall]
        return Set((calls + single).map(\.testDescription)).union(coveredElsewhere)
    }
}
