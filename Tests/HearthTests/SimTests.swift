import Foundation
import PeerProcess
import Testing

/// `hearth sim`: inspects and changes a running simulator from other processes. Serialized, because simulators that
/// start at the same time with accessories of the same name wait for each other.
@Suite(.serialized)
struct SimTests {
    /// A line of `hearth sim watch`.
    private struct Event: Decodable, Sendable {
        var event: String
        var accessory: String?
        var characteristic: String?
        var controller: String?
    }

    private static let lampID = "3C:5A:B4:77:01:01"

    private func withLamp(_ body: (Fixture, String) async throws -> Void) async throws {
        try await Fixture.with { fixture in
            let lamp = try await fixture.startLamp(Self.lampID)
            try await body(fixture, fixture.folder.appending(path: "lamp").path)
            #expect(await lamp.terminate() == 0)
        }
    }

    @Test func theControlIsForItsOwnerOnlyAndGoneWithTheSimulator() async throws {
        try await Fixture.with { fixture in
            let lamp = try await fixture.startLamp(Self.lampID)
            let folder = fixture.folder.appending(path: "lamp/.control").path
            let files = FileManager.default
            func mode(_ path: String) throws -> Int? {
                try files.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            }
            #expect(try mode(folder) == 0o700)
            #expect(try mode(folder + "/socket") == 0o600)
            #expect(await lamp.terminate() == 0)
            #expect(!files.fileExists(atPath: folder + "/socket"))
            let gone = try await fixture.run("sim", "list", "--data", fixture.folder.appending(path: "lamp").path)
            #expect(gone.status == 1)
            #expect(gone.error.contains("noSimulator"), "\(gone.error)")
        }
    }

    @Test func valuesAreSetAndReadByHand() async throws {
        try await withLamp { fixture, data in
            #expect(try await fixture.run("sim", "set", "Lamp", "On", "on", "--data", data).status == 0)
            #expect(try await fixture.run("sim", "get", "Lamp", "On", "--data", data).output == "on\n")
            let wrong = try await fixture.run("sim", "set", "Lamp", "On", "maybe", "--data", data)
            #expect(wrong.status == 1)
            #expect(wrong.error.contains("invalidValueType"), "\(wrong.error)")
            let unknown = try await fixture.run("sim", "set", "Lamp", "Brightness", "3", "--data", data)
            #expect(unknown.error.contains("notFound"), "\(unknown.error)")
            let range = #"{"min": -10, "max": 10, "value": 0}"#
            let added = [
                "sim", "characteristic", "add", "Lamp", "Lightbulb", "CurrentTemperature", range, "--data", data,
            ]
            #expect(try await fixture.run(added).status == 0)
            #expect(
                try await fixture.run("sim", "set", "Lamp", "CurrentTemperature", "-4.5", "--data", data).status == 0
            )
            #expect(
                try await fixture.run("sim", "get", "Lamp", "CurrentTemperature", "--data", data).output == "-4.5 °C\n"
            )
            let cold = try await fixture.run("sim", "set", "Lamp", "CurrentTemperature", "-11", "--data", data)
            #expect(
                cold.error == "error: invalidValue: LAMP-1/Lightbulb/CurrentTemperature: -11 is below the minimum -10\n"
            )
            #expect(
                try await fixture.run("sim", "get", "Lamp", "CurrentTemperature", "--data", data).output == "-4.5 °C\n"
            )
            let list = try await fixture.run("sim", "list", "--data", data).output
            #expect(list.contains(Self.lampID) && list.contains(Fixture.lampCode), "\(list)")
            let shown = try await fixture.run("sim", "show", "LAMP-1", "--data", data).output
            #expect(shown.contains("On") && shown.contains("iid 1"), "\(shown)")
        }
    }

    @Test func aWatcherSeesWhatAHandDoes() async throws {
        try await withLamp { fixture, data in
            let watch = try PeerProcess(Programs.hearth, ["sim", "watch", "--data", data, "--json"])
            _ = try await watch.json(Event.self, "the watching") { $0.event == "watching" }
            #expect(try await fixture.run("sim", "set", "Lamp", "On", "on", "--data", data).status == 0)
            let event = try await watch.json(Event.self, "the change") { $0.event == "value" }
            #expect(event.accessory == "Lamp" && event.characteristic == "On" && event.controller == nil)
            await watch.terminate()
        }
    }

    /// The output of a third-party QR code reader.
    private struct Reading: Decodable, Sendable {
        var texts: [String]
    }

    /// Returns the texts that a camera finds in a drawing with half blocks.
    ///
    /// - Parameter isOnDark: Whether it is drawn in a light color on a dark background, instead of its own colors.
    private func texts(drawn: some StringProtocol, isOnDark: Bool = false) async throws -> [String] {
        let (upper, lower, dark) = (Set("▀█"), Set("▄█"), isOnDark ? ["0", "1"] : ["1", "0"])
        let lines = drawn.split(whereSeparator: \.isNewline).map { line in
            line.replacing("\u{1B}[30;107m", with: "").replacing("\u{1B}[0m", with: "")
        }
        #expect(lines.map(\.count) == Array(repeating: 33, count: 17))
        let rows = lines.flatMap { line in
            [upper, lower].map { half in line.map { half.contains($0) ? dark[0] : dark[1] }.joined() }
        }
        let reader = try PeerPython.start("qr_reader.py")
        try reader.send(String(decoding: JSONEncoder().encode(rows), as: UTF8.self))
        let reading = try await reader.json(Reading.self, "the reading") { _ in true }
        await reader.terminate()
        return reading.texts
    }

    @Test func aCameraReadsThePayloadFromWhatIsDrawn() async throws {
        try await withLamp { fixture, data in
            let plain = try await fixture.run("sim", "code", "Lamp", "--data", data).output
            let payload = try #require(plain.split(whereSeparator: \.isWhitespace).last)
            #expect(plain == "\(Fixture.lampCode)  \(payload)\n")
            let cases = [
                ("TERM=xterm NO_COLOR=", hasColours: true, isOnDark: false),
                ("TERM=xterm NO_COLOR=1", hasColours: false, isOnDark: true),
                ("TERM=dumb NO_COLOR=", hasColours: false, isOnDark: true),
                ("TERM=xterm NO_COLOR=1 COLORFGBG='0;15'", hasColours: false, isOnDark: false),
            ]
            for (variables, hasColours, isOnDark) in cases {
                let script = "\(variables) exec '\(Programs.hearth.path)' sim code Lamp --qr --data '\(data)'"
                let drawn = try await fixture.run(["-c", script], of: URL(filePath: "/bin/sh")).output
                #expect(drawn.hasPrefix(plain) && drawn.contains("\u{1B}[30;107m") == hasColours, "\(variables)")
                let found = try await texts(drawn: drawn.dropFirst(plain.count), isOnDark: isOnDark)
                #expect(found == [String(payload)], "\(variables)")
            }
            #expect(try await fixture.run("sim", "code", "Lamp", "--qr", "--json", "--data", data).status == 2)
        }
    }

    @Test func aTerminalShowsTheCodeOfASingleNewAccessoryIfItIsWideEnough() async throws {
        try await Fixture.with { fixture in
            let lamp = try await fixture.startLamp(Self.lampID)
            #expect(await lamp.terminate() == 0)
            let dataFolder = fixture.folder.appending(path: "lamp").path
            let more = "--data '\(dataFolder)' --bind 127.0.0.1 --mdns-interface 127.0.0.1"
            func terminal(_ columns: Int, _ arguments: String) throws -> PeerProcess {
                let program = "TERM=xterm NO_COLOR= exec '\(Programs.hearth.path)'"
                let command = "stty cols \(columns); \(program) simulator \(arguments) \(more)"
                return try PeerProcess(
                    URL(filePath: "/usr/bin/script"),
                    ["--quiet", "--return", "--command", command, "/dev/null"]
                )
            }
            let wide = try terminal(33, "'\(dataFolder).json'")
            _ = try await wide.line("the code") { $0.contains(Fixture.lampCode) }
            var drawn: [String] = []
            while drawn.count < 17 {
                drawn.append(try await wide.line("the drawing") { $0.contains("\u{1B}[30;107m") })
            }
            #expect(try await texts(drawn: drawn.joined(separator: "\n")).count == 1)
            await wide.terminate()
            let narrow = try terminal(32, "'\(dataFolder).json'")
            _ = try await narrow.line("a word on it") { $0.contains("33 columns; the terminal has 32.") }
            await narrow.terminate()
            let two = try terminal(80, "'\(dataFolder).json' --library thermostat")
            _ = try await two.line("a word on several") { $0.contains("hearth sim code NAME --data \(dataFolder)") }
            await two.terminate()
            #expect(!(narrow.transcript + two.transcript).contains("█"))
        }
    }

    @Test func aFaultIsPutInListedAndPutRight() async throws {
        try await withLamp { fixture, data in
            func sim(_ words: String...) async throws -> Fixture.Outcome {
                try await fixture.run(["sim"] + words + ["--data", data])
            }
            #expect(try await sim("fault", "list").output.isEmpty)
            #expect(try await sim("fault", "Lamp", "latency 200ms jitter 50ms").status == 0)
            #expect(try await sim("fault", "Lamp/On", "value true").status == 0)
            #expect(try await sim("get", "Lamp", "On").output == "on\n")
            let list = try await sim("fault", "list").output
            #expect(
                list.split(separator: "\n") == [
                    "Lamp               latency 200ms jitter 50ms", "Lamp/Lightbulb/On  value true",
                ],
                "\(list)"
            )
            #expect(try await sim("fault", "Lamp/Lightbulb/On", "--clear").status == 0)
            #expect(try await sim("get", "Lamp", "On").output == "off\n")
            #expect(try await sim("fault", "list", "LAMP-1").output == "Lamp  latency 200ms jitter 50ms\n")
            let second = try await sim("fault", "Lamp", "latency 1s")
            #expect(second.status == 1)
            #expect(second.error.contains("invalidFault: "), "\(second.error)")
            #expect(try await sim("fault", "--clear").status == 0)
            #expect(try await sim("fault", "list").output.isEmpty)
            let momentary = try await sim("fault", "Lamp", "configuration-changed", "--json")
            #expect(momentary.status == 0 && !momentary.output.contains("\"id\""), "\(momentary)")
            #expect(try await sim("list", "--json").output.contains(#""configurationNumber":2"#))
            for words in [["Lamp"], ["Lamp", "drop", "--clear"], ["Lamp//On", "drop"], ["a/b/c/d", "drop"], []] {
                let usage = try await fixture.run(["sim", "fault"] + words + ["--data", data])
                #expect(usage.status == 2, "\(words): \(usage)")
            }
        }
    }

    @Test func aFaultIsSeenByAHub() async throws {
        try await Fixture.with { fixture in
            let hub = try await fixture.startHub()
            let id = Fixture.newDeviceID()
            let lamp = try await fixture.startLamp(id)
            let data = fixture.folder.appending(path: "lamp").path
            #expect(try await fixture.run("home", "add", "My Home").status == 0)
            #expect(try await fixture.add(id, "--code", Fixture.lampCode).status == 0)
            #expect(try await fixture.run("set", "Lamp", "On", "on").status == 0)
            let fault = try await fixture.run("sim", "fault", "Lamp/On", "status -70402 write", "--data", data)
            #expect(fault.status == 0, "\(fault)")
            #expect(try await fixture.run("set", "Lamp", "On", "off").status == 1)
            #expect(try await fixture.run("sim", "get", "Lamp", "On", "--data", data).output == "on\n")
            #expect(try await fixture.run("sim", "fault", "--clear", "--data", data).status == 0)
            let written = try await fixture.run("set", "Lamp", "On", "off")
            #expect(written.status == 0, "\(written)")
            #expect(await lamp.terminate() == 0)
            #expect(await hub.terminate() == 0)
        }
    }

    @Test func aCommandThatNamesNoSimulatorSaysHow() async throws {
        try await Fixture.with { fixture in
            let nowhere = try await fixture.run("sim", "list")
            #expect(nowhere.status == 1)
            #expect(nowhere.error.contains("noSimulator") && nowhere.error.contains("--data"), "\(nowhere.error)")
        }
    }

    @Test func aHubSeesAServiceThatIsAddedAndTheAccessoryStaysPaired() async throws {
        try await Fixture.with { fixture in
            let hub = try await fixture.startHub()
            let id = (0..<6).map { _ in String(format: "%02X", UInt8.random(in: 0...255)) }.joined(separator: ":")
            let lamp = try await fixture.startLamp(id)
            let data = fixture.folder.appending(path: "lamp").path
            #expect(try await fixture.run("home", "add", "My Home").status == 0)
            let added = try await fixture.add(id, "--code", Fixture.lampCode)
            #expect(added.status == 0, "\(added)")
            let edit = try await fixture.run("sim", "service", "add", "Lamp", "MotionSensor", "--data", data)
            #expect(edit.status == 0, "\(edit)")
            #expect(try await fixture.run("sim", "set", "Lamp", "MotionDetected", "on", "--data", data).status == 0)
            // The hub receives the new configuration number by multicast DNS.
            let seen = try await Wait.value(where: { $0.status == 0 }) {
                try await fixture.run("get", "Lamp", "MotionDetected")
            }
            #expect(seen.output == "detected\n", "\(seen)")
            // A watcher of the simulator sees an app's write.
            let watch = try PeerProcess(Programs.hearth, ["sim", "watch", "--data", data, "--json"])
            _ = try await watch.json(Event.self, "the watching") { $0.event == "watching" }
            #expect(try await fixture.run("set", "Lamp", "On", "on").status == 0)
            let event = try await watch.json(Event.self, "the app's change") { $0.characteristic == "On" }
            #expect(event.controller != nil)
            await watch.terminate()
            #expect(await lamp.terminate() == 0)
            #expect(await hub.terminate() == 0)
        }
    }

    /// The output of a third-party browser.
    private struct BrowseResult: Decodable, Sendable {
        var event: String
        var name: String?
        var txt: [String: String?]?
    }

    @Test func anAccessoryThatIsRenamedIsAdvertisedByItsNewNameAndStaysWithItsHub() async throws {
        try await Fixture.with { fixture in
            let browser = try PeerPython.start("zeroconf_browse.py", ["_hap._tcp"])
            _ = try await browser.json(BrowseResult.self, "the browser") { $0.event == "ready" }
            let hub = try await fixture.startHub()
            let id = Fixture.newDeviceID()
            let lamp = try await fixture.startLamp(id)
            let data = fixture.folder.appending(path: "lamp").path
            #expect(try await fixture.run("home", "add", "My Home").status == 0)
            #expect(try await fixture.add(id, "--code", Fixture.lampCode).status == 0)
            let former = try await browser.json(BrowseResult.self, "the lamp") { $0.txt?["id"] == id }.name
            let name = "Floor Lamp \(id.replacing(":", with: ""))"
            let edit = try await fixture.run("sim", "edit", "Lamp", "--name", name, "--data", data)
            #expect(edit.status == 0, "\(edit)")
            _ = try await browser.json(BrowseResult.self, "the goodbye") { $0.event == "remove" && $0.name == former }
            let latter = try await browser.json(BrowseResult.self, "the new name") {
                $0.event == "add" && $0.name == name
            }
            #expect(latter.txt?["id"] == id && latter.txt?["c#"] == "2" && latter.txt?["sf"] == "0")
            // The home keeps the name that the accessory had when it was added.
            let written = try await fixture.run("set", "Lamp", "On", "on")
            #expect(written.status == 0, "\(written)")
            #expect(try await fixture.run("sim", "get", name, "On", "--data", data).output == "on\n")
            #expect(await lamp.terminate() == 0)
            _ = try await browser.json(BrowseResult.self, "the last goodbye") {
                $0.event == "remove" && $0.name == name
            }
            #expect(await hub.terminate() == 0)
            await browser.terminate()
        }
    }

    @Test func editsAreThereAgainAfterAKillAndWithoutTheFile() async throws {
        try await Fixture.with { fixture in
            let lamp = try await fixture.startLamp(Self.lampID)
            let data = fixture.folder.appending(path: "lamp").path
            let fan = #"{"format": 1, "name": "Fan", "serialNumber": "FAN-1", "category": "Fan", "services": []}"#
            let file = fixture.folder.appending(path: "fan.json")
            try Data(fan.utf8).write(to: file)
            let commands = [
                ["edit", "Lamp", "--name", "Floor Lamp", "--setup-code", "314-15-926"],
                ["characteristic", "add", "Floor Lamp", "Lightbulb", "Brightness", #"{"max": 50, "value": 20}"#],
                ["add", file.path],
                ["service", "add", "Fan", "Fan", "--name", "Blades", "--with", "RotationSpeed=30"],
                ["characteristic", "edit", "Fan", "Fan", "RotationSpeed", #"{"step": 10}"#],
            ]
            for command in commands {
                let outcome = try await fixture.run(["sim"] + command + ["--data", data])
                #expect(outcome.status == 0, "\(command): \(outcome.error)")
            }
            let exported = try await fixture.run("sim", "export", "Fan", "--data", data).output
            lamp.kill(SIGKILL)
            await lamp.exit()

            let again = try PeerProcess(
                Programs.hearth,
                ["simulator", "--data", data, "--bind", "127.0.0.1", "--mdns-interface", "127.0.0.1", "--json"]
            )
            _ = try await again.json(Fixture.Line.self, "the fan") { $0.name == "Fan" }
            _ = try await again.json(Fixture.Line.self, "the lamp") { $0.name == "Floor Lamp" }
            let list = try await fixture.run("sim", "list", "--data", data).output
            #expect(list.contains(Self.lampID) && list.contains("314-15-926"), "\(list)")
            #expect(try await fixture.run("sim", "export", "Fan", "--data", data).output == exported)
            let shown = try await fixture.run("sim", "get", "Floor Lamp", "Brightness", "--data", data)
            #expect(shown.output == "20 %\n", "\(shown)")
            let second = try await fixture.run("simulator", "--data", data, "--bind", "127.0.0.1")
            #expect(second.status == 1)
            #expect(second.error.contains("storageLocked"), "\(second.error)")
            #expect(await again.terminate() == 0)
        }
    }

    /// The accessory information in the output of `hearth sim show`.
    private struct Shown: Decodable {
        struct Service: Decodable {
            var key: String
            var iid: UInt64
        }
        var aid: UInt64?
        var services: [Service]
    }

    @Test func aBridgeThatIsChangedByCommandsCountsUpAndKeepsItsIds() async throws {
        try await withLamp { fixture, data in
            func sim(_ words: String...) async throws -> String {
                let outcome = try await fixture.run(["sim"] + words + ["--data", data])
                #expect(outcome.status == 0, "\(words): \(outcome.error)")
                return outcome.output
            }
            func file(_ name: String, _ members: String) throws -> String {
                let file = fixture.folder.appending(path: "\(name).json")
                let text = #"{"format": 1, "name": "\#(name)", "serialNumber": "\#(name)-1", \#(members)}"#
                try Data(text.utf8).write(to: file)
                return file.path
            }
            func ids(_ name: String) async throws -> [String: UInt64] {
                let json = try await sim("show", name, "--json")
                let shown = try JSONDecoder().decode(Shown.self, from: Data(json.utf8))
                let services = shown.services.map { ($0.key, $0.iid) }
                return Dictionary(uniqueKeysWithValues: [("aid", shown.aid ?? 0)] + services)
            }
            func counts(_ number: Int) async throws -> Bool {
                try await sim("list", "--json").contains(#""configurationNumber":\#(number),"#)
            }
            _ = try await sim("add", try file("Bridge", #""accessories": []"#))
            let members = #""category": "Lightbulb", "services": [{"type": "Lightbulb"}]"#
            let (one, two) = (try file("One", members), try file("Two", members))
            _ = try await sim("add", one, two, "--bridge", "Bridge")
            #expect(try await counts(3))
            let (first, second) = (try await ids("One"), try await ids("Two"))
            #expect(first["aid"] == 2 && second["aid"] == 3)
            _ = try await sim("service", "add", "Two", "MotionSensor")
            _ = try await sim("remove", "One")
            #expect(try await counts(5))
            #expect(try await !sim("list").contains("One"))
            let later = try await ids("Two")
            #expect(later.merging(second) { $1 } == later && later["MotionSensor"] != nil)
            // A restored object gets its previous instance ID. A new object never gets one that another had.
            _ = try await sim("add", try file("Three", members), one, "--bridge", "Bridge")
            #expect(try await ids("Three")["aid"] == 4)
            #expect(try await ids("One") == first)
            let taken = try await fixture.run("sim", "add", two, "--bridge", "Bridge", "--data", data)
            #expect(
                taken.error.contains("'Two' has the serial number 'Two-1'; give each a different number"),
                "\(taken)"
            )
            #expect(try await counts(7))
        }
    }

    @Test func whatCannotBeEditedSaysWhy() async throws {
        try await withLamp { fixture, data in
            let cases: [(words: [String], reason: String)] = [
                (["characteristic", "remove", "Lamp", "Lightbulb", "On"], "notAllowed: "),
                (["characteristic", "add", "Lamp", "Lightbulb", "On"], "notAllowed: "),
                (["characteristic", "add", "Lamp", "Lightbulb", "Nonsense"], "invalidRequest: "),
                (["characteristic", "add", "Lamp", "Lightbulb", "Hue", #"{"value": 400}"#], "definition.value: 400"),
                (["service", "remove", "Lamp", "AccessoryInformation"], "notAllowed: "),
                (["service", "add", "Lamp", "Nonsense"], "service.type: 'Nonsense'"),
                (["edit", "Lamp", "--setup-code", "12345678"], "invalidRequest: "),
                (["edit", "Lamp", "--firmware", "new"], "invalidValue: "),
                (["set", "Lamp", "Model", "X"], #": hearth sim edit "Lamp" --model "X""#),
                (["set", "Lamp", "SerialNumber", "X"], "and can't be changed: it identifies the accessory"),
                (["remove", "Shed"], "notFound: "),
                (["add", "/dev/null/lamp.json"], "unreadableFile: "),
            ]
            let before = try await fixture.run("sim", "export", "Lamp", "--identity", "--data", data).output
            for (words, reason) in cases {
                let outcome = try await fixture.run(["sim"] + words + ["--data", data])
                #expect(outcome.status == 1, "\(words)")
                #expect(outcome.error.contains(reason), "\(words): \(outcome.error)")
            }
            let own = "AAAAAAAA-BBBB-CCCC-DDDD-EEEEEEEEEEEE"
            let empty = try await fixture.run("sim", "service", "add", "Lamp", own, "--data", data)
            #expect(empty.status == 2 && empty.error.contains("--with NAME=JSON"), "\(empty)")
            #expect(try await fixture.run("sim", "export", "Lamp", "--identity", "--data", data).output == before)
            let added = try await fixture.run("sim", "service", "add", "Lamp", own, "--with", "On", "--data", data)
            #expect(added.status == 0, "\(added)")
        }
    }

    /// Returns a file whose services have long keys. One key is longer than the others by `more` characters.
    private func long(_ name: String, services: Int, more: Int = 0, in fixture: Fixture) throws -> String {
        let list = (0..<services).map { index in
            let key = String(repeating: "k", count: 20_000 + (index == 0 ? more : 0))
            return #"{"type": "Lightbulb", "key": "\#(key)\#(index)"}"#
        }
        let text = #"""
            {"format": 1, "name": "\#(name)", "serialNumber": "\#(name)-1", "category": "Lightbulb",
             "services": [\#(list.joined(separator: ","))]}
            """#
        let file = fixture.folder.appending(path: "\(name).json")
        try Data(text.utf8).write(to: file)
        return file.path
    }

    @Test func anAccessoryThatIsTooLongForTheControlIsRefusedBeforeAnyIsAdded() async throws {
        try await withLamp { fixture, data in
            let (most, services) = (1_044_480, 52)
            let short = try long("Short", services: 1, in: fixture)
            let first = try await fixture.run(
                "sim",
                "add",
                short,
                try long("Long", services: 60, in: fixture),
                "--data",
                data
            )
            #expect(first.status == 1)
            #expect(first.error.contains("a running simulator accepts \(most)"), "\(first.error)")
            #expect(try await !fixture.run("sim", "list", "--data", data).output.contains("Short"))

            // The error reports the length that the file has in addition to the keys.
            let over = try long("Limit", services: services, more: 40_000, in: fixture)
            let refused = try await fixture.run("sim", "add", over, "--data", data).error
            let length = try #require(refused.firstMatch(of: /has (\d+) bytes/).flatMap { Int($0.1) })
            let past = try long("Limit", services: services, more: 40_000 - (length - most) + 1, in: fixture)
            let refusal = try await fixture.run("sim", "add", past, "--data", data)
            #expect(refusal.status == 1 && refusal.error.contains("has \(most + 1) bytes"), "\(refusal.error)")
            let limit = try long("Limit", services: services, more: 40_000 - (length - most), in: fixture)
            let added = try await fixture.run("sim", "add", limit, "--data", data)
            #expect(added.status == 0, "\(added.error)")
            #expect(try await fixture.run("sim", "list", "--data", data).output.contains("Limit-1"))
        }
    }
}
