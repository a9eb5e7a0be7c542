import Foundation
import HomeKit
import HomeModel
import HubAPI
import Testing

struct UserTests {
    private static func addUser(_ name: String, _ role: Role = .guest, to home: UUID, on hub: ScriptedHub) throws
        -> UUID
    {
        let id = UUID()
        try hub.change(AddUser(id: id, name: name, role: role), in: home)
        return id
    }

    @Test func theOneWhoseAppItIsIsTheCurrentUserAndNotAmongTheOthers() async throws {
        let hub = ScriptedHub()
        let id = try hub.addHome("Villa")
        _ = try Self.addUser("Ann", to: id, on: hub)
        let app = try await App(on: hub)
        let home = try app.home()
        #expect(home.currentUser.name == "Owner")
        #expect(home.currentUser === home.currentUser)
        #expect(home.users.map(\.name) == ["Ann"])
        #expect(home.users.first === home.users.first)
        #expect(home.homeAccessControl(for: home.currentUser).isAdministrator)
    }

    @Test func theCurrentUserIsKnownInTheFirstCallback() async throws {
        final class Delegate: NSObject, HMHomeManagerDelegate, Sendable {
            let names = Inbox<[String]>()

            func homeManagerDidUpdateHomes(_ manager: HMHomeManager) {
                names.put(manager.homes.map(\.currentUser.name))
            }
        }
        let hub = ScriptedHub()
        try hub.addHome("Villa")
        let manager = HMHomeManager(environment: hub.environment())
        let delegate = Delegate()
        manager.delegate = delegate
        #expect(try await delegate.names.next() == ["Owner"])
    }

    @Test func aPersonHasTheIDUnderWhichTheHubShowsThem() async throws {
        let hub = ScriptedHub()
        let villa = try hub.addHome("Villa")
        let ann = try Self.addUser("Ann", to: villa, on: hub)
        let app = try await App(on: hub)
        #expect(try app.home().users.map(\.uniqueIdentifier) == [ann])
        let owner = try #require(hub.home(villa)?.users.first).id
        #expect(try app.home().currentUser.uniqueIdentifier == owner)
        // The same applies to a home that is added later.
        let hut = try hub.addHome("Hut")
        _ = try Self.addUser("Bob", to: hut, on: hub)
        try hub.addRoom("Hall", in: villa)
        #expect(try await app.recorder.next() == "added home Hut of 2")
        #expect(try await app.recorder.next() == "added room Hall of 1")
        let home = try #require(app.manager.homes.last)
        #expect(home.currentUser.name == "Owner")
        #expect(home.users.map(\.name) == ["Bob"])
    }

    @Test func peopleComeAndGo() async throws {
        let hub = ScriptedHub()
        let id = try hub.addHome("Villa")
        let app = try await App(on: hub)
        let home = try app.home()
        let ann = try Self.addUser("Ann", to: id, on: hub)
        #expect(try await app.recorder.next() == "added user Ann")
        let user = try #require(home.users.first)
        try hub.change(SetRole(.administrator, of: ann), in: id)
        try hub.change(RemoveUser(ann), in: id)
        // Another user's change of role isn't reported.
        #expect(try await app.recorder.next() == "removed user Ann")
        #expect(home.users.isEmpty)
        #expect(user.name == "Ann")
        #expect(await code { try await home.removeUser(user) } == .objectNotAssociatedToAnyHome)
    }

    @Test func somebodyIsRemovedByWhatTheHubKnowsThemAs() async throws {
        let hub = ScriptedHub()
        let id = try hub.addHome("Villa")
        let ann = try Self.addUser("Ann", to: id, on: hub)
        let app = try await App(on: hub)
        let home = try app.home()
        let user = try #require(home.users.first)
        home.removeUser(user) { error in
            app.recorder.notes.put("completed \(home.users.count) \(error == nil)")
        }
        let (request, parameters) = try await app.request(HubMethods.removeUser)
        #expect(parameters == InHome(id, RemoveUser(ann)))
        try hub.change(RemoveUser(ann), in: id, isMine: true)
        try request.reply(Empty())
        #expect(try await app.recorder.next() == "completed 0 true")

        async let refused = code { try await home.removeUser(home.currentUser) }
        let refusal = try await app.request(HubMethods.removeUser).request
        refusal.refuse(HubError.Code(rawValue: HomeError.Code.ownerFixed.rawValue))
        #expect(await refused == .userManagementFailed)
    }

    @Test func whatSomebodyMayDoFollowsTheirRole() async throws {
        let hub = ScriptedHub()
        let id = try hub.addHome("Villa")
        let hut = try hub.addHome("Hut")
        let ann = try Self.addUser("Ann", to: id, on: hub)
        _ = try Self.addUser("Bob", .administrator, to: hut, on: hub)
        let app = try await App(on: hub)
        let home = try app.home()
        let user = try #require(home.users.first)
        let control = home.homeAccessControl(for: user)
        #expect(!control.isAdministrator)
        #expect(home.homeAccessControl(for: user) === control)
        try hub.change(SetRole(.administrator, of: ann), in: id)
        try hub.addRoom("Hall", in: id)
        #expect(try await app.recorder.next() == "added room Hall of 1")
        #expect(control.isAdministrator)
        // A user of another home isn't a member of this one.
        let stranger = try #require(app.manager.homes.last?.users.first)
        #expect(!home.homeAccessControl(for: stranger).isAdministrator)
        #expect(app.manager.homes.last?.homeAccessControl(for: stranger).isAdministrator == true)
        try hub.change(RemoveUser(ann), in: id)
        #expect(try await app.recorder.next() == "removed user Ann")
        #expect(!control.isAdministrator)
    }

    @Test func aChangeOfTheOwnRoleHasItsMessage() async throws {
        let hub = ScriptedHub()
        let id = try hub.addHome("Villa")
        let app = try await App(on: hub)
        let home = try app.home()
        var me = try #require(hub.home(id)?.users.first)
        for role in [Role.guest, .administrator] {
            me.role = role
            let change = Change(verb: .userRoleChanged, subjects: [me.id], effects: [.put(.user(me))])
            hub.tell(.change(LogChange(home: id, lineage: hub.lineage, revision: 9, change: change, isMine: false)))
            #expect(try await app.recorder.next() == "administrator \(role == .administrator)")
        }
        #expect(home.homeAccessControl(for: home.currentUser).isAdministrator)
    }

    @Test func thePeopleOfAHomeThatIsGoneShowWhatTheyLastWere() async throws {
        let hub = ScriptedHub()
        let id = try hub.addHome("Villa")
        _ = try Self.addUser("Ann", to: id, on: hub)
        let app = try await App(on: hub)
        let home = try app.home()
        let (ann, me) = (try #require(home.users.first), home.currentUser)
        try hub.change(.removeHome(id))
        #expect(try await app.recorder.next() == "removed home Villa of 0")
        #expect(ann.name == "Ann")
        #expect(me.name == "Owner")
        #expect(home.currentUser.name == "Owner")
        #expect(home.users.isEmpty)
        #expect(!home.homeAccessControl(for: me).isAdministrator)
        #expect(home.homeHubState == .notAvailable)
    }

    @Test func groupsAndPeopleFollowWhenEverythingIsToldAnew() async throws {
        let hub = ScriptedHub()
        let id = try hub.addHome("Villa")
        let groups = [UUID(), UUID()]
        for (group, name) in zip(groups, ["Lights", "Fans"]) {
            try hub.change(AddServiceGroup(id: group, name: name), in: id)
        }
        let ann = try Self.addUser("Ann", to: id, on: hub)
        _ = try Self.addUser("Bob", to: id, on: hub)
        let app = try await App(on: hub)
        let home = try app.home()
        let (lights, fans) = (home.serviceGroups[0], home.serviceGroups[1])
        let (gone, staying, me) = (home.users[0], home.users[1], home.currentUser)
        hub.isDown = true
        hub.lose()
        let retry = try await hub.retries.next()
        try hub.change(RemoveServiceGroup(groups[0]), in: id)
        try hub.change(RenameServiceGroup(groups[1], name: "Ventilation"), in: id)
        try hub.change(RemoveUser(ann), in: id)
        hub.isDown = false
        retry()
        _ = try await app.recorder.nextUpdate()
        #expect(home.serviceGroups == [fans])
        #expect(fans.name == "Ventilation")
        #expect(lights.name == "Lights")
        #expect(home.users == [staying])
        #expect(gone.name == "Ann")
        #expect(home.currentUser === me)
        #expect(await code { try await home.removeServiceGroup(lights) } == .objectNotAssociatedToAnyHome)
        #expect(await code { try await home.removeUser(gone) } == .objectNotAssociatedToAnyHome)
    }

    // MARK: The hub

    @Test func theHubOfAHomeIsThereWhileItAnswers() async throws {
        let hub = ScriptedHub()
        try hub.addHome("Villa")
        let app = try await App(on: hub)
        let home = try app.home()
        #expect(home.homeHubState == .connected)
        hub.isDown = true
        hub.lose()
        #expect(try await app.recorder.hubStates.next() == .disconnected)
        #expect(home.homeHubState == .disconnected)
        // Another failed attempt isn't reported.
        try await hub.retries.next()()
        let retry = try await hub.retries.next()
        hub.isDown = false
        retry()
        #expect(try await app.recorder.next() == #"homes ["Villa"]"#)
        #expect(try await app.recorder.hubStates.next() == .connected)
        #expect(home.homeHubState == .connected)
        // The same applies if the app resumes its session.
        hub.keepMissed()
        hub.lose()
        #expect(try await app.recorder.hubStates.next() == .disconnected)
        try await hub.retries.next()()
        #expect(try await app.recorder.hubStates.next() == .connected)
    }
}
