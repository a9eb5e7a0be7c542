import Foundation
import HAPCatalog
import Testing

@testable import HomeModel

/// Reading exports.
@Suite struct ExportReadingTests {
    private static let first = #"{"hearth":"export","version":2}"#
    private static let last = #"{"hearth":"end"}"#

    private func home() throws -> TestHome {
        var test = TestHome()
        let lamp = try test.addGadget("Lamp")
        let attic = try test.addRoom("Attic")
        let zone = try test.addZone("Up")
        try test.ask(AddRoomToZone(room: attic, zone: zone))
        try test.ask(AddServiceToGroup(test.service(10, of: lamp), group: test.addGroup("Lights")))
        let scene = try test.addActionSet("Evening", lightingUp: lamp)
        _ = try test.addTrigger("Dusk", test.switching(lamp), running: scene)
        return test
    }

    /// Returns the number of the line that contains a text.
    private func line(_ text: String, of part: String) throws -> Int {
        try #require(text.split(separator: "\n").firstIndex { $0.contains(part) }) + 1
    }

    @Test func anExportIsReadAsTheHomeItWasMadeOf() throws {
        let test = try home()
        let exported = try HomeExport.exported(test.home)
        #expect(exported.name == "Villa" && exported.isPrimary && exported.id == test.home.id)
        #expect(Set(exported.home.records) == Set(test.home.records))
    }

    @Test func aTextOfTheFirstVersionIsReadThoughItHasNoEnd() throws {
        let text = try HomeExport.text(of: try home().home)
        let old = text.replacing(Self.first, with: Self.first.replacing("2", with: "1")).replacing(
            Self.last + "\n",
            with: ""
        )
        #expect(try HomeExport.homes(in: Data(old.utf8)).count == 1)
        #expect(HomeExport.refusal(of: String(old.dropLast(1)))?.code == .exportCutShort)
        #expect(HomeExport.refusal(of: String(old.dropLast(7)))?.code == .exportCutShort)
    }

    @Test func aTextThatWasCutAnywhereIsKnown() throws {
        let text = try HomeExport.text(of: try home().home)
        let bytes = Data(text.utf8)
        for length in stride(from: 0, to: bytes.count - Self.last.count - 1, by: 7) {
            let error = #expect(throws: HomeError.self) { try HomeExport.homes(in: bytes.prefix(length)) }
            let codes: [HomeError.Code] = [.exportCutShort, .notAnExport]
            #expect(error.map { codes.contains($0.code) } == true, "\(length): \(String(describing: error))")
        }
        // The last line feed may be missing, and empty lines and other line endings are accepted.
        #expect(HomeExport.refusal(of: String(text.dropLast())) == nil)
        #expect(HomeExport.refusal(of: text.replacing("\n", with: "\r\n\n")) == nil)
        #expect(HomeExport.refusal(of: text + Self.last)?.code == .exportDamaged)
    }

    @Test func whatIsNoExportIsSaidToBeNone() {
        for text in ["", "\n", "hello", "{}", "[]", Self.last, #"{"hearth":"export"}"#, "\u{0}\u{1}", "null"] {
            #expect(HomeExport.refusal(of: text)?.code == .notAnExport, "\(text)")
        }
        #expect(HomeExport.refusal(of: #"{"hearth":"export","version":0}"#)?.code == .notAnExport)
        let later = HomeExport.refusal(of: #"{"hearth":"export","version":3}"#)
        #expect(later?.code == .futureExport && later?.reason.contains("3") == true)
        #expect(throws: HomeError.self) { try HomeExport.homes(in: Data([0xFF, 0xFE, 0x00])) }
    }

    @Test func anExportMayHaveAsManyBytesAsTheLimitSays() {
        let frame = "\(Self.first)\n" + "\n\(Self.last)\n"
        let padding = String(repeating: " ", count: HomeLimits.exportLength - frame.utf8.count)
        let full = "\(Self.first)\(padding)\n\n\(Self.last)\n"
        #expect(full.utf8.count == HomeLimits.exportLength)
        #expect(HomeExport.refusal(of: full) == nil)
        #expect(HomeExport.refusal(of: full + "\n")?.code == .limitExceeded)
    }

    /// The time limit is many times the usual time. Only a reader with quadratic effort exceeds it.
    @Test(.timeLimit(.minutes(10)))
    func aHomeOfTenThousandAccessoriesIsReadAndImported() throws {
        var test = try home()
        let lamp = try #require(test.home.accessories.first)
        for number in 2...10_000 {
            var other = lamp
            other.id = UUID()
            other.name = "Lamp \(number)"
            other.aid = UInt64(number)
            other.information.serialNumber = "\(number)"
            test.home.put(.accessory(other))
        }
        let outcome = try test.importing(test.home)
        #expect(outcome.change == nil && outcome.unchanged >= 10_000)
    }

    /// The limit for one kind of object, and a closure that creates a home with that many.
    private struct Limited: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var limit: Int
        var record: @Sendable (_ home: Home, _ count: Int) -> Record?
    }

    private static func ids(_ count: Int) -> [UUID] { (0..<count).map { _ in UUID() } }

    private static func rule(_ home: Home, _ change: (inout EventRule) -> Void) -> Record? {
        guard var trigger = home.triggers.first, case .event(var rule) = trigger.definition else { return nil }
        change(&rule)
        trigger.definition = .event(rule)
        return .trigger(trigger)
    }

    private static let limits = [
        Limited(testDescription: "services of a group", limit: HomeLimits.servicesPerGroup) { home, count in
            guard var group = home.serviceGroups.first, let lamp = group.services.first?.accessory else { return nil }
            group.services = ids(count).map { ServiceIdentity(accessory: lamp, service: $0) }
            return .serviceGroup(group)
        },
        Limited(testDescription: "actions of a scene", limit: HomeLimits.actionsPerActionSet) { home, count in
            guard var scene = home.actionSets.last, let power = scene.actions.first?.characteristic else { return nil }
            scene.actions = ids(count).map { id in
                var characteristic = power
                characteristic.characteristic = id
                return Action(id: UUID(), operation: .write(characteristic, .bool(true)))
            }
            return .actionSet(scene)
        },
        Limited(testDescription: "events of a trigger", limit: HomeLimits.eventsPerTrigger) { home, count in
            rule(home) { rule in
                let occurrence = rule.events[0].occurrence
                rule.events = ids(count).map { TriggerEvent(id: $0, occurrence: occurrence) }
            }
        },
        Limited(testDescription: "end events of a trigger", limit: HomeLimits.eventsPerTrigger) { home, count in
            rule(home) { rule in
                rule.endEvents = ids(count).map { TriggerEvent(id: $0, occurrence: .duration(seconds: 5)) }
            }
        },
        Limited(testDescription: "terms of a condition", limit: HomeLimits.termsPerCondition) { home, count in
            rule(home) { rule in
                rule.condition = .all((1..<count).map { _ in .sun(.after, SunMoment(.sunset)) })
            }
        },
        Limited(testDescription: "services of an accessory", limit: HomeLimits.servicesPerAccessory) { home, count in
            guard var shape = home.shapes.first else { return nil }
            shape.services = (1...count).map {
                ServiceShape(iid: UInt64($0), type: HAPType.Service.switch, characteristics: [])
            }
            return .shape(shape)
        },
    ]

    @Test(arguments: limits)
    private func aThingHasAsMuchAsItsLimitAllows(limited: Limited) throws {
        let test = try home()
        func refusal(_ count: Int) throws -> HomeError? {
            var home = test.home
            home.put(try #require(limited.record(home, count)))
            return HomeExport.refusal(of: try HomeExport.text(of: home))
        }
        #expect(try refusal(limited.limit) == nil)
        let error = try refusal(limited.limit + 1)
        #expect(error?.code == .limitExceeded && error?.reason.hasPrefix("Line ") == true)
    }

    /// The limit for one kind of record, and a closure that creates a line with one.
    private static let counts: [(limit: Int, record: @Sendable (_ number: Int) -> Record)] = [
        (HomeLimits.roomsPerHome, { .room(RoomRecord(id: UUID(), name: "Room \($0)")) }),
        (HomeLimits.zonesPerHome, { .zone(ZoneRecord(id: UUID(), name: "Zone \($0)", rooms: [])) }),
        (
            HomeLimits.serviceGroupsPerHome,
            { .serviceGroup(ServiceGroupRecord(id: UUID(), name: "Group \($0)", services: [])) }
        ),
        (
            HomeLimits.actionSetsPerHome,
            { .actionSet(ActionSetRecord(id: UUID(), name: "Scene \($0)", type: .userDefined)) }
        ),
        (
            HomeLimits.usersPerHome - TestHome().home.users.count,
            { .user(UserRecord(id: UUID(), name: "Person \($0)", role: .guest)) }
        ),
    ]

    @Test func aHomeHasAsMuchAsItsLimitsAllow() throws {
        for (limit, record) in Self.counts {
            var home = TestHome().home
            for number in 0..<limit { home.put(record(number)) }
            #expect(HomeExport.refusal(of: try HomeExport.text(of: home)) == nil, "\(record(0))")
            home.put(record(limit))
            let error = HomeExport.refusal(of: try HomeExport.text(of: home))
            #expect(error?.code == .limitExceeded && error?.reason.hasPrefix("Line ") == true, "\(record(0))")
        }
    }

    /// The time limit is many times the usual time. Only a reader that compares before counting exceeds it.
    @Test(.timeLimit(.minutes(10)))
    func aTextOfHundredsOfThousandsOfRoomsIsRefusedAtTheFirstThatIsTooMany() throws {
        let home = TestHome().home
        let text = try HomeExport.text(of: home)
        var lines = text.split(separator: "\n").map(String.init)
        let end = lines.removeLast()
        let first = lines.count + 1
        for _ in 0..<220_000 {
            lines.append(
                #"{"log":"\#(home.id)","record":{"id":"\#(UUID().uuidString)","kind":"room","name":"Attic"}}"#
            )
        }
        lines.append(end)
        let error = HomeExport.refusal(of: lines.joined(separator: "\n"))
        #expect(error?.code == .limitExceeded)
        #expect(error?.reason.hasPrefix("Line \(first + HomeLimits.roomsPerHome):") == true)
    }

    @Test func allNamesThatAreThereTwiceAreToldUpToANumber() throws {
        var home = TestHome().home
        let count = NameConflicts.maximumReported + 1
        for number in 0..<count {
            for _ in 0..<2 { home.put(.room(RoomRecord(id: UUID(), name: "Room \(number)"))) }
        }
        let reason = try #require(HomeExport.refusal(of: try HomeExport.text(of: home))?.reason)
        let reported = reason.split(separator: "\n")
        #expect(reported.first == "\(count) names are taken:")
        #expect(
            reported.filter { $0.hasPrefix("Line ") && $0.contains("(line ") }.count == NameConflicts.maximumReported
        )
        #expect(reported.contains("… and 1 more."))
    }

    @Test func readingEndsWithTheTaskThatReads() async throws {
        let text = Data(try HomeExport.text(of: try home().home).utf8)
        let reading = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return #expect(throws: HomeError.self) { try HomeExport.homes(in: text) }?.code
        }
        #expect(await reading.value == .exportCutShort)
    }

    /// The cases: a line of the export, with a part replaced.
    @Test func whatContradictsItselfIsRefusedWithItsLine() throws {
        let test = try home()
        let text = try HomeExport.text(of: test.home)
        let (attic, lamp) = (try #require(test.home.rooms.first?.id), try #require(test.home.accessories.first?.id))
        let other = UUID().uuidString
        let scene = try #require(test.home.actionSetRecords.first)
        let spoilt: [(find: String, replace: String, in: String, code: HomeError.Code)] = [
            ("Attic", "Attic!", "Attic", .nameInvalidCharacter),
            ("Attic", String(repeating: "a", count: 65), "Attic", .nameTooLong),
            ("Attic", "", #""name":"Attic""#, .nameEmpty),
            ("\"Up\"", "\"Attic\"", #""name":"Up""#, .nameTaken),
            (attic.uuidString, other, #""kind":"zone""#, .exportDamaged),
            (attic.uuidString, "attic", #""kind":"room""#, .exportDamaged),
            (attic.uuidString, lamp.uuidString, #""kind":"room""#, .exportDamaged),
            (lamp.uuidString, other, #""kind":"serviceGroup""#, .exportDamaged),
            (lamp.uuidString, other, #""kind":"actionSet""#, .exportDamaged),
            (lamp.uuidString, other, #""kind":"trigger""#, .exportDamaged),
            (scene.id.uuidString, other, #""kind":"trigger""#, .exportDamaged),
            ("userDefined", "sleep", #""kind":"actionSet""#, .exportDamaged),
            (#""kind":"room""#, #""kind":"accountApp""#, #""kind":"room""#, .exportDamaged),
            ("\"log\":\"\(test.home.id)\"", "\"log\":\"nowhere\"", #""kind":"room""#, .exportDamaged),
            ("\"record\":{", "\"record\":[", #""kind":"room""#, .exportDamaged),
        ]
        for (find, replace, part, code) in spoilt {
            let number = try line(text, of: part)
            var lines = text.split(separator: "\n").map(String.init)
            lines[number - 1] = lines[number - 1].replacing(find, with: replace)
            let spoilt = lines.joined(separator: "\n")
            #expect(spoilt != text.dropLast())
            let error = HomeExport.refusal(of: spoilt)
            #expect(error?.code == code, "\(replace) in \(part): \(String(describing: error))")
            #expect(error?.reason.hasPrefix("Line ") == true, "\(String(describing: error))")
        }
        // A duplicate line, and a home without its own line.
        let room = try #require(text.split(separator: "\n").first { $0.contains("Attic") })
        let twice = text.replacing("\(room)\n", with: "\(room)\n\(room)\n")
        #expect(HomeExport.refusal(of: twice)?.reason.contains("the same room") == true)
        let own = try #require(text.split(separator: "\n").first { $0.contains(#""kind":"home""#) })
        #expect(HomeExport.refusal(of: text.replacing("\(own)\n", with: ""))?.code == .exportDamaged)
    }

    /// With any bytes changed, the text is read or rejected, and a text that is read is imported or rejected.
    @Test(arguments: 0..<20)
    func mangledTextsAreReadOrRefusedWithoutATrap(_ seed: UInt64) throws {
        var requests = RandomRequests(seed: seed)
        let test = try home()
        let text = Array(try HomeExport.text(of: test.home).utf8)
        for _ in 0..<60 {
            var bytes = text
            requests.mangle(&bytes)
            guard let homes = try? HomeExport.homes(in: Data(bytes)) else { continue }
            for exported in homes {
                var target = TestHome()
                let outcome = try? target.home.decideImport(of: exported, by: target.owner, at: TestHome.time)
                if let change = outcome?.change { target.home.apply(change) }
                HomeInvariants.expect(target.home)
            }
        }
    }
}
