import Foundation
import HAPCatalog
import HomeHub
import HomeModel
import HubAPI
import Testing

/// The permissions of roles, on a hub with clients of several users.
struct RoleTests {
    private func withStage(
        _ body: (HomeHub, RoleTable.Fixture, _ owner: RecordingHubClient) async throws -> Void
    ) async throws {
        try await withFurnishedHub { hub, home in
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
            let stage = RoleTable.Fixture(
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

    private func member(_ role: Role, of stage: RoleTable.Fixture, by owner: RecordingHubClient, _ hub: HomeHub)
        async throws
        -> RecordingHubClient
    {
        let id = try await owner.call(HubMethods.addUser, AddHomeUser(home: stage.home, name: "\(role)", role: role)).id
        return try await RecordingHubClient(to: hub, as: id)
    }

    // MARK: The table

    @Test(arguments: [Role.administrator, .guest])
    func aRoleMayDoWhatIsItsOwnAndNothingElse(role: Role) async throws {
        try await withStage { hub, stage, owner in
            let probe = try await member(role, of: stage, by: owner, hub)
            let before = owner.view.homes
            let refusal = role == .guest ? "insufficientPrivileges" : nil
            for deed in RoleTable.layoutDeeds {
                #expect(try await deed.call(probe, stage) == refusal, "\(deed.testDescription)")
            }
            for deed in RoleTable.accessoryLayoutDeeds {
                #expect(try await deed.call(probe, stage) == refusal ?? "notFound", "\(deed.testDescription)")
            }
            if role == .guest {
                for deed in RoleTable.sheets { #expect(try await deed.call(probe, stage) == refusal) }
                #expect(owner.view.homes == before)
            }
            #expect(try await RoleTable.identify.call(probe, stage) == "notFound")
            #expect(try await RoleTable.diagnose.call(probe, stage) == "notFound")
            for deed in RoleTable.uses { #expect(try await deed.call(probe, stage) == nil, "\(deed.testDescription)") }
            #expect(try await RoleTable.addition.call(probe, stage) == refusal ?? "notDiscovered")
            #expect(try await RoleTable.importation.call(probe, stage) == refusal ?? "malformedMessage")
            for deed in RoleTable.ownList + RoleTable.anyones {
                #expect(try await deed.call(probe, stage) == nil, "\(deed.testDescription)")
            }
            for deed in [RoleTable.removal, RoleTable.confirmation] {
                #expect(try await deed.call(probe, stage) == "insufficientPrivileges", "\(deed.testDescription)")
            }
            #expect(owner.view.homes[stage.home] != nil)
        }
    }

    @Test(arguments: [Role.administrator, .guest])
    func whatIsNotThereIsToldOnlyToThoseWhoMayLook(role: Role) async throws {
        try await withStage { hub, stage, owner in
            let probe = try await member(role, of: stage, by: owner, hub)
            for deed in RoleTable.layoutDeeds where !RoleTable.additions.contains(deed.testDescription) {
                let refusal = role == .guest ? "insufficientPrivileges" : "notFound"
                #expect(try await deed.call(probe, stage.empty) == refusal, "\(deed.testDescription)")
            }
        }
    }

    @Test func theOwnerMayDoEverything() async throws {
        try await withStage { (_, stage, owner) async throws in
            #expect(try await RoleTable.addition.call(owner, stage) == "notDiscovered")
            let deeds = RoleTable.layoutDeeds + RoleTable.uses + RoleTable.ownList + RoleTable.anyones
            for deed in [RoleTable.confirmation] + deeds + [RoleTable.removal] {
                #expect(try await deed.call(owner, stage) == nil, "\(deed.testDescription)")
            }
        }
    }

    @Test func aStrangerIsAnsweredAsIfThereWereNoSuchHome() async throws {
        try await withStage { hub, stage, owner in
            let stranger = try await RecordingHubClient(to: hub, as: UUID())
            #expect(stranger.view.homes.isEmpty)
            var nowhere = stage
            nowhere.home = UUID()
            let before = owner.view.homes
            let deeds =
                RoleTable.layoutDeeds + RoleTable.accessoryLayoutDeeds + RoleTable.sheets + RoleTable.uses
                + RoleTable.ownList + [RoleTable.identify, RoleTable.diagnose, RoleTable.removal]
                + [RoleTable.confirmation, RoleTable.addition, RoleTable.importation]
            for deed in deeds {
                #expect(try await deed.call(stranger, stage) == "notFound", "\(deed.testDescription)")
                #expect(try await deed.call(stranger, nowhere) == "notFound", "\(deed.testDescription)")
                #expect(try await deed.call(owner, nowhere) == "notFound", "\(deed.testDescription)")
            }
            #expect(owner.view.homes == before)
            #expect(stranger.events == [.reset])
            for deed in RoleTable.anyones {
                #expect(try await deed.call(stranger, stage) == nil, "\(deed.testDescription)")
            }
            #expect(owner.view.homes == before)
        }
    }

    @Test func everyMethodOfTheHubIsInTheTable() throws {
        #expect(Set(try MethodSource.callers.keys) == RoleTable.names)
    }

    @Test func atAnAppsSocketAppsHaveWhatIsForThemAndNothingElse() async throws {
        try await withFurnishedHub { hub, _ in
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
                #expect(isRefused == (method.value == "people"), "\(method.key)")
            }
            let refused = callers.filter { $0.value == "people" }.map(\.key)
            #expect(refused.contains("user.add") && refused.contains("accessory.diagnose") && refused.count < 30)
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
        #expect(named.sorted() == ["AddAccessory", "ImportAccessory"])
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
        try await withStage { hub, stage, owner in
            let guest = try await RecordingHubClient(to: hub, as: stage.person)
            #expect(guest.view.homes == owner.view.homes)
            let cabin = try await owner.call(HubMethods.addHome, AddHome(name: "Cabin")).id
            _ = try await owner.call(HubMethods.addRoom, InHome(cabin, AddRoom(name: "Attic")))
            #expect(guest.view.homes[cabin] == nil)

            _ = try await owner.call(HubMethods.removeUser, InHome(stage.home, RemoveUser(stage.person)))
            try await guest.until { $0.homes.isEmpty && $0.account.homes.isEmpty }
            #expect(guest.events == [.reset, .change, .homeGone])
            _ = try await owner.call(HubMethods.addRoom, InHome(stage.home, AddRoom(name: "Attic")))
            #expect(
                try await guest.refusal(HubMethods.addRoom, InHome(stage.home, AddRoom(name: "Loft"))) == "notFound"
            )
            #expect(guest.events == [.reset, .change, .homeGone])
            #expect(owner.view.account.homes.count == 2)
        }
    }

    @Test func aChangeOfRoleHoldsOnOpenConnectionsAtOnce() async throws {
        try await withStage { hub, stage, owner in
            let guest = try await RecordingHubClient(to: hub, as: stage.person)
            let attic = InHome(stage.home, AddRoom(name: "Attic"))
            #expect(try await guest.refusal(HubMethods.addRoom, attic) == "insufficientPrivileges")
            let promotion = InHome(stage.home, SetRole(.administrator, of: stage.person))
            _ = try await owner.call(HubMethods.setRole, promotion)
            #expect(try await guest.refusal(HubMethods.addRoom, attic) == nil)
            let fall = InHome(stage.home, SetRole(.guest, of: stage.person))
            _ = try await owner.call(HubMethods.setRole, fall)
            let loft = InHome(stage.home, AddRoom(name: "Loft"))
            #expect(try await guest.refusal(HubMethods.addRoom, loft) == "insufficientPrivileges")
            try await guest.until { $0.homes == owner.view.homes }
        }
    }

    @Test func whoIsGivenAPartInAHomeSeesAllOfItAtOnce() async throws {
        try await withStage { hub, stage, owner in
            let cabin = try await owner.call(HubMethods.addHome, AddHome(name: "Cabin")).id
            _ = try await owner.call(HubMethods.addRoom, InHome(cabin, AddRoom(name: "Attic")))
            let guest = try await RecordingHubClient(to: hub, as: stage.person)
            let part = AddHomeUser(
                home: cabin,
                name: "Somebody",
                role: .guest,
                person: ItemTarget(home: stage.home, id: stage.person)
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

    @Test func whoIsGivenAPartWhileAwayLearnsNothingOfWhatWasBefore() async throws {
        try await withStage { hub, stage, owner in
            let cabin = try await owner.call(HubMethods.addHome, AddHome(name: "Cabin")).id
            let room = try await owner.call(HubMethods.addRoom, InHome(cabin, AddRoom(name: "Secret Room"))).id
            _ = try await owner.call(HubMethods.renameRoom, InHome(cabin, RenameRoom(room, name: "Attic")))
            let guest = try await RecordingHubClient(to: hub, as: stage.person)
            guest.close()
            let part = AddHomeUser(
                home: cabin,
                name: "Somebody",
                role: .guest,
                person: ItemTarget(home: stage.home, id: stage.person)
            )
            _ = try await owner.call(HubMethods.addUser, part)

            let returned = try await RecordingHubClient(to: hub, as: stage.person, after: guest.view)
            #expect(returned.events == [.change, .change, .resumed])
            #expect(returned.view.homes == owner.view.homes)
            #expect(returned.view.seen?.homes == owner.view.seen?.homes)
            let told = try returned.changes.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) }
            #expect(told.filter { $0.contains("Secret Room") }.isEmpty)
            #expect(told.contains { $0.contains("Attic") })
        }
    }

    @Test func whoWasRemovedAndLetInAgainWhileAwayIsNotShownWhatHappenedMeanwhile() async throws {
        try await withStage { hub, stage, owner in
            let account = await hub.account(stage.person)
            let cabin = try await owner.call(HubMethods.addHome, AddHome(name: "Cabin")).id
            let part = AddHomeUser(
                home: cabin,
                name: "Somebody",
                role: .guest,
                person: ItemTarget(home: stage.home, id: stage.person)
            )
            let id = try await owner.call(HubMethods.addUser, part).id
            let cellar = try await owner.call(HubMethods.addRoom, InHome(cabin, AddRoom(name: "Cellar"))).id
            let guest = try await RecordingHubClient(to: hub, as: account)
            #expect(guest.view.homes[cabin]?.rooms.map(\.name) == ["Cellar"])
            guest.close()

            _ = try await owner.call(HubMethods.addRoom, InHome(stage.home, AddRoom(name: "Attic")))
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
        try await withStage { hub, stage, owner in
            let other = try await RecordingHubClient(to: hub, as: UUID())
            let home = try await other.call(HubMethods.addHome, AddHome(name: "Flat")).id
            let part = AddHomeUser(
                home: home,
                name: "Somebody",
                role: .guest,
                person: ItemTarget(home: stage.home, id: stage.person)
            )
            #expect(try await other.refusal(HubMethods.addUser, part) == "notFound")
        }
    }

    @Test func aGuestMayLeave() async throws {
        try await withStage { hub, stage, owner in
            let guest = try await RecordingHubClient(to: hub, as: stage.person)
            #expect(try await guest.refusal(HubMethods.removeUser, InHome(stage.home, RemoveUser(stage.person))) == nil)
            #expect(guest.view.homes.isEmpty)
            try await owner.until { $0.homes[stage.home]?.users[id: stage.person] == nil }
        }
    }

    @Test func theRemovalOfAHomeTakesItFromEverybody() async throws {
        try await withStage { hub, stage, owner in
            let account = await hub.account(stage.person)
            let guest = try await RecordingHubClient(to: hub, as: account)
            #expect(!guest.view.account.homes.isEmpty)
            _ = try await owner.call(HubMethods.removeHome, HomeTarget(home: stage.home))
            try await guest.until { $0.homes.isEmpty && $0.account.homes.isEmpty }
            let again = try await RecordingHubClient(to: hub, as: account)
            #expect(again.view.account.homes.isEmpty)
        }
    }

    @Test func usersHaveHomesOfTheirOwnWithNamesAndAPrimaryHomeOfTheirOwn() async throws {
        try await withStage { hub, stage, owner in
            let guest = try await RecordingHubClient(to: hub, as: stage.person)
            let own = try await guest.call(HubMethods.addHome, AddHome(name: "Flat")).id
            _ = try await guest.call(HubMethods.setPrimaryHome, HomeTarget(home: own))
            _ = try await guest.call(HubMethods.renameHome, RenameHome(home: stage.home, name: "Parents"))
            #expect(guest.view.account.homes.map(\.name) == ["Parents", "Flat"])
            #expect(guest.view.account.primaryHome?.id == own)
            #expect(owner.view.account.homes.map(\.name) == ["Villa"])
            #expect(owner.view.homes[own] == nil)
            #expect(try await guest.refusal(HubMethods.addRoom, InHome(own, AddRoom(name: "Attic"))) == nil)
        }
    }

    @Test func aHomeWhoseNameTheNewcomerHasAlreadyGetsANumber() async throws {
        try await withStage { hub, stage, owner in
            let guest = try await RecordingHubClient(to: hub, as: stage.person)
            _ = try await guest.call(HubMethods.addHome, AddHome(name: "Cabin"))
            let cabin = try await owner.call(HubMethods.addHome, AddHome(name: "Cabin")).id
            let part = AddHomeUser(
                home: cabin,
                name: "Somebody",
                role: .guest,
                person: ItemTarget(home: stage.home, id: stage.person)
            )
            _ = try await owner.call(HubMethods.addUser, part)
            try await guest.until { $0.account.homes.map(\.name) == ["Villa", "Cabin", "Cabin 2"] }
        }
    }
}
