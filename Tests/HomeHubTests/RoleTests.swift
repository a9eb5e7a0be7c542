import Foundation
import HAPCatalog
import HomeHub
import HomeModel
import HubAPI
import Testing

/// Who may do what, on a hub with clients of several users.
@Suite(.timeLimit(.minutes(2)))
struct RoleTests {
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

    private static let daily = TriggerDefinition.timer(
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
        Deed(HubMethods.renameService) {
            RenameService(home: $0.home, accessory: $0.accessory, iid: 8, name: "Lamp")
        },
    ]
    static let identify = Deed(HubMethods.identifyAccessory) { Target(home: $0.home, id: $0.accessory) }
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
    ]
    static let removal = Deed(HubMethods.removeHome) { HomeTarget(home: $0.home) }

    private func withStage(
        _ body: (HomeHub, Stage, _ owner: HubProbe) async throws -> Void
    ) async throws {
        try await withFurnishedHub { hub, home in
            let owner = try await HubProbe(to: hub)
            let room = try await owner.call(HubMethods.addRoom, AddNamed(home: home, name: "Kitchen")).id
            let other = try await owner.call(HubMethods.addRoom, AddNamed(home: home, name: "Hall")).id
            let zone = try await owner.call(HubMethods.addZone, AddNamed(home: home, name: "Ground Floor")).id
            let membership = ZoneMembership(home: home, zone: zone, room: room)
            _ = try await owner.call(HubMethods.addRoomToZone, membership)
            let person = AddUser(home: home, name: "Somebody", role: .guest)
            let id = try await owner.call(HubMethods.addUser, person).id
            let group = try await owner.call(HubMethods.addServiceGroup, AddNamed(home: home, name: "Lights")).id
            let scene = try await owner.call(HubMethods.addActionSet, AddNamed(home: home, name: "Movie Night")).id
            let state = try #require(owner.view.homes[home])
            let gadget = try #require(state.accessories.first).id
            let switchPower = try #require(state.identity(ofCharacteristic: 21, in: gadget))
            let action = AddAction(home: home, actionSet: scene, characteristic: switchPower, value: .bool(true))
            let trigger = AddTrigger(home: home, name: "Evening", definition: Self.daily)
            let stage = Stage(
                home: home,
                room: room,
                otherRoom: other,
                zone: zone,
                person: id,
                group: group,
                scene: scene,
                action: try await owner.call(HubMethods.addAction, action).id,
                trigger: try await owner.call(HubMethods.addTrigger, trigger).id,
                lamp: try #require(state.identity(ofService: 10, in: gadget)),
                power: try #require(state.identity(ofCharacteristic: 11, in: gadget))
            )
            try await body(hub, stage, owner)
        }
    }

    private func member(_ role: Role, of stage: Stage, by owner: HubProbe, _ hub: HomeHub) async throws -> HubProbe {
        let id = try await owner.call(HubMethods.addUser, AddUser(home: stage.home, name: "\(role)", role: role)).id
        return try await HubProbe(to: hub, as: id)
    }

    // MARK: The table

    @Test(arguments: [Role.administrator, .guest])
    func aRoleMayDoWhatIsItsOwnAndNothingElse(role: Role) async throws {
        try await withStage { hub, stage, owner in
            let probe = try await member(role, of: stage, by: owner, hub)
            let before = owner.view.homes
            let refusal = role == .guest ? "insufficientPrivileges" : nil
            for deed in Self.layoutDeeds {
                #expect(try await deed.call(probe, stage) == refusal, "\(deed.testDescription)")
            }
            for deed in Self.accessoryLayoutDeeds {
                #expect(try await deed.call(probe, stage) == refusal ?? "notFound", "\(deed.testDescription)")
            }
            if role == .guest {
                for deed in Self.sheets { #expect(try await deed.call(probe, stage) == refusal) }
                #expect(owner.view.homes == before)
            }
            #expect(try await Self.identify.call(probe, stage) == "notFound")
            for deed in Self.uses { #expect(try await deed.call(probe, stage) == nil, "\(deed.testDescription)") }
            #expect(try await Self.removal.call(probe, stage) == "insufficientPrivileges")
            #expect(owner.view.homes[stage.home] != nil)
        }
    }

    @Test(arguments: [Role.administrator, .guest])
    func whatIsNotThereIsToldOnlyToThoseWhoMayLook(role: Role) async throws {
        try await withStage { hub, stage, owner in
            let probe = try await member(role, of: stage, by: owner, hub)
            for deed in Self.layoutDeeds where !Self.additions.contains(deed.testDescription) {
                let refusal = role == .guest ? "insufficientPrivileges" : "notFound"
                #expect(try await deed.call(probe, stage.empty) == refusal, "\(deed.testDescription)")
            }
        }
    }

    @Test func theOwnerMayDoEverything() async throws {
        try await withStage { (_, stage, owner) async throws in
            for deed in Self.layoutDeeds + Self.uses + [Self.removal] {
                #expect(try await deed.call(owner, stage) == nil, "\(deed.testDescription)")
            }
        }
    }

    @Test func aStrangerIsAnsweredAsIfThereWereNoSuchHome() async throws {
        try await withStage { hub, stage, owner in
            let stranger = try await HubProbe(to: hub, as: UUID())
            #expect(stranger.view.homes.isEmpty)
            var nowhere = stage
            nowhere.home = UUID()
            let before = owner.view.homes
            let deeds = Self.layoutDeeds + Self.accessoryLayoutDeeds + Self.sheets + Self.uses
            for deed in deeds + [Self.identify, Self.removal] {
                #expect(try await deed.call(stranger, stage) == "notFound", "\(deed.testDescription)")
                #expect(try await deed.call(stranger, nowhere) == "notFound", "\(deed.testDescription)")
                #expect(try await deed.call(owner, nowhere) == "notFound", "\(deed.testDescription)")
            }
            #expect(owner.view.homes == before)
            #expect(stranger.events == [.reset])
        }
    }

    // MARK: Live

    @Test func whoJoinsAHomeSeesAllOfItAndWhoLeavesNothing() async throws {
        try await withStage { hub, stage, owner in
            let guest = try await HubProbe(to: hub, as: stage.person)
            #expect(guest.view.homes == owner.view.homes)
            let cabin = try await owner.call(HubMethods.addHome, AddHome(name: "Cabin")).id
            _ = try await owner.call(HubMethods.addRoom, AddNamed(home: cabin, name: "Attic"))
            #expect(guest.view.homes[cabin] == nil)

            _ = try await owner.call(HubMethods.removeUser, Target(home: stage.home, id: stage.person))
            try await guest.until { $0.homes.isEmpty && $0.account.homes.isEmpty }
            #expect(guest.events == [.reset, .change, .homeGone])
            _ = try await owner.call(HubMethods.addRoom, AddNamed(home: stage.home, name: "Attic"))
            #expect(try await guest.refusal(HubMethods.addRoom, AddNamed(home: stage.home, name: "Loft")) == "notFound")
            #expect(guest.events == [.reset, .change, .homeGone])
            #expect(owner.view.account.homes.count == 2)
        }
    }

    @Test func aChangeOfRoleHoldsOnOpenConnectionsAtOnce() async throws {
        try await withStage { hub, stage, owner in
            let guest = try await HubProbe(to: hub, as: stage.person)
            let attic = AddNamed(home: stage.home, name: "Attic")
            #expect(try await guest.refusal(HubMethods.addRoom, attic) == "insufficientPrivileges")
            let promotion = SetRole(home: stage.home, id: stage.person, role: .administrator)
            _ = try await owner.call(HubMethods.setRole, promotion)
            #expect(try await guest.refusal(HubMethods.addRoom, attic) == nil)
            let fall = SetRole(home: stage.home, id: stage.person, role: .guest)
            _ = try await owner.call(HubMethods.setRole, fall)
            let loft = AddNamed(home: stage.home, name: "Loft")
            #expect(try await guest.refusal(HubMethods.addRoom, loft) == "insufficientPrivileges")
            try await guest.until { $0.homes == owner.view.homes }
        }
    }

    @Test func whoIsGivenAPartInAHomeSeesAllOfItAtOnce() async throws {
        try await withStage { hub, stage, owner in
            let cabin = try await owner.call(HubMethods.addHome, AddHome(name: "Cabin")).id
            _ = try await owner.call(HubMethods.addRoom, AddNamed(home: cabin, name: "Attic"))
            let guest = try await HubProbe(to: hub, as: stage.person)
            let part = AddUser(home: cabin, name: "Somebody", role: .guest, person: stage.person)
            _ = try await owner.call(HubMethods.addUser, part)
            try await guest.until { $0.account.homes.map(\.name) == ["Villa", "Cabin"] }
            #expect(guest.view.homes == owner.view.homes)
            #expect(guest.view.seen?.homes == owner.view.seen?.homes)
            _ = try await owner.call(HubMethods.addRoom, AddNamed(home: cabin, name: "Cellar"))
            try await guest.until { $0.homes[cabin]?.rooms.count == 2 }
            #expect(guest.events == [.reset, .change, .change, .change])
        }
    }

    @Test func whoIsGivenAPartWhileAwayLearnsNothingOfWhatWasBefore() async throws {
        try await withStage { hub, stage, owner in
            let cabin = try await owner.call(HubMethods.addHome, AddHome(name: "Cabin")).id
            let room = try await owner.call(HubMethods.addRoom, AddNamed(home: cabin, name: "Secret Room")).id
            _ = try await owner.call(HubMethods.renameRoom, Rename(home: cabin, id: room, name: "Attic"))
            let guest = try await HubProbe(to: hub, as: stage.person)
            guest.close()
            let part = AddUser(home: cabin, name: "Somebody", role: .guest, person: stage.person)
            _ = try await owner.call(HubMethods.addUser, part)

            let returned = try await HubProbe(to: hub, as: stage.person, after: guest.view)
            #expect(returned.events == [.change, .change, .resumed])
            #expect(returned.view.homes == owner.view.homes)
            #expect(returned.view.seen?.homes == owner.view.seen?.homes)
            let told = try returned.changes.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) }
            #expect(told.filter { $0.contains("Secret Room") }.isEmpty)
            #expect(told.contains { $0.contains("Attic") })
        }
    }

    @Test func aPersonOfNoHomeOfTheCallersIsNotFound() async throws {
        try await withStage { hub, stage, owner in
            let other = try await HubProbe(to: hub, as: UUID())
            let home = try await other.call(HubMethods.addHome, AddHome(name: "Flat")).id
            let part = AddUser(home: home, name: "Somebody", role: .guest, person: stage.person)
            #expect(try await other.refusal(HubMethods.addUser, part) == "notFound")
        }
    }

    @Test func aGuestMayLeave() async throws {
        try await withStage { hub, stage, owner in
            let guest = try await HubProbe(to: hub, as: stage.person)
            #expect(try await guest.refusal(HubMethods.removeUser, Target(home: stage.home, id: stage.person)) == nil)
            #expect(guest.view.homes.isEmpty)
            try await owner.until { $0.homes[stage.home]?.users[id: stage.person] == nil }
        }
    }

    @Test func theRemovalOfAHomeTakesItFromEverybody() async throws {
        try await withStage { hub, stage, owner in
            let guest = try await HubProbe(to: hub, as: stage.person)
            _ = try await owner.call(HubMethods.removeHome, HomeTarget(home: stage.home))
            try await guest.until { $0.homes.isEmpty && $0.account.homes.isEmpty }
            let again = try await HubProbe(to: hub, as: stage.person)
            #expect(again.view.account.homes.isEmpty)
        }
    }

    @Test func usersHaveHomesOfTheirOwnWithNamesAndAPrimaryHomeOfTheirOwn() async throws {
        try await withStage { hub, stage, owner in
            let guest = try await HubProbe(to: hub, as: stage.person)
            let own = try await guest.call(HubMethods.addHome, AddHome(name: "Flat")).id
            _ = try await guest.call(HubMethods.setPrimaryHome, HomeTarget(home: own))
            _ = try await guest.call(HubMethods.renameHome, Rename(home: stage.home, id: stage.home, name: "Parents"))
            #expect(guest.view.account.homes.map(\.name) == ["Parents", "Flat"])
            #expect(guest.view.account.primaryHome?.id == own)
            #expect(owner.view.account.homes.map(\.name) == ["Villa"])
            #expect(owner.view.homes[own] == nil)
            #expect(try await guest.refusal(HubMethods.addRoom, AddNamed(home: own, name: "Attic")) == nil)
        }
    }

    @Test func aHomeWhoseNameTheNewcomerHasAlreadyGetsANumber() async throws {
        try await withStage { hub, stage, owner in
            let guest = try await HubProbe(to: hub, as: stage.person)
            _ = try await guest.call(HubMethods.addHome, AddHome(name: "Cabin"))
            let cabin = try await owner.call(HubMethods.addHome, AddHome(name: "Cabin")).id
            let part = AddUser(home: cabin, name: "Somebody", role: .guest, person: stage.person)
            _ = try await owner.call(HubMethods.addUser, part)
            try await guest.until { $0.account.homes.map(\.name) == ["Villa", "Cabin", "Cabin 2"] }
        }
    }
}
