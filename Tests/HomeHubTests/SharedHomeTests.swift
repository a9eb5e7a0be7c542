import Foundation
import HAPCatalog
import HomeHub
import HomeModel
import HubAPI
import PeerProcess
import Testing

@testable import HomeKit

/// Users and service groups through the `HomeKit` module, with apps of several users on a real hub.
struct SharedHomeTests {
    /// Returns an app that has received its homes, of the hub's own user by default.
    private static func app(_ hub: HomeHub, _ name: String, as user: UUID? = nil) async throws -> TestApp {
        let account: UUID? = if let user { await hub.account(user) } else { nil }
        let app = TestApp(on: hub, named: name, as: account)
        try await app.until("homes updated")
        return app
    }

    /// Adds a user to a home from another client.
    private static func join(_ home: UUID, _ name: String, _ role: Role = .guest, on hub: HomeHub) async throws -> UUID
    {
        let probe = try await RecordingHubClient(to: hub)
        return try await probe.call(HubMethods.addUser, AddHomeUser(home: home, name: name, role: role)).id
    }

    /// Makes a call, and returns the error's code if it fails, otherwise `nil`.
    private static func code(_ body: () async throws -> Void) async -> HMError.Code? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? HMError)?.code
        }
    }

    @Test func bothSidesSeeSomebodyComeAndGo() async throws {
        try await withPopulatedHub { hub, id in
            let owner = try await Self.app(hub, "test.owner")
            let other = try await Self.app(hub, "test.other")
            let home = try #require(owner.manager.homes.first)
            let ann = try await Self.join(id, "Ann", on: hub)
            try await owner.until("added user Ann")
            try await other.until("added user Ann")

            let guest = try await Self.app(hub, "test.guest", as: ann)
            let shared = try #require(guest.manager.homes.first)
            #expect(shared.uniqueIdentifier == id)
            #expect(shared.currentUser.name == "Ann")
            #expect(shared.users.map(\.name) == ["Tester"])
            #expect(!shared.homeAccessControl(for: shared.currentUser).isAdministrator)
            #expect(shared.users.map { shared.homeAccessControl(for: $0).isAdministrator } == [true])

            let user = try #require(home.users.first)
            // A user has one ID per app: the same in every instance of the app, and a different one in other apps.
            #expect(user.uniqueIdentifier != shared.currentUser.uniqueIdentifier)
            let same = try await Self.app(hub, "test.owner", as: ann)
            #expect(same.manager.homes.first?.currentUser.uniqueIdentifier == user.uniqueIdentifier)
            try await home.removeUser(user)
            #expect(home.users.isEmpty)
            try await guest.until("removed home Villa")
            #expect(guest.manager.homes.isEmpty)
            try await other.until("removed user Ann")
            // The owner, who removed the user, learns the result from the completion.
            #expect(owner.count("removed user Ann") == 0)
        }
    }

    @Test func whoIsGivenAPartSeesTheHomeInARunningAppAndItsRoleChange() async throws {
        try await withPopulatedHub { hub, id in
            let owner = try await RecordingHubClient(to: hub)
            let ann = try await Self.join(id, "Ann", on: hub)
            let guest = try await Self.app(hub, "test.guest", as: ann)
            let cabin = try await owner.call(HubMethods.addHome, AddHome(name: "Cabin")).id
            let part = AddHomeUser(home: cabin, name: "Ann", role: .guest, person: ItemTarget(home: id, id: ann))
            _ = try await owner.call(HubMethods.addUser, part)
            try await guest.until("added home Cabin")
            let homes = guest.manager.homes
            #expect(homes.map(\.currentUser.name) == ["Ann", "Ann"])
            #expect(Set(homes.map(\.currentUser.uniqueIdentifier)).count == 2)
            _ = try await owner.call(HubMethods.setRole, InHome(id, SetRole(.administrator, of: ann)))
            try await guest.until("administrator of Villa: true")
            _ = try await homes[0].addRoom(named: "Attic")
            _ = try await owner.call(HubMethods.setRole, InHome(id, SetRole(.guest, of: ann)))
            try await guest.until("administrator of Villa: false")
        }
    }

    @Test func aGuestLeavesByThemself() async throws {
        try await withPopulatedHub { hub, id in
            let owner = try await Self.app(hub, "test.owner")
            let ann = try await Self.join(id, "Ann", on: hub)
            let guest = try await Self.app(hub, "test.guest", as: ann)
            let home = try #require(guest.manager.homes.first)
            try await home.removeUser(home.currentUser)
            #expect(guest.manager.homes.isEmpty)
            try await owner.until("removed user Ann")
        }
    }

    @Test func aServiceGroupIsSharedByAppsAndPeople() async throws {
        try await withPopulatedHub { hub, id in
            let author = try await Self.app(hub, "test.author")
            let guest = try await Self.app(hub, "test.guest", as: try await Self.join(id, "Ann", on: hub))
            let home = try #require(author.manager.homes.first)
            let lamp = try #require(home.servicesWithTypes([HMServiceTypeLightbulb])?.first)
            let group = try await home.addServiceGroup(named: "Lights")
            #expect(home.serviceGroups == [group])
            try await group.addService(lamp)
            #expect(group.services == [lamp])
            try await guest.until("Gadget into Lights")
            let seen = try #require(guest.manager.homes.first?.serviceGroups.first)
            #expect(seen.uniqueIdentifier == group.uniqueIdentifier)
            #expect(seen.services.map(\.uniqueIdentifier) == [lamp.uniqueIdentifier])
            try await group.updateName("Lamps")
            try await guest.until("group is Lamps")
            try await group.removeService(lamp)
            try await guest.until("Gadget out of Lamps")
            try await home.removeServiceGroup(group)
            try await guest.until("removed group Lamps")
            let own = author.messages.value.filter { $0.contains("group") || $0.contains("Lights") }
            #expect(own.isEmpty)
        }
    }

    @Test func aSwitchThatBelongsToAFanIsToldToOtherApps() async throws {
        try await withPopulatedHub { hub, _ in
            let author = try await Self.app(hub, "test.author")
            let reader = try await Self.app(hub, "test.reader")
            let service = try #require(author.manager.homes.first?.servicesWithTypes([HMServiceTypeSwitch])?.first)
            try await service.updateAssociatedServiceType(HMServiceTypeFan)
            #expect(service.associatedServiceType == HMServiceTypeFan)
            try await reader.until("Gadget counts as \(HMServiceTypeFan)")
            let lamp = try #require(author.manager.homes.first?.servicesWithTypes([HMServiceTypeLightbulb])?.first)
            let code = await Self.code { try await lamp.updateAssociatedServiceType(HMServiceTypeFan) }
            #expect(code == .invalidAssociatedServiceType)
            #expect(author.count("Gadget counts as \(HMServiceTypeFan)") == 0)
        }
    }

    // MARK: Permissions of guests

    /// A change of the layout, as an app requests it.
    struct RoleCall: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var run: @Sendable (HMHome) async throws -> Void

        init(_ description: String, _ run: @escaping @Sendable (HMHome) async throws -> Void) {
            testDescription = description
            self.run = run
        }
    }

    static let layoutCalls = [
        RoleCall("addRoom") { _ = try await $0.addRoom(named: "Attic") },
        RoleCall("removeRoom") { try await $0.removeRoom($0.rooms[0]) },
        RoleCall("HMRoom.updateName") { try await $0.rooms[0].updateName("Cuisine") },
        RoleCall("assignAccessory") { try await $0.assignAccessory($0.accessories[0], to: $0.rooms[0]) },
        RoleCall("addZone") { _ = try await $0.addZone(named: "Outside") },
        RoleCall("removeZone") { try await $0.removeZone($0.zones[0]) },
        RoleCall("HMZone.updateName") { try await $0.zones[0].updateName("Below") },
        RoleCall("HMZone.addRoom") { try await $0.zones[0].addRoom($0.rooms[0]) },
        RoleCall("HMZone.removeRoom") { try await $0.zones[0].removeRoom($0.rooms[0]) },
        RoleCall("addServiceGroup") { _ = try await $0.addServiceGroup(named: "Fans") },
        RoleCall("removeServiceGroup") { try await $0.removeServiceGroup($0.serviceGroups[0]) },
        RoleCall("HMServiceGroup.updateName") { try await $0.serviceGroups[0].updateName("Lamps") },
        RoleCall("HMServiceGroup.addService") {
            try await $0.serviceGroups[0].addService($0.accessories[0].services[1])
        },
        RoleCall("HMServiceGroup.removeService") {
            try await $0.serviceGroups[0].removeService($0.accessories[0].services[1])
        },
        RoleCall("HMAccessory.updateName") { try await $0.accessories[0].updateName("Lamp") },
        RoleCall("removeAccessory") { try await $0.removeAccessory($0.accessories[0]) },
        RoleCall("HMService.updateName") { try await $0.accessories[0].services[1].updateName("Lamp") },
        RoleCall("updateAssociatedServiceType") {
            try await $0.accessories[0].services[2].updateAssociatedServiceType(HMServiceTypeFan)
        },
        RoleCall("removeUser") { try await $0.removeUser($0.users[0]) },
    ]

    @Test func aGuestChangesNothingOfTheLayout() async throws {
        try await withPopulatedHub { hub, id in
            let owner = try await Self.app(hub, "test.owner")
            let home = try #require(owner.manager.homes.first)
            _ = try await home.addRoom(named: "Kitchen")
            _ = try await home.addZone(named: "Downstairs")
            _ = try await home.addServiceGroup(named: "Lights")
            let guest = try await Self.app(hub, "test.guest", as: try await Self.join(id, "Ann", on: hub))
            let shared = try #require(guest.manager.homes.first)
            let before = try await RecordingHubClient(to: hub).view.homes
            for roleCall in Self.layoutCalls {
                let code = await Self.code { try await roleCall.run(shared) }
                #expect(code == .insufficientPrivileges, "\(roleCall.testDescription)")
            }
            #expect(try await RecordingHubClient(to: hub).view.homes == before)
            // A guest can choose their own name for the home.
            try await shared.updateName("Parents")
            #expect(shared.name == "Parents")
            #expect(home.name == "Villa")
        }
    }

    @Test func anAdministratorWhoIsNotTheOwnerChangesTheLayout() async throws {
        try await withPopulatedHub { hub, id in
            let ann = try await Self.join(id, "Ann", .administrator, on: hub)
            let admin = try await Self.app(hub, "test.admin", as: ann)
            let home = try #require(admin.manager.homes.first)
            #expect(home.homeAccessControl(for: home.currentUser).isAdministrator)
            let group = try await home.addServiceGroup(named: "Lights")
            try await group.addService(home.accessories[0].services[1])
            _ = try await Self.join(id, "Bob", on: hub)
            try await admin.until("added user Bob")
            let bob = try #require(home.users.first { $0.name == "Bob" })
            try await home.removeUser(bob)
            let owner = try #require(home.users.first)
            #expect(await Self.code { try await home.removeUser(owner) } == .userManagementFailed)
            #expect(await Self.code { try await admin.manager.removeHome(home) } == .insufficientPrivileges)
        }
    }
}
