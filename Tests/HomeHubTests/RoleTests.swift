import Foundation
import HAPCatalog
import HomeHub
import HomeModel
import HubAPI
import PeerProcess
import Testing

/// The permissions of roles, on a hub with clients of several users.
struct RoleTests {
    private func withStage(
        _ body: (HomeHub, RoleTable.Fixture, _ owner: RecordingHubClient) async throws -> Void
    ) async throws {
        try await withPopulatedHub { hub, home in
            let owner = try await RecordingHubClient(to: hub)
            let room = try await owner.call(HubMethods.addRoom, InHome(home, AddRoom(name: "Kitchen"))).id
            let other = try await owner.call(HubMethods.addRoom, InHome(home, AddRoom(name: "Hall"))).id
            let zone = try await owner.call(HubMethods.addZone, InHome(home, AddZone(name: "Ground Floor"))).id
            let membership = InHome(home, AddRoomToZone(room: room, zone: zone))
            _ = try await owner.call(HubMethods.addRoomToZone, membership)
            let person = AddHomeUser(home: home, name: "Somebody", role: .guest)
            let id = try await owner.call(HubMethods.addUser, person).id
            let group = try await owner.call(HubMethods.addServiceGroup, InHome(home, AddServiceGroup(name: "Lights")))
                .id
            let scene = try await owner.call(HubMethods.addActionSet, InHome(home, AddActionSet(name: "Movie Night")))
                .id
            let state = try #require(owner.view.homes[home])
            let gadget = try #require(state.accessories.first).id
            let switchPower = try #require(state.identity(ofCharacteristic: 21, in: gadget))
            let action = InHome(home, AddAction(switchPower, value: .bool(true), actionSet: scene))
            let trigger = InHome(home, AddTrigger(name: "Evening", RoleTable.daily))
            let fixture = RoleTable.Fixture(
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
            try await body(hub, fixture, owner)
        }
    }

    private func member(_ role: Role, of fixture: RoleTable.Fixture, by owner: RecordingHubClient, _ hub: HomeHub)
        async throws
        -> RecordingHubClient
    {
        let id = try await owner.call(HubMethods.addUser, AddHomeUser(home: fixture.home, name: "\(role)", role: role))
            .id
        return try await RecordingHubClient(to: hub, as: id)
    }

    // MARK: The table

    @Test(arguments: [Role.administrator, .guest])
    func aRoleMayDoWhatIsItsOwnAndNothingElse(role: Role) async throws {
        try await withStage { hub, fixture, owner in
            let probe = try await member(role, of: fixture, by: owner, hub)
            let before = owner.view.homes
            let refusal = role == .guest ? "insufficientPrivileges" : nil
            #expect(try await RoleTable.promotion.call(probe, fixture) == "insufficientPrivileges")
            for roleCall in RoleTable.layoutCalls {
                #expect(try await roleCall.call(probe, fixture) == refusal, "\(roleCall.testDescription)")
            }
            for roleCall in RoleTable.accessoryLayoutCalls {
                #expect(try await roleCall.call(probe, fixture) == refusal ?? "notFound", "\(roleCall.testDescription)")
            }
            if role == .guest {
                for roleCall in RoleTable.questionCalls { #expect(try await roleCall.call(probe, fixture) == refusal) }
                #expect(owner.view.homes == before)
            }
            #expect(try await RoleTable.identify.call(probe, fixture) == "notFound")
            #expect(try await RoleTable.diagnose.call(probe, fixture) == "notFound")
            for roleCall in RoleTable.valueCalls {
                #expect(try await roleCall.call(probe, fixture) == nil, "\(roleCall.testDescription)")
            }
            #expect(try await RoleTable.addition.call(probe, fixture) == refusal ?? "notDiscovered")
            #expect(try await RoleTable.importCall.call(probe, fixture) == refusal ?? "malformedMessage")
            for roleCall in RoleTable.listCalls + RoleTable.generalCalls {
                #expect(try await roleCall.call(probe, fixture) == nil, "\(roleCall.testDescription)")
            }
            for roleCall in RoleTable.editorCalls {
                #expect(try await roleCall.call(probe, fixture) == refusal, "\(roleCall.testDescription)")
            }
            for roleCall in [RoleTable.removal, RoleTable.confirmation] {
                #expect(
                    try await roleCall.call(probe, fixture) == "insufficientPrivileges",
                    "\(roleCall.testDescription)"
                )
            }
            #expect(owner.view.homes[fixture.home] != nil)
        }
    }

    @Test(arguments: [Role.administrator, .guest])
    func whatIsNotThereIsToldOnlyToThoseWhoMayLook(role: Role) async throws {
        try await withStage { hub, fixture, owner in
            let probe = try await member(role, of: fixture, by: owner, hub)
            for roleCall in RoleTable.layoutCalls where !RoleTable.additions.contains(roleCall.testDescription) {
                let refusal = role == .guest ? "insufficientPrivileges" : "notFound"
                #expect(try await roleCall.call(probe, fixture.empty) == refusal, "\(roleCall.testDescription)")
            }
        }
    }

    @Test func theOwnerMayDoEverything() async throws {
        try await withStage { (_, fixture, owner) async throws in
            #expect(try await RoleTable.addition.call(owner, fixture) == "notDiscovered")
            let calls =
                RoleTable.layoutCalls + RoleTable.valueCalls + RoleTable.listCalls + RoleTable.generalCalls
                + RoleTable.editorCalls
            for roleCall in [RoleTable.promotion, RoleTable.confirmation] + calls + [RoleTable.removal] {
                #expect(try await roleCall.call(owner, fixture) == nil, "\(roleCall.testDescription)")
            }
        }
    }

    @Test func aStrangerIsAnsweredAsIfThereWereNoSuchHome() async throws {
        try await withStage { hub, fixture, owner in
            let stranger = try await RecordingHubClient(to: hub, as: UUID())
            #expect(stranger.view.homes.isEmpty)
            var nowhere = fixture
            nowhere.home = UUID()
            let before = owner.view.homes
            let calls =
                RoleTable.layoutCalls + RoleTable.accessoryLayoutCalls + RoleTable.questionCalls + RoleTable.valueCalls
                + RoleTable.listCalls + [RoleTable.identify, RoleTable.diagnose, RoleTable.removal]
                + [RoleTable.confirmation, RoleTable.promotion, RoleTable.addition, RoleTable.importCall]
            for roleCall in calls {
                // Who has no home at all isn't guided through adding accessories, whatever home is named.
                guard roleCall.testDescription != HubMethods.setUpAccessories.name else {
                    #expect(try await roleCall.call(stranger, fixture) == "insufficientPrivileges")
                    #expect(try await roleCall.call(stranger, nowhere) == "insufficientPrivileges")
                    continue
                }
                #expect(try await roleCall.call(stranger, fixture) == "notFound", "\(roleCall.testDescription)")
                #expect(try await roleCall.call(stranger, nowhere) == "notFound", "\(roleCall.testDescription)")
                #expect(try await roleCall.call(owner, nowhere) == "notFound", "\(roleCall.testDescription)")
            }
            #expect(owner.view.homes == before)
            #expect(stranger.events == [.reset])
            for roleCall in RoleTable.generalCalls {
                #expect(try await roleCall.call(stranger, fixture) == nil, "\(roleCall.testDescription)")
            }
            for roleCall in RoleTable.editorCalls {
                let refusal = try await roleCall.call(stranger, fixture)
                #expect(refusal == "insufficientPrivileges", "\(roleCall.testDescription)")
            }
            #expect(owner.view.homes == before)
        }
    }

    @Test func everyMethodOfTheHubIsInTheTable() throws {
        #expect(Set(try MethodSource.callers.keys) == RoleTable.names)
    }

    @Test func atAnAppsSocketAppsHaveWhatIsForThemAndNothingElse() async throws {
        try await withPopulatedHub { hub, _ in
            let replies = AwaitableValue([Int: HubError?]())
            let session = hub.accept(as: .app("com.example.lights", on: hub)) { message in
                guard case .reply(let id, let reply) = message else { return }
                replies.change { replies in
                    if case .failure(let error) = reply.result {
                        replies[id] = .some(error)
                    } else {
                        replies[id] = .some(nil)
                    }
                }
            }
            let hello = try JSONEncoder().encode(Hello(app: "hearth", purpose: "Tests."))
            session.receive(HubRequest(id: 0, method: HubMethods.hello.name, parameters: hello))
            let callers = try MethodSource.callers.filter { $0.key != HubMethods.hello.name }.sorted { $0.key < $1.key }
            for (number, method) in callers.enumerated() {
                session.receive(HubRequest(id: number + 1, method: method.key, parameters: Data("[]".utf8)))
            }
            session.receive(HubRequest(id: -1, method: "no.such", parameters: Data("{}".utf8)))
            let all = try await replies.until { $0.count == callers.count + 2 }
            #expect(all[0] == .some(nil))
            #expect(all[-1]??.code == .unknownMethod)
            for (number, method) in callers.enumerated() {
                let isRefused = all[number + 1]??.code == .appNotAllowed
                #expect(isRefused == (method.value != "apps"), "\(method.key)")
            }
            let refused = callers.filter { $0.value != "apps" }.map(\.key)
            #expect(refused.contains("user.add") && refused.contains("accessory.diagnose") && refused.count < 70)
            session.close()
        }
    }

    @Test func atAnAppsSocketAppsCannotNameHostsAndPorts() async throws {
        try await withHub { hub in
            let app = try await RecordingHubClient(to: hub, with: .app("com.example.lights", on: hub))
            let home = try await app.call(HubMethods.addHome, AddHome(name: "My Home")).id
            let code = "482-11-957"
            let listener = try AnswerRelay(to: 9, holdingAnswerTo: "/", number: 1)
            defer { listener.stop() }
            let requests = [
                AddAccessory(home: home, host: "127.0.0.1", port: listener.port, code: code),
                AddAccessory(home: home, host: "127.0.0.1", code: code),
                AddAccessory(home: home, port: listener.port, code: code),
                AddAccessory(home: home, deviceID: "00:11:22:33:44:55", host: "127.0.0.1", port: listener.port),
            ]
            for request in requests {
                let error = await #expect(throws: HubError.self) {
                    try await app.call(HubMethods.addAccessory, request)
                }
                #expect(error?.code == .appNotAllowed)
                #expect(error?.reason.contains("hosts and ports") == true)
            }
            #expect(listener.connections == 0)
            // The app can identify the accessory by its device ID.
            let byID = AddAccessory(home: home, deviceID: "00:11:22:33:44:55", code: code)
            #expect(try await app.refusal(HubMethods.addAccessory, byID) == "notDiscovered")
            // A user's own program can specify hosts and ports.
            let person = try await RecordingHubClient(to: hub)
            #expect(try await person.refusal(HubMethods.addAccessory, requests[0]) == "notReachable")
            #expect(listener.connections > 0)
        }
    }

    @Test func whateverNamesAHostIsKnownToDoSo() throws {
        let named = try MethodSource.parametersThatNameHosts
        // A login code and a link, which follows its symbol, are replies.
        #expect(named.sorted() == ["AddAccessory", "ImportAccessory", "LoginCode", "Symbol"])
        let home = UUID()
        let (host, port) = (AddAccessory(home: home, host: "a"), AddAccessory(home: home, port: 1))
        #expect(host.namesHost && port.namesHost && !AddAccessory(home: home, deviceID: "a").namesHost)
        func importing(_ hosts: [String], _ port: Int?) -> ImportAccessory {
            let key = Data()
            return ImportAccessory(
                home: home,
                deviceID: "",
                accessoryKey: key,
                controllerID: "",
                controllerSecret: key,
                hosts: hosts,
                port: port
            )
        }
        #expect(importing(["a"], nil).namesHost && importing([], 1).namesHost && !importing([], nil).namesHost)
    }

    // MARK: Changes on open connections

    @Test func whoJoinsAHomeSeesAllOfItAndWhoLeavesNothing() async throws {
        try await withStage { hub, fixture, owner in
            let guest = try await RecordingHubClient(to: hub, as: fixture.person)
            #expect(guest.view.homes == owner.view.homes)
            let cabin = try await owner.call(HubMethods.addHome, AddHome(name: "Cabin")).id
            _ = try await owner.call(HubMethods.addRoom, InHome(cabin, AddRoom(name: "Attic")))
            #expect(guest.view.homes[cabin] == nil)

            _ = try await owner.call(HubMethods.removeUser, InHome(fixture.home, RemoveUser(fixture.person)))
            try await guest.until { $0.homes.isEmpty && $0.account.homes.isEmpty }
            #expect(guest.events == [.reset, .change, .homeGone])
            _ = try await owner.call(HubMethods.addRoom, InHome(fixture.home, AddRoom(name: "Attic")))
            #expect(
                try await guest.refusal(HubMethods.addRoom, InHome(fixture.home, AddRoom(name: "Loft"))) == "notFound"
            )
            #expect(guest.events == [.reset, .change, .homeGone])
            #expect(owner.view.account.homes.count == 2)
        }
    }

    @Test func aChangeOfRoleHoldsOnOpenConnectionsAtOnce() async throws {
        try await withStage { hub, fixture, owner in
            let guest = try await RecordingHubClient(to: hub, as: fixture.person)
            let attic = InHome(fixture.home, AddRoom(name: "Attic"))
            #expect(try await guest.refusal(HubMethods.addRoom, attic) == "insufficientPrivileges")
            let promotion = InHome(fixture.home, SetRole(.administrator, of: fixture.person))
            _ = try await owner.call(HubMethods.setRole, promotion)
            #expect(try await guest.refusal(HubMethods.addRoom, attic) == nil)
            let fall = InHome(fixture.home, SetRole(.guest, of: fixture.person))
            _ = try await owner.call(HubMethods.setRole, fall)
            let loft = InHome(fixture.home, AddRoom(name: "Loft"))
            #expect(try await guest.refusal(HubMethods.addRoom, loft) == "insufficientPrivileges")
            try await guest.until { $0.homes == owner.view.homes }
        }
    }

    @Test func whoIsGivenAPartInAHomeSeesAllOfItAtOnce() async throws {
        try await withStage { hub, fixture, owner in
            let cabin = try await owner.call(HubMethods.addHome, AddHome(name: "Cabin")).id
            _ = try await owner.call(HubMethods.addRoom, InHome(cabin, AddRoom(name: "Attic")))
            let guest = try await RecordingHubClient(to: hub, as: fixture.person)
            let part = AddHomeUser(
                home: cabin,
                name: "Somebody",
                role: .guest,
                person: ItemTarget(home: fixture.home, id: fixture.person)
            )
            _ = try await owner.call(HubMethods.addUser, part)
            try await guest.until { $0.account.homes.map(\.name) == ["Villa", "Cabin"] }
            #expect(guest.view.homes == owner.view.homes)
            #expect(guest.view.seen?.homes == owner.view.seen?.homes)
            _ = try await owner.call(HubMethods.addRoom, InHome(cabin, AddRoom(name: "Cellar")))
            try await guest.until { $0.homes[cabin]?.rooms.count == 2 }
            #expect(guest.events == [.reset, .change, .change, .change])
        }
    }

    @Test func whereTheHomeIsShowsWithTheRoleAndGoesWithIt() async throws {
        try await withStage { hub, fixture, owner in
            let place = Place(latitude: 52.52, longitude: 13.405)
            _ = try await owner.call(HubMethods.setHomePlace, InHome(fixture.home, SetHomePlace(place)))
            let person = try await RecordingHubClient(to: hub, as: fixture.person, app: "hearth")
            #expect(person.view.homes[fixture.home]?.place == nil)
            for (role, seen) in [(Role.administrator, place as Place?), (.guest, nil)] {
                _ = try await owner.call(HubMethods.setRole, InHome(fixture.home, SetRole(role, of: fixture.person)))
                try await person.until { $0.homes[fixture.home]?.place == seen }
            }
            person.close()
            let promotion = SetRole(.administrator, of: fixture.person)
            _ = try await owner.call(HubMethods.setRole, InHome(fixture.home, promotion))
            let returned = try await RecordingHubClient(to: hub, as: fixture.person, app: "hearth", after: person.view)
            #expect(returned.view.homes[fixture.home]?.place == place)
        }
    }

    @Test func whoIsGivenAPartWhileAwayLearnsNothingOfWhatWasBefore() async throws {
        try await withStage { hub, fixture, owner in
            let cabin = try await owner.call(HubMethods.addHome, AddHome(name: "Cabin")).id
            let room = try await owner.call(HubMethods.addRoom, InHome(cabin, AddRoom(name: "Secret Room"))).id
            _ = try await owner.call(HubMethods.renameRoom, InHome(cabin, RenameRoom(room, name: "Attic")))
            let guest = try await RecordingHubClient(to: hub, as: fixture.person)
            guest.close()
            let part = AddHomeUser(
                home: cabin,
                name: "Somebody",
                role: .guest,
                person: ItemTarget(home: fixture.home, id: fixture.person)
            )
            _ = try await owner.call(HubMethods.addUser, part)

            let returned = try await RecordingHubClient(to: hub, as: fixture.person, after: guest.view)
            #expect(returned.events == [.change, .change, .resumed])
            #expect(returned.view.homes == owner.view.homes)
            #expect(returned.view.seen?.homes == owner.view.seen?.homes)
            let received = try returned.changes.map { change in
                String(decoding: try WireMessage.line(.change(change)), as: UTF8.self)
            }
            #expect(received.filter { $0.contains("Secret Room") }.isEmpty)
            #expect(received.contains { $0.contains("Attic") })
        }
    }

    @Test func whoWasRemovedAndLetInAgainWhileAwayIsNotShownWhatHappenedMeanwhile() async throws {
        try await withStage { hub, fixture, owner in
            let account = await hub.account(fixture.person)
            let cabin = try await owner.call(HubMethods.addHome, AddHome(name: "Cabin")).id
            let part = AddHomeUser(
                home: cabin,
                name: "Somebody",
                role: .guest,
                person: ItemTarget(home: fixture.home, id: fixture.person)
            )
            let id = try await owner.call(HubMethods.addUser, part).id
            let cellar = try await owner.call(HubMethods.addRoom, InHome(cabin, AddRoom(name: "Cellar"))).id
            let guest = try await RecordingHubClient(to: hub, as: account)
            #expect(guest.view.homes[cabin]?.rooms.map(\.name) == ["Cellar"])
            guest.close()

            _ = try await owner.call(HubMethods.addRoom, InHome(fixture.home, AddRoom(name: "Attic")))
            _ = try await owner.call(HubMethods.removeUser, InHome(cabin, RemoveUser(id)))
            let room = try await owner.call(HubMethods.addRoom, InHome(cabin, AddRoom(name: "Secret Room"))).id
            _ = try await owner.call(HubMethods.removeRoom, InHome(cabin, RemoveRoom(cellar)))
            _ = try await owner.call(HubMethods.renameRoom, InHome(cabin, RenameRoom(room, name: "Loft")))
            _ = try await owner.call(HubMethods.addUser, part)

            let log = WireLog()
            let returned = try await RecordingHubClient(to: hub, as: account, after: guest.view, log: log)
            // The other home changes, this home is lost, and it returns in its current state.
            #expect(returned.events == [.change, .change, .homeGone, .change, .change, .resumed])
            #expect(returned.changes.map(\.change.verb) == [.roomAdded, .homeRemoved, .homeCreated, .homeAdded])
            #expect(!log.text.contains("Secret Room") && log.text.contains("Loft"))
            #expect(returned.view.homes == owner.view.homes)
            #expect(returned.view.seen?.homes == owner.view.seen?.homes)
            #expect(returned.view.homes[cabin]?.viewer == id)
            _ = try await owner.call(HubMethods.addRoom, InHome(cabin, AddRoom(name: "Porch")))
            try await returned.until { $0.homes[cabin]?.rooms.map(\.name) == ["Loft", "Porch"] }
        }
    }

    @Test func aPersonOfNoHomeOfTheCallersIsNotFound() async throws {
        try await withStage { hub, fixture, owner in
            let second = try await owner.call(HubMethods.addHome, AddHome(name: "Second")).id
            let person = AddHomeUser(home: second, name: "Other", role: .administrator)
            let other = try await RecordingHubClient(to: hub, as: try await owner.call(HubMethods.addUser, person).id)
            let home = try await other.call(HubMethods.addHome, AddHome(name: "Flat")).id
            let part = AddHomeUser(
                home: home,
                name: "Somebody",
                role: .guest,
                person: ItemTarget(home: fixture.home, id: fixture.person)
            )
            #expect(try await other.refusal(HubMethods.addUser, part) == "notFound")
        }
    }

    @Test func aGuestMayLeave() async throws {
        try await withStage { hub, fixture, owner in
            let guest = try await RecordingHubClient(to: hub, as: fixture.person)
            #expect(
                try await guest.refusal(HubMethods.removeUser, InHome(fixture.home, RemoveUser(fixture.person))) == nil
            )
            #expect(guest.view.homes.isEmpty)
            try await owner.until { $0.homes[fixture.home]?.users[id: fixture.person] == nil }
        }
    }

    @Test func theRemovalOfAHomeTakesItFromEverybody() async throws {
        try await withStage { hub, fixture, owner in
            let account = await hub.account(fixture.person)
            let guest = try await RecordingHubClient(to: hub, as: account)
            #expect(!guest.view.account.homes.isEmpty)
            _ = try await owner.call(HubMethods.removeHome, HomeTarget(home: fixture.home))
            try await guest.until { $0.homes.isEmpty && $0.account.homes.isEmpty }
            let again = try await RecordingHubClient(to: hub, as: account)
            #expect(again.view.account.homes.isEmpty)
        }
    }

    @Test func usersHaveHomesOfTheirOwnWithNamesAndAPrimaryHomeOfTheirOwn() async throws {
        try await withStage { hub, fixture, owner in
            _ = try await owner.call(
                HubMethods.setRole,
                InHome(fixture.home, SetRole(.administrator, of: fixture.person))
            )
            let guest = try await RecordingHubClient(to: hub, as: fixture.person)
            let own = try await guest.call(HubMethods.addHome, AddHome(name: "Flat")).id
            _ = try await guest.call(HubMethods.setPrimaryHome, HomeTarget(home: own))
            _ = try await guest.call(HubMethods.renameHome, RenameHome(home: fixture.home, name: "Parents"))
            #expect(guest.view.account.homes.map(\.name) == ["Parents", "Flat"])
            #expect(guest.view.account.primaryHome?.id == own)
            #expect(owner.view.account.homes.map(\.name) == ["Villa"])
            #expect(owner.view.homes[own] == nil)
            #expect(try await guest.refusal(HubMethods.addRoom, InHome(own, AddRoom(name: "Attic"))) == nil)
        }
    }

    @Test func aHomeWhoseNameTheNewcomerHasAlreadyGetsANumber() async throws {
        try await withStage { hub, fixture, owner in
            _ = try await owner.call(
                HubMethods.setRole,
                InHome(fixture.home, SetRole(.administrator, of: fixture.person))
            )
            let guest = try await RecordingHubClient(to: hub, as: fixture.person)
            _ = try await guest.call(HubMethods.addHome, AddHome(name: "Cabin"))
            let cabin = try await owner.call(HubMethods.addHome, AddHome(name: "Cabin")).id
            let part = AddHomeUser(
                home: cabin,
                name: "Somebody",
                role: .guest,
                person: ItemTarget(home: fixture.home, id: fixture.person)
            )
            _ = try await owner.call(HubMethods.addUser, part)
            try await guest.until { $0.account.homes.map(\.name) == ["Villa", "Cabin", "Cabin 2"] }
        }
    }
}
