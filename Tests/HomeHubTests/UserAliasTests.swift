import Foundation
import HAPCatalog
import HomeModel
import HubAPI
import Testing

@testable import HomeHub

/// The aliases of users that sessions see, and what sessions can do with them.
struct UserAliasTests {
    private static let clinic = LocationRegion(
        identifier: "Clinic",
        latitude: 48.0625,
        longitude: 11.5625,
        radius: 321,
        onEntry: true,
        onExit: false
    )

    /// The apps of the two users' clients: two apps, and the hub's own.
    private static let apps = ["test.probe", "test.other", "hearth"]

    private static func clients(of user: UUID?, on hub: HomeHub, _ log: WireLog) async throws -> [RecordingHubClient] {
        var clients: [RecordingHubClient] = []
        for app in apps { clients.append(try await RecordingHubClient(to: hub, as: user, app: app, log: log)) }
        return clients
    }

    @Test func nothingThatASessionIsSentHasAnAccountsIDInIt() async throws {
        try await withPopulatedHub { hub, home in
            let log = WireLog()
            let owner = try await Self.clients(of: nil, on: hub, log)
            let cabin = try await owner[0].call(HubMethods.addHome, AddHome(name: "Cabin")).id
            let part = AddHomeUser(home: home, name: "Ann", role: .administrator)
            let ann = try await owner[0].call(HubMethods.addUser, part).id
            let account = await hub.account(ann)
            let hers = try await Self.clients(of: account, on: hub, log)

            // Both users call everything that involves users.
            _ = try await owner[2].call(HubMethods.questions, Empty())
            _ = try await hers[2].call(HubMethods.questions, Empty())
            let bob = try await hers[0].call(HubMethods.addUser, AddHomeUser(home: home, name: "Bob", role: .guest)).id
            let accounts = [hub.owner.user, account, await hub.account(bob)]
            let promotion = InHome(home, SetRole(.administrator, of: bob))
            _ = try await owner[0].call(HubMethods.setRole, promotion)
            let people = Presence(.firstEntry, of: .users([ann, bob]))
            let arrival = TriggerEvent(id: UUID(), occurrence: .presence(people))
            let mine = TriggerEvent(id: UUID(), occurrence: .presence(Presence(.everyExit, of: .caller)))
            let place = TriggerEvent(id: UUID(), occurrence: .location(Self.clinic))
            let rule = EventRule(events: [arrival, mine, place], condition: .presence(people))
            let trigger = InHome(home, AddTrigger(name: "Welcome", .event(rule)))
            let id = try await hers[0].call(HubMethods.addTrigger, trigger).id
            try await owner[1].until { $0.homes[home]?.triggers[id: id] != nil }

            // Errors include reasons that users read.
            let again = AddHomeUser(home: home, name: "Ann", role: .guest, person: ItemTarget(home: home, id: ann))
            #expect(try await owner[0].refusal(HubMethods.addUser, again) == "alreadyAdded")
            for stranger in accounts + [UUID()] {
                let removal = InHome(home, RemoveUser(stranger))
                #expect(try await owner[0].refusal(HubMethods.removeUser, removal) == "notFound")
                #expect(
                    try await owner[0].refusal(HubMethods.confirmUser, InHome(home, ConfirmUser(stranger)))
                        == "notFound"
                )
            }

            // Questions and answers mention users.
            async let invited = owner[1].call(HubMethods.inviteUser, HomeTarget(home: cabin))
            let invitation = try #require(try await owner[2].until { !$0.questions.isEmpty }.questions.first)
            let answer = AnswerQuestion(id: invitation.id, answers: ["person": "Bob"])
            _ = try await owner[2].call(HubMethods.answerQuestion, answer)
            let guest = try await invited.id
            #expect(guest == owner[1].view.homes[cabin]?.users.last?.id)
            async let managed = hers[1].call(HubMethods.manageUsers, HomeTarget(home: home))
            let question = try #require(try await hers[2].until { !$0.questions.isEmpty }.questions.first)
            let roles = AnswerQuestion(id: question.id, answers: [question.fields[0].id: "guest", "invite": "Cid"])
            _ = try await hers[2].call(HubMethods.answerQuestion, roles)
            _ = try await managed

            // Full state, missed events and exported homes mention users.
            _ = try await hers[0].call(HubMethods.enterBackground, Empty())
            _ = try await owner[0].call(HubMethods.removeUser, InHome(home, RemoveUser(bob)))
            _ = try await hers[0].call(HubMethods.enterForeground, Empty())
            let previous = hers[1].view
            hers[1].close()
            _ = try await owner[0].call(HubMethods.addUser, AddHomeUser(home: home, name: "Dan", role: .guest))
            _ = try await RecordingHubClient(to: hub, as: account, app: Self.apps[1], after: previous, log: log)
            let text = try HomeExport(account: owner[0].view.account, homes: owner[0].view.homes.values).text
            let export = WriteImport(id: UUID(), offset: 0, bytes: Data(text.utf8))
            for probe in [owner[0], owner[1]] {
                _ = try await probe.call(HubMethods.writeImport, export)
                _ = try await probe.call(HubMethods.importHomes, ImportHomes(id: export.id, isDryRun: true))
            }
            _ = try await owner[0].call(HubMethods.removeUser, InHome(home, RemoveUser(ann)))
            try await hers[2].until { $0.homes[home] == nil }

            let all = await hub.database.homes.flatMap { $0.users.map(\.id) } + accounts
            let sent = (log.text + text).uppercased()
            #expect(sent.count > 10_000)
            for account in Set(all) { #expect(!sent.contains(account.uuidString)) }
            #expect(!text.contains("48.0625") && text.contains("hiddenLocation"))
        }
    }

    @Test func aPersonIsTheSameToAnAppForGoodAndAnotherToOthers() async throws {
        try await withDataFolder { folder in
            var seen: [[[UUID]]] = []
            for start in 0..<2 {
                try await withHub(at: folder) { hub in
                    let owner = try await RecordingHubClient(to: hub)
                    if start == 0 {
                        for name in ["Villa", "Hut"] {
                            _ = try await owner.call(HubMethods.addHome, AddHome(name: name))
                        }
                    }
                    let other = try await RecordingHubClient(to: hub, app: "test.other")
                    let homes = owner.view.account.homes.map(\.id)
                    seen.append(
                        [owner, other].map { probe in homes.compactMap { probe.view.homes[$0]?.viewer } }
                    )
                }
            }
            #expect(seen[0] == seen[1])
            #expect(Set(seen[0].flatMap(\.self)).count == 4)
        }
    }

    @Test func anIDOfAnotherHomeNamesNobody() async throws {
        try await withPopulatedHub { hub, villa in
            let owner = try await RecordingHubClient(to: hub)
            let ann = try await owner.call(HubMethods.addUser, AddHomeUser(home: villa, name: "Ann", role: .guest)).id
            let cabin = try await owner.call(HubMethods.addHome, AddHome(name: "Cabin")).id
            let part = AddHomeUser(home: cabin, name: "Ann", role: .guest, person: ItemTarget(home: villa, id: ann))
            let guest = try await owner.call(HubMethods.addUser, part).id
            #expect(guest != ann)
            #expect(await hub.account(guest) == hub.account(ann))
            let elsewhere = try await owner.call(HubMethods.addHome, AddHome(name: "Elsewhere")).id
            let newcomer = AddHomeUser(home: elsewhere, name: "Eve", role: .administrator)
            let eve = await hub.account(try await owner.call(HubMethods.addUser, newcomer).id)
            let before = owner.view.homes
            // The user's ID in one home identifies no user in another home or to another app.
            let other = try await RecordingHubClient(to: hub, app: "test.other")
            let account = await hub.account(ann)
            for (probe, id) in [(owner, guest), (owner, account), (other, ann), (other, account)] {
                let role = InHome(villa, SetRole(.administrator, of: id))
                #expect(try await probe.refusal(HubMethods.setRole, role) == "notFound")
                #expect(try await probe.refusal(HubMethods.removeUser, InHome(villa, RemoveUser(id))) == "notFound")
                let presence = Presence(.everyEntry, of: .users([id]))
                let rule = EventRule(events: [TriggerEvent(id: UUID(), occurrence: .presence(presence))])
                let trigger = InHome(villa, AddTrigger(name: "Welcome", .event(rule)))
                #expect(try await probe.refusal(HubMethods.addTrigger, trigger) == "notFound")
            }
            // Another user who has seen all these IDs can't add anyone to a home of their own.
            let stranger = try await RecordingHubClient(to: hub, as: eve)
            let flat = try await stranger.call(HubMethods.addHome, AddHome(name: "Flat")).id
            for home in [villa, cabin, flat] {
                for id in [ann, guest, account] {
                    let part = AddHomeUser(
                        home: flat,
                        name: "Ann",
                        role: .guest,
                        person: ItemTarget(home: home, id: id)
                    )
                    #expect(try await stranger.refusal(HubMethods.addUser, part) == "notFound")
                }
            }
            // Errors don't reveal to guests which users exist.
            let visitor = try await RecordingHubClient(to: hub, as: account)
            for id in [guest, account, UUID()] {
                let removal = InHome(villa, RemoveUser(id))
                #expect(try await visitor.refusal(HubMethods.removeUser, removal) == "insufficientPrivileges")
            }
            #expect(owner.view.homes == before)
        }
    }

    @Test func aPlaceIsShownToThePersonWhoseItIsAndOutlivesWhatOthersChange() async throws {
        try await withPopulatedHub { hub, home in
            let owner = try await RecordingHubClient(to: hub)
            let part = AddHomeUser(home: home, name: "Ann", role: .administrator)
            let ann = try await owner.call(HubMethods.addUser, part).id
            let hers = try await RecordingHubClient(to: hub, as: ann)
            let place = TriggerEvent(id: UUID(), occurrence: .location(Self.clinic))
            let trigger = InHome(home, AddTrigger(name: "Visit", .event(EventRule(events: [place]))))
            let id = try await hers.call(HubMethods.addTrigger, trigger).id
            @Sendable func events(_ view: HubState) -> [TriggerEvent] {
                guard case .event(let rule)? = view.homes[home]?.triggers[id: id]?.definition else { return [] }
                return rule.events
            }
            try await owner.until { !events($0).isEmpty }
            let hidden = HiddenLocation(onEntry: true, onExit: false, user: ann)
            #expect(events(owner.view).map(\.occurrence) == [.hiddenLocation(hidden)])
            var own = Self.clinic
            own.user = ann
            #expect(events(hers.view).map(\.occurrence) == [.location(own)])

            // The owner adds an event, and sends the others back as the owner sees them.
            let sunset = TriggerEvent(id: UUID(), occurrence: .sun(SunMoment(.sunset)))
            let edit = InHome(home, EditTrigger(id, .events(events(owner.view) + [sunset])))
            _ = try await owner.call(HubMethods.editTrigger, edit)
            try await hers.until { events($0).count == 2 }
            #expect(events(hers.view).map(\.occurrence) == [.location(own), sunset.occurrence])
            #expect(events(owner.view).map(\.occurrence) == [.hiddenLocation(hidden), sunset.occurrence])
            // The owner can't copy another user's location event to a different trigger.
            let other = InHome(home, AddTrigger(name: "Spy", .event(EventRule(events: events(owner.view)))))
            #expect(try await owner.refusal(HubMethods.addTrigger, other) == "invalidParameter")

            // After an export and import, the event is unchanged.
            let text = try HomeExport(account: owner.view.account, homes: owner.view.homes.values).text
            let export = WriteImport(id: UUID(), offset: 0, bytes: Data(text.utf8))
            _ = try await owner.call(HubMethods.writeImport, export)
            let report = try await owner.call(HubMethods.importHomes, ImportHomes(id: export.id, isDryRun: false))
            #expect(report.homes.first?.items.isEmpty == true, "\(report)")
            #expect(events(hers.view).map(\.occurrence) == [.location(own), sunset.occurrence])
        }
    }

    @Test func anAliasIsTheCodeOfThePersonAndTheAppUnderTheHomesKey() throws {
        // These values were computed with Python's `hmac`.
        let key = AliasKey(Array(0..<32))
        let home = try #require(UUID(uuidString: "11111111-2222-4333-8444-555555555555"))
        let user = try #require(UUID(uuidString: "AAAAAAAA-BBBB-4CCC-8DDD-EEEEEEEEEEEE"))
        let projection = key.projection(for: user, app: "com.example.lights", .app)
        #expect(projection.alias(of: user, in: home).uuidString == "509CBA39-162C-8F47-901C-8293A0E71120")
    }
}
