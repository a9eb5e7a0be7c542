import Foundation
import HAPCatalog
import HomeModel
import HubAPI
import Testing

/// The projection of a home for a session, as a pure function.
@Suite struct ProjectionTests {
    private static let office = LocationRegion(
        identifier: "Ben's office",
        latitude: 52.125,
        longitude: 13.375,
        radius: 150,
        onEntry: false,
        onExit: true
    )

    /// A home with a trigger that fires when the administrator leaves the office.
    private static func withOffice() throws -> (test: TestHome, trigger: UUID, event: UUID) {
        var test = TestHome()
        let event = TriggerEvent(.location(office))
        let trigger = UUID()
        let request = AddTrigger(id: trigger, name: "Dinner", .event(EventRule(events: [event])))
        let change = try test.home.decide(request, by: test.administrator, at: TestHome.time)
        test.home.apply(try #require(change))
        return (test, trigger, event.id)
    }

    private static func text(_ value: some Encodable) throws -> String {
        String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
    }

    // MARK: Aliases

    @Test func anAliasIsOnePersonsInOneHomeAndToOneApp() {
        let (ann, ben, villa, hut) = (UUID(), UUID(), UUID(), UUID())
        let lights = Projection.test(ann)
        let alias = lights.alias(of: ann, in: villa)
        // The user and the kind of the session make no difference.
        #expect(Projection.test(ben, .person).alias(of: ann, in: villa) == alias)
        let doors = Projection.test(ann, app: "com.example.doors")
        let others = [
            lights.alias(of: ben, in: villa), lights.alias(of: ann, in: hut), doors.alias(of: ann, in: villa),
            doors.alias(of: ann, in: hut), ann, ben,
        ]
        #expect(Set(others + [alias]).count == 7)
        // RFC 9562, section 5.8: version 8, variant 10.
        #expect(alias.uuidString.dropFirst(14).first == "8")
        #expect("89AB".contains(alias.uuidString.dropFirst(19).prefix(1)))
    }

    @Test func aHomeIsShownWithWhomItIsShownTo() throws {
        let test = TestHome()
        let projection = Projection.test(test.guest.user)
        let log = projection.log(test.home, at: LogCursor(lineage: UUID(), revision: 3))
        #expect(log.user == projection.alias(of: test.guest.user, in: test.home.id))
        let home = try #require(projection.state(of: test.home).homes[test.home.id])
        #expect(home.viewer == log.user)
        #expect(home.viewer.flatMap { home.users[id: $0] }?.name == "Cem")
        #expect(home.records == log.records)
        #expect(home.users.map(\.name) == ["Ann", "Ben", "Cem"])
        #expect(home.users.map(\.role) == [.owner, .administrator, .guest])
    }

    // MARK: Locations

    @Test func onlyWhoeverCanEditTheHomeSeesWhereItIs() throws {
        var test = TestHome()
        let place = Place(latitude: 52.52, longitude: 13.405)
        let change = try #require(try test.home.decide(SetHomePlace(place), by: test.owner, at: TestHome.time))
        test.home.apply(change)
        let places: [Place?] = [test.owner, test.administrator, test.guest].flatMap { caller in
            [SessionKind.person, .app].flatMap { kind in
                let projection = Projection.test(caller.user, app: "hearth", kind)
                var client = projection.state(of: test.home)
                let first = client.homes[test.home.id]?.place
                client.follow(change, in: test.home.id, by: projection, as: test.home.role(of: caller.user))
                return [first, client.homes[test.home.id]?.place]
            }
        }
        #expect(places == [place, place, nil, nil, place, place, nil, nil, nil, nil, nil, nil])
    }

    @Test func onlyThePersonWhosePlaceItIsSeesWhereItIs() throws {
        let (test, trigger, event) = try Self.withOffice()
        let sent = try [test.owner, test.administrator, test.guest].map { caller in
            let projection = Projection.test(caller.user)
            let home = try #require(projection.state(of: test.home).homes[test.home.id])
            guard case .event(let rule)? = home.triggers[id: trigger]?.definition else {
                throw HomeError(.notFound, "")
            }
            #expect(rule.events.map(\.id) == [event])
            return (rule.events.first?.occurrence, try Self.text(home.records))
        }
        let alias = Projection.test(test.owner.user).alias(of: test.administrator.user, in: test.home.id)
        var own = Self.office
        own.user = alias
        #expect(sent[1].0 == .location(own))
        for (occurrence, text) in [sent[0], sent[2]] {
            #expect(occurrence == .hiddenLocation(HiddenLocation(onEntry: false, onExit: true, user: alias)))
            for part in ["office", "52.125", "13.375", "150"] { #expect(!text.contains(part)) }
        }
    }

    @Test func whatOthersChangeLeavesAHiddenLocationAsItIs() throws {
        var (test, trigger, event) = try Self.withOffice()
        let before = test.rule(of: trigger)
        let projection = Projection.test(test.owner.user)
        let home = try #require(projection.state(of: test.home).homes[test.home.id])
        guard case .event(let rule)? = home.triggers[id: trigger]?.definition else { throw HomeError(.notFound, "") }
        // Another event joins it.
        let sunset = TriggerEvent(.sun(SunMoment(.sunset)))
        let edit = EditTrigger(trigger, .events(rule.events + [sunset]))
        try test.ask(projection.request(edit, in: test.home))
        #expect(test.rule(of: trigger).events == before.events + [sunset])
        // Sent back as received, it stays unchanged. Left out, it is removed, as an administrator may remove any event.
        let echo = EditTrigger(trigger, .events(rule.events + [sunset]))
        #expect(try test.ask(projection.request(echo, in: test.home)) == nil)
        try test.ask(EditTrigger(trigger, .events([sunset])))
        #expect(test.rule(of: trigger).events == [sunset])
        // Only the user whose location it is can add it again, or to another trigger.
        #expect(test.refusal(of: EditTrigger(trigger, .events(rule.events))) == .invalidParameter)
        let other = AddTrigger(id: UUID(), name: "Other", .event(rule))
        #expect(test.refusal(of: projection.request(other, in: test.home)) == .invalidParameter)
        let invented = TriggerEvent(id: sunset.id, occurrence: rule.events[0].occurrence)
        #expect(test.refusal(of: EditTrigger(trigger, .events([invented]))) == .invalidParameter)
        #expect(event == rule.events[0].id)
    }

    @Test func aHiddenLocationIsReadAsItIsWritten() throws {
        let (id, user) = (UUID(), UUID())
        let hidden = HiddenLocation(onEntry: true, onExit: false, user: user)
        let event = TriggerEvent(id: id, occurrence: .hiddenLocation(hidden))
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let json = try encoder.encode(event)
        let expected =
            #"{"hiddenLocation":{"onEntry":true,"onExit":false,"user":"\#(user.uuidString)"},"id":"\#(id.uuidString)"}"#
        #expect(String(decoding: json, as: UTF8.self) == expected)
        #expect(try JSONDecoder().decode(TriggerEvent.self, from: json) == event)
    }

    // MARK: Unknown records and apps

    @Test func whatThisVersionDoesNotKnowIsNotShown() throws {
        var test = TestHome()
        let secret = JSONValue.string(test.guest.user.uuidString)
        let (trigger, strange, scene) = (UUID(), UUID(), UUID())
        let event = TriggerEvent(.unknown(.object(["id": .string(UUID().uuidString), "where": secret])))
        let rule = EventRule(events: [event], condition: .not(.unknown(.object(["near": secret]))))
        let action = Action(
            id: UUID(),
            operation: .unknown(.object(["id": .string(UUID().uuidString), "for": secret]))
        )
        let unknown = Record.unknown(
            kind: RecordKind(rawValue: "note"),
            id: test.guest.user.uuidString,
            body: .object(["kind": .string("note"), "id": secret])
        )
        let change = Change(
            verb: Verb(rawValue: "noteLeft"),
            subjects: [test.guest.user, trigger, test.guest.device],
            effects: [
                .put(.trigger(TriggerRecord(id: trigger, name: "A", definition: .event(rule)))),
                .put(.trigger(TriggerRecord(id: strange, name: "B", definition: .unknown(.object(["by": secret]))))),
                .put(.actionSet(ActionSetRecord(id: scene, name: "C", actions: [action]))), .put(unknown),
                .remove(unknown.recordID), .remove(RecordID(kind: .user, id: "not a UUID")),
            ]
        )
        test.home.apply(change)
        for projection in [Projection.test(test.owner.user), .test(test.guest.user, .person)] {
            let sent = projection.change(change, in: .home(test.home.id), as: .owner)
            #expect(try !Self.text(sent).contains(test.guest.user.uuidString))
            #expect(sent.verb == change.verb)
            #expect(sent.subjects == [trigger])
            #expect(sent.effects.count == 3)
            let read = try JSONDecoder().decode(Change.self, from: try JSONEncoder().encode(sent))
            #expect(read.effects.count == 3)
            let home = try #require(projection.state(of: test.home).homes[test.home.id])
            #expect(try !Self.text(home.records).contains(test.guest.user.uuidString))
            #expect(home.triggers.map(\.name) == ["A", "B"])
            #expect(home.actionSet(scene)?.actions.map(\.id) == [action.id])
        }
    }

    @Test func anAppLearnsOfNoOtherApp() throws {
        let user = UUID()
        let apps = ["com.example.lights", "com.example.doors"].map {
            AccountAppRecord(id: $0, purpose: "To see.", isAllowed: true)
        }
        let villa = AccountHomeRecord(id: UUID(), name: "Villa", isPrimary: true, order: 1)
        let stray = Record.user(UserRecord(id: user, name: "Ann", role: .owner))
        let records = apps.map(Record.accountApp) + [.accountHome(villa), stray]
        let app = Projection.test(user)
        #expect(app.records(records, in: .account(user), as: nil) == [.accountApp(apps[0]), .accountHome(villa)])
        let person = Projection.test(user, .person)
        #expect(
            person.records(records, in: .account(user), as: nil) == apps.map(Record.accountApp) + [.accountHome(villa)]
        )
        let change = Change(
            verb: .appForgotten,
            subjects: [],
            effects: [.remove(RecordID(kind: .accountApp, id: apps[1].id)), .put(.accountApp(apps[1]))]
        )
        #expect(app.change(change, in: .account(user), as: nil).effects.isEmpty)
        #expect(person.change(change, in: .account(user), as: nil) == change)
        // Records that don't belong in a home's log aren't sent, either.
        #expect(person.records(records, in: .home(villa.id), as: .owner).map(\.kind) == [.user])
    }

    @Test func everyVerbOfTheTableIsKnown() throws {
        let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources/HomeModel/Log/Verb.swift")
        let source = try String(contentsOf: sources, encoding: .utf8)
        let verbs = source.matches(of: /package static let \w+ = Verb\(rawValue: "(\w+)"\)/).map { String($0.1) }
        #expect(verbs.count > 40 && Set(verbs) == Set(Verb.known.map(\.rawValue)))
    }

    // MARK: User IDs in requests

    /// The requests that name a user.
    private static func requests(naming user: UUID, _ trigger: UUID) -> [any HomeRequest] {
        let arrival = TriggerEvent(.presence(Presence(.everyEntry, of: .users([user]))))
        let absence = Condition.not(.any([.presence(Presence(.lastExit, of: .users([user])))]))
        let sunset = TriggerEvent(.sun(SunMoment(.sunset)))
        return [
            RemoveUser(user), SetRole(.guest, of: user), ConfirmUser(user),
            AddTrigger(id: UUID(), name: "One", .event(EventRule(events: [arrival]))),
            AddTrigger(id: UUID(), name: "Two", .event(EventRule(events: [sunset], endEvents: [arrival]))),
            AddTrigger(id: UUID(), name: "Three", .event(EventRule(events: [sunset], condition: absence))),
            EditTrigger(trigger, .events([sunset, arrival])), EditTrigger(trigger, .endEvents([arrival])),
            EditTrigger(trigger, .condition(.all([absence]))),
        ]
    }

    @Test func aPersonIsMeantByTheAliasInThatHomeAndToThatAppOnly() throws {
        let (test, trigger, _) = try Self.withOffice()
        let projection = Projection.test(test.owner.user)
        let (guest, home) = (test.guest.user, test.home.id)
        let named = Self.requests(naming: projection.alias(of: guest, in: home), trigger)
        for (request, expected) in zip(named, Self.requests(naming: guest, trigger)) {
            let resolved = projection.request(request, in: test.home)
            #expect(Self.people(in: resolved) == Self.people(in: expected) && Self.people(in: resolved) == [guest])
        }
        let unknownUsers = [
            // The account's ID, the alias in another home, the alias for another app, and an unknown ID.
            guest, projection.alias(of: guest, in: UUID()),
            Projection.test(test.owner.user, app: "com.example.doors").alias(of: guest, in: home),
            projection.alias(of: test.nonMember.user, in: home), UUID(),
        ]
        for user in unknownUsers {
            for request in Self.requests(naming: user, trigger) {
                let resolved = projection.request(request, in: test.home)
                #expect(Self.people(in: resolved).count == 1)
                #expect(test.refusal(of: resolved) == .notFound)
                // A caller who may not edit gets the same error for existing users.
                #expect(test.refusal(of: resolved, by: test.guest) == .insufficientPrivileges)
            }
        }
        // Requests that name no user pass unchanged.
        let room = AddRoom(id: UUID(), name: "Hall")
        #expect(projection.request(room, in: test.home) as? AddRoom == room)
        let disabling = EnableTrigger(trigger, false)
        #expect(projection.request(disabling, in: test.home) as? EnableTrigger == disabling)
    }

    /// The users that a request names.
    private static func people(in request: any HomeRequest) -> [UUID] {
        func people(_ events: [TriggerEvent]) -> [UUID] {
            events.flatMap { event -> [UUID] in
                guard case .presence(let presence) = event.occurrence, case .users(let users) = presence.people
                else { return [] }
                return users
            }
        }
        func people(_ condition: Condition?) -> [UUID] {
            switch condition {
            case .all(let terms), .any(let terms): terms.flatMap { people($0) }
            case .not(let term): people(term)
            case .presence(let presence): if case .users(let users) = presence.people { users } else { [] }
            default: []
            }
        }
        switch request {
        case let request as RemoveUser: return [request.id]
        case let request as SetRole: return [request.id]
        case let request as ConfirmUser: return [request.id]
        case let request as AddTrigger:
            guard case .event(let rule) = request.definition else { return [] }
            return people(rule.events) + people(rule.endEvents) + people(rule.condition)
        case let request as EditTrigger:
            switch request.edit {
            case .events(let events), .endEvents(let events): return people(events)
            case .condition(let condition): return people(condition)
            default: return []
            }
        default: return []
        }
    }

    @Test func aPlaceOfOnesOwnIsThatOfWhoeverAsks() throws {
        var test = TestHome()
        let projection = Projection.test(test.owner.user)
        var region = Self.office
        region.user = projection.alias(of: test.guest.user, in: test.home.id)
        let id = UUID()
        let request = AddTrigger(id: id, name: "A", .event(EventRule(events: [.init(.location(region))])))
        try test.ask(projection.request(request, in: test.home))
        guard case .location(let stored)? = test.rule(of: id).events.first?.occurrence else {
            throw HomeError(.notFound, "")
        }
        #expect(stored.user == test.owner.user)
    }
}
