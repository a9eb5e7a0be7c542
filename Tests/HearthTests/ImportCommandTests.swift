import AccessoryPeers
import Foundation
import PeerProcess
import Testing

/// `hearth accessory import`: other controllers' files, from the command line to the accessory, as
/// `Documentation/HomeAssistant.md` shows it.
struct ImportCommandTests {
    /// A line of `--json` output.
    private struct Report: Decodable {
        var name: String
        var id: String?
        var outcome: String
        var error: String?
        var reason: String?
        var accessories: [Accessory]

        struct Accessory: Decodable {
            var name: String
            var room: String
        }
    }

    private static func reports(_ outcome: Fixture.Outcome) throws -> [String: Report] {
        let lines = outcome.output.split(separator: "\n")
        let reports = try lines.map { try JSONDecoder().decode(Report.self, from: Data($0.utf8)) }
        return Dictionary(reports.map { ($0.name, $0) }) { first, _ in first }
    }

    /// Returns the port that an accessory reported when it started.
    private static func port(of accessory: PeerProcess) throws -> Int {
        let lines = accessory.transcript.split(separator: "\n").compactMap {
            try? JSONDecoder().decode(Fixture.Line.self, from: Data($0.utf8))
        }
        return try #require(lines.first { $0.event == "ready" }?.port)
    }

    /// Pairs with aiohomekit, and returns the pairing data that it stores.
    private static func pair(
        _ fixture: Fixture,
        _ id: String,
        port: Int,
        isHAPPython: Bool = false
    ) async throws -> [String: Any] {
        let file = fixture.folder.appending(path: "paired-\(UUID().uuidString).json")
        try await AiohomekitController.run { peer in
            if isHAPPython {
                try await peer.pairWithHAPPython(port: port, id: id, code: Fixture.lampCode)
            } else {
                try await peer.pair(port: port, id: id, code: Fixture.lampCode)
            }
            try await peer.ask("save", #""file":"\#(file.path)","alias":"lamp""#)
        }
        let saved = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: [String: Any]]
        return try #require(saved?["lamp"])
    }

    private static func entry(_ title: String, _ data: [String: Any]) -> [String: Any] {
        ["domain": "homekit_controller", "title": title, "source": "zeroconf", "version": 1, "data": data]
    }

    /// Returns an entry of Home Assistant's device registry.
    private static func device(_ server: String, _ name: String?, _ area: String) -> [String: Any] {
        let identifiers = [["homekit_controller:accessory-id", "\(server):aid:1"]]
        return ["identifiers": identifiers, "name_by_user": name as Any? ?? NSNull(), "area_id": area]
    }

    /// Writes Home Assistant's registries.
    private static func writeRegistries(_ devices: [[String: Any]], in folder: URL) throws {
        let areas = [["id": "living", "name": "Living Room"], ["id": "attic", "name": "attic"]]
        let stores: [(String, [String: Any])] = [
            ("core.device_registry", ["devices": devices]), ("core.area_registry", ["areas": areas]),
        ]
        for (key, data) in stores {
            let file = folder.appending(path: key)
            try text(["version": 1, "key": key, "data": data]).write(to: file, atomically: true, encoding: .utf8)
        }
    }

    private static func text(_ value: Any) throws -> String {
        String(decoding: try JSONSerialization.data(withJSONObject: value), as: UTF8.self)
    }

    @Test func aHouseOfHomeAssistantIsTakenOverOneAccessoryAfterTheOther() async throws {
        try await Fixture.with { fixture in
            let (first, second) = (Fixture.newDeviceID(), Fixture.newDeviceID())
            let lamp = try await fixture.startLamp(first)
            let description = #"""
                {"format": 1, "name": "Plug", "serialNumber": "PLUG-1", "category": "Outlet", "deviceID": "\#(second)",
                 "setupCode": "\#(Fixture.lampCode)", "services": [{"type": "Outlet", "characteristics": {"On": false}}]}
                """#
            var plug = try await fixture.startSimulator("plug", describedBy: description)
            let lampData = try await Self.pair(fixture, first, port: Self.port(of: lamp))
            let plugData = try await Self.pair(fixture, second, port: Self.port(of: plug))
            let stale = lampData.merging(["AccessoryLTPK": String(repeating: "0a", count: 32)]) { $1 }
            let entries = [
                ["domain": "sun", "title": "Sun", "source": "import", "data": [String: Any]()],
                Self.entry("Old Lamp", stale),
                Self.entry("Reading Lamp", lampData),
                Self.entry("Coffee", plugData),
                Self.entry("Lock", ["AccessoryPairingID": "00:11:22:33:44:55", "Connection": "BLE"]),
                Self.entry("Broken\u{1B}[31m", lampData.merging(["iOSDeviceLTSK": "abc"]) { $1 }),
            ]
            let store: [String: Any] = ["version": 1, "key": "core.config_entries", "data": ["entries": entries]]
            let folder = fixture.folder.appending(path: "ha/.storage")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let file = folder.appending(path: "core.config_entries")
            try Self.text(store).write(to: file, atomically: true, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)

            let hub = try await fixture.startHub()
            #expect(try await fixture.run("home", "add", "My Home").status == 0)
            #expect(try await fixture.run("room", "add", "Attic").status == 0)
            let source = fixture.folder.appending(path: "ha").path
            var outputs: [Fixture.Outcome] = []

            // A dry run.
            let dryRun = try await fixture.run("accessory", "import", source, "--dry-run", "--json")
            outputs.append(dryRun)
            var reports = try Self.reports(dryRun)
            #expect(reports.count == 5)
            #expect(reports["Reading Lamp"]?.outcome == "possible")
            #expect(reports["Coffee"]?.outcome == "possible")
            #expect(reports["Old Lamp"]?.error == "impostor")
            #expect(reports["Lock"]?.outcome == "skipped")
            #expect(reports["Lock"]?.error == "unsupportedTransport")
            #expect(reports["Broken�[31m"]?.error == "brokenEntry")
            #expect(dryRun.status == 1)
            #expect(dryRun.error.contains("notAllImported"))
            #expect(dryRun.error.contains("warning: Other users can read"))
            #expect(try await fixture.run("accessory", "list").output == "")

            // One accessory is off. The other moves to its area in Home Assistant.
            #expect(await plug.terminate() == 0)
            let arguments = ["accessory", "import", source, "--room", "Attic", "--areas", "--json"]
            #expect(try await fixture.run(arguments).error.contains("fileUnreadable"))
            try Self.writeRegistries(
                [Self.device(first, "Leselampe", "living"), Self.device(second, nil, "attic")],
                in: folder
            )
            let partly = try await fixture.run(arguments)
            outputs.append(partly)
            reports = try Self.reports(partly)
            #expect(reports["Reading Lamp"]?.outcome == "added")
            #expect(reports["Reading Lamp"]?.error == nil)
            #expect(reports["Reading Lamp"]?.accessories.map(\.name) == ["Leselampe"])
            #expect(reports["Reading Lamp"]?.accessories.map(\.room) == ["Living Room"])
            #expect(reports["Coffee"]?.outcome == "failed")
            #expect(reports["Coffee"]?.error == "notReachable")

            // Once it is back, a second run imports only that one, this time from standard input and with plain output.
            plug = try await fixture.startSimulator("plug", describedBy: description)
            let whole = try Self.text(["Reading Lamp": lampData, "Coffee": plugData])
            let rest = try await fixture.run(["accessory", "import", "-"], input: whole)
            outputs.append(rest)
            #expect(rest.status == 0, "\(rest.error)")
            let lines = Set(rest.output.split(separator: "\n").map(String.init))
            #expect(lines == ["Reading Lamp: already in the home.", "Coffee: added as Plug to Default Room."])
            #expect(rest.error == "2 entries: 2 done, 0 failed, 0 not supported.\n")
            #expect(try await fixture.run("set", "Plug", "On", "true").status == 0)

            // An accessory that is still in the default room is moved.
            let placed = try await fixture.run("accessory", "import", source, "--areas", "--json")
            outputs.append(placed)
            reports = try Self.reports(placed)
            #expect(reports["Coffee"]?.outcome == "present")
            #expect(reports["Coffee"]?.accessories.map(\.room) == ["Attic"])
            #expect(try await fixture.run("room", "list").output == "Attic\nLiving Room\n")
            let unplaced = try await fixture.run(["accessory", "import", "-", "--areas"], input: whole)
            #expect(unplaced.error.hasPrefix("error: notFound: --areas needs"))

            // Finally, the other controller is removed.
            let last = try await fixture.run(["accessory", "import", "-", "--take-over"], input: whole)
            outputs.append(last)
            #expect(last.status == 0, "\(last.error)")
            #expect(try await fixture.run("set", "Plug", "On", "false").status == 0)
            for (id, data) in [(first, lampData), (second, plugData)] {
                try await AiohomekitController.run { peer in
                    let port = try Self.port(of: id == first ? lamp : plug)
                    try await peer.ask("load", #""port":\#(port),"data":\#(try Self.text(data))"#)
                    await #expect(throws: AiohomekitController.Failure.self) { try await peer.ask("pairings") }
                }
            }

            let secrets = [lampData, plugData].flatMap { data in
                ["iOSDeviceLTSK", "iOSDeviceLTPK", "AccessoryLTPK"].compactMap { data[$0] as? String }
            }
            #expect(secrets.count == 6)
            let said = outputs.map { $0.output + $0.error }.joined() + hub.transcript
            for secret in secrets { #expect(!said.contains(secret.prefix(16))) }
            #expect(await hub.terminate() == 0)
            #expect(await lamp.terminate() == 0)
            #expect(await plug.terminate() == 0)
        }
    }

    @Test func whatIsNoFileWithPairingsIsRefusedBeforeAnythingIsAsked() async throws {
        try await Fixture.with { fixture in
            let hub = try await fixture.startHub()
            #expect(try await fixture.run("home", "add", "My Home").status == 0)
            let file = fixture.folder.appending(path: "file").path
            func refusal(_ text: String, room: [String] = []) async throws -> String {
                try text.write(toFile: file, atomically: true, encoding: .utf8)
                let outcome = try await fixture.run(["accessory", "import", file] + room)
                #expect(outcome.status == 1)
                #expect(outcome.output == "")
                return outcome.error
            }
            #expect(try await refusal("{").contains("error: notImportable: "))
            #expect(try await refusal("").contains("error: notImportable: "))
            #expect(try await refusal(#"{"format": 1, "name": "Lamp"}"#).contains("error: notImportable: "))
            #expect(try await refusal("{}").contains("It contains no pairings."))
            #expect(try await refusal("{}", room: ["--room", "Nowhere"]).contains("error: notFound: "))
            let registry = #"{"key": "core.device_registry", "data": {}}"#
            #expect(try await refusal(registry).contains("Use core.config_entries"))
            let missing = try await fixture.run("accessory", "import", file + ".not")
            #expect(missing.error.hasPrefix("error: fileUnreadable: "))
            let folder = try await fixture.run("accessory", "import", fixture.folder.path)
            #expect(folder.error.hasPrefix("error: notFound: "))
            let device = try await fixture.run("accessory", "import", "/dev/zero")
            #expect(device.error.contains("error: notImportable: "))
            #expect(await hub.terminate() == 0)
        }
    }

    @Test func aHubThatIsKilledInTheMiddleLeavesNoPairingBehind() async throws {
        try await Fixture.with { fixture in
            let state = fixture.folder.appending(path: "bridge.json").path
            func startBridge() throws -> PeerProcess {
                let arguments = ["--code", Fixture.lampCode, "--state", state, "--name", "Bridge \(UUID())"]
                return try PeerPython.start("hap_python_bridge.py", arguments)
            }
            struct PeerOutput: Decodable, Sendable {
                var event: String
                var port: Int?
                var deviceID: String?
                var controllers: Int?
            }
            let bridge = try startBridge()
            let ready = try await bridge.json(PeerOutput.self, "the start") { $0.event == "ready" }
            let data = try await Self.pair(
                fixture,
                try #require(ready.deviceID),
                port: try #require(ready.port),
                isHAPPython: true
            )
            let file = fixture.folder.appending(path: "pairing.json")
            try Self.text(["Bridge": data]).write(to: file, atomically: true, encoding: .utf8)
            let hub = try await fixture.startHub()
            #expect(try await fixture.run("home", "add", "My Home").status == 0)
            try bridge.send(#"{"lose": true, "end": true}"#)
            async let imported = fixture.run("accessory", "import", file.path)
            // It now has the home's pairing, although no reply was received.
            _ = await bridge.exit()
            hub.kill(SIGKILL)
            await hub.exit()
            #expect(try await imported.status == 1)

            let again = try await fixture.startHub()
            let returned = try startBridge()
            _ = try await returned.json(PeerOutput.self, "the withdrawal") {
                $0.event == "unpaired" && $0.controllers == 1
            }
            let outcome = try await fixture.run("accessory", "import", fixture.folder.path)
            #expect(outcome.status == 0, "\(outcome.error)")
            #expect(outcome.output.contains(", with 3 bridged accessories."))
            #expect(await again.terminate() == 0)
            await returned.terminate()
        }
    }
}
