import Foundation
import HAPCatalog
import Testing

@testable import HomeModel

/// Exports that are read again.
@Suite struct ExportReadingTests {
    private static let first = #"{"hearth":"export","version":2}"#
    private static let last = #"{"hearth":"end"}"#

    private func home() throws -> TestHome {
        var test = TestHome()
        let lamp = try test.addGadget("Lamp")
        let attic = try test.addRoom("Attic")
        let zone = try test.addZone("Up")
        try test.ask(.addRoomToZone(room: attic, zone: zone))
        try test.ask(.addServiceToGroup(test.service(10, of: lamp), group: test.addGroup("Lights")))
        let scene = try test.addActionSet("Evening", lightingUp: lamp)
        _ = try test.addTrigger("Dusk", test.switching(lamp), running: scene)
        return test
    }

    /// The number of the line that holds a text.
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
        // The last line's own line feed is not missed, nor are empty lines and those of other systems.
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

    /// Each is a line of the export with something put for something else.
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
        // A line that is there twice, and a home without its own line.
        let room = try #require(text.split(separator: "\n").first { $0.contains("Attic") })
        let twice = text.replacing("\(room)\n", with: "\(room)\n\(room)\n")
        #expect(HomeExport.refusal(of: twice)?.reason.contains("the same room") == true)
        let own = try #require(text.split(separator: "\n").first { $0.contains(#""kind":"home""#) })
        #expect(HomeExport.refusal(of: text.replacing("\(own)\n", with: ""))?.code == .exportDamaged)
    }

    /// Whatever bytes are changed: the text is read or refused, and what is read is imported or refused.
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
