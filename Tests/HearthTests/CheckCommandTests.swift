import AccessoryCheck
import Foundation
import HAP
import PeerProcess
import Testing

/// `hearth check accessory` at a simulated accessory, both as processes.
@Suite struct CheckCommandTests {
    /// A line of `--json`: a result, or the end of a run.
    private struct Row: Decodable, Sendable {
        var id: String?
        var result: String?
        var passed: Int?
        var failed: Int?
        var seen: String?
        var before: [String]?
        var after: [String]?
    }

    /// A pairing in the format of aiohomekit.
    private struct PairingFile: Encodable {
        var AccessoryPairingID: String
        var AccessoryLTPK: String
        var iOSPairingId: String
        var iOSDeviceLTSK: String
        var iOSDeviceLTPK: String
        var AccessoryIP = "127.0.0.1"
        var AccessoryPort: Int
        var Connection = "IP"
    }

    /// A running accessory.
    private struct Accessory {
        let fixture: Fixture
        let port: Int
        let code: String

        var target: [String] {
            ["check", "accessory", "--host", "127.0.0.1", "--port", "\(port)", "--mdns-interface", "127.0.0.1"]
                + ["--timeout", "170"]
        }

        /// Runs the command.
        func check(_ more: String..., code: String? = nil) async throws -> Fixture.Outcome {
            try await fixture.run(target + more, input: code)
        }

        /// Connects to the accessory.
        func connect() async throws -> ControllerConnection {
            try await ControllerConnection.open(host: "127.0.0.1", port: port, timeout: Wait.limit)
        }
    }

    private func withAccessory(_ body: (Accessory) async throws -> Void) async throws {
        try await Fixture.with { fixture in
            let (process, ready) = try await fixture.startLights(1)
            let (port, code) = (try #require(ready.port), try #require(ready.setupCode))
            try await body(Accessory(fixture: fixture, port: port, code: code))
            #expect(await process.terminate() == 0)
        }
    }

    private func hex(_ bytes: [UInt8]) -> String {
        bytes.map { String(format: "%02x", $0) }.joined()
    }

    private func rows(_ text: String) throws -> [Row] {
        try text.split(separator: "\n").map { try JSONDecoder().decode(Row.self, from: Data($0.utf8)) }
    }

    @Test func itReportsInEachFormAndSaysWhatIsWrong() async throws {
        try await withAccessory { accessory in
            // A wrong code is named in a line, and everything else is one line more.
            let wrong = try await accessory.check("--code", "-", code: "482-11-957")
            #expect(wrong.status == 1)
            #expect(wrong.error.hasSuffix("error: wrongSetupCode: \(CheckSummary.Problem.wrongCode.reason)\n"))
            let skipped = wrong.output.split(separator: "\n").filter { $0.hasPrefix("skipped ") }
            #expect((1...2).contains(skipped.count), "\(wrong.output)")
            #expect(skipped.last?.contains(" checks, from ") == true, "\(wrong.output)")

            let file = accessory.fixture.folder.appending(path: "checks.xml").path
            let tap = try await accessory.check(
                "--code",
                "-",
                "--only",
                "reads.success",
                "--only",
                "pair-setup.again",
                "--tap",
                "--junit",
                file,
                "--strict",
                code: accessory.code
            )
            #expect(tap.status == 0, "\(tap.error)")
            #expect(tap.output.hasPrefix("TAP version 14\n1..2\nok 1 - reads.success\nok 2 - pair-setup.again"))
            let xml = try String(contentsOfFile: file, encoding: .utf8)
            #expect(xml.contains(#"<testsuite name="hearth check" tests="2" failures="0" skipped="0">"#))
            // The suite has unpaired the accessory, which counts no wrong codes any more.
            let m2 = try await accessory.connect().post("/pair-setup", RawSetup.m1)
            #expect(m2.body.starts(with: [6, 1, 2, 3]))

            let attack = try await accessory.check("--code", "-", "--only", "attacks", code: accessory.code)
            #expect(attack.status == 2)
            #expect(attack.error.contains("Add --attacks."))
            let stranger = try await accessory.fixture.run(
                ["check", "accessory", "--host", "192.0.2.1", "--port", "1", "--code", accessory.code, "--attacks"]
                    + ["--mdns-interface", "127.0.0.1"]
            )
            #expect(stranger.status == 1)
            #expect(stranger.error.contains("error: publicAddress: "), "\(stranger.error)")
        }
    }

    @Test func itLeavesAPairedAccessoryAloneUnlessItHasThePairing() async throws {
        try await withAccessory { accessory in
            let connection = try await accessory.connect()
            let controller = ControllerIdentity(
                pairingID: try #require(PairingID("5C0E4A36-9C5B-4F4B-8B1D-3A1F0D6C7E21")),
                keyPair: .random()
            )
            let paired = try await connection.pair(controller, code: try SetupCode(accessory.code))
            let refused = try await accessory.check("--code", "-", code: accessory.code)
            #expect(refused.status == 1)
            #expect(refused.error.contains("error: pairedAlready: "), "\(refused.error)")

            let file = accessory.fixture.folder.appending(path: "pairing.json")
            let pairing = PairingFile(
                AccessoryPairingID: "\(paired.deviceID)",
                AccessoryLTPK: hex(paired.publicKey.bytes),
                iOSPairingId: "\(controller.pairingID)",
                iOSDeviceLTSK: hex(controller.keyPair.seed),
                iOSDeviceLTPK: hex(controller.keyPair.publicKey.bytes),
                AccessoryPort: accessory.port
            )
            try JSONEncoder().encode(["lamp": pairing]).write(to: file)
            let checked = try await accessory.check(
                "--pairing",
                file.path,
                "--json",
                "--strict",
                "--only",
                "writes",
                "--only",
                "attacks",
                "--attacks"
            )
            #expect(checked.status == 0, "\(checked.error)")
            let rows = try rows(checked.output)
            let end = try #require(rows.last)
            #expect(end.after == end.before)
            #expect(end.after?.contains("paired") == true)
            let unpairedOnly = rows.filter { $0.result == "not applicable" }.compactMap(\.id)
            #expect(unpairedOnly.allSatisfy { Check.with(id: $0)?.stage == .unpairedAttack })
            #expect(rows.count == end.passed.map { $0 + unpairedOnly.count + 1 })
            // The pairing is still good, and the only one.
            let session = try await accessory.connect()
            try await session.verify(controller, paired)
            guard case .list(let pairings) = try await session.manage(.list) else {
                Issue.record("no list of pairings")
                return
            }
            #expect(pairings.map(\.controllerID) == [controller.pairingID])
        }
    }

    @Test func anInterruptUnpairsFirst() async throws {
        try await withAccessory { accessory in
            let check = try PeerProcess(
                Programs.hearth,
                accessory.target + ["--code", accessory.code, "--json", "--only", "database", "--only", "events"]
            )
            // It is paired while these checks run.
            _ = try await check.json(Row.self, "a check") { $0.id == "database.json" }
            check.kill(SIGINT)
            #expect(await check.exit() == 1)
            let m2 = try await accessory.connect().post("/pair-setup", RawSetup.m1)
            #expect(m2.body.starts(with: [6, 1, 2, 3]))
        }
    }

    /// The process of the accessory is halted: the kernel still accepts connections for it, and nothing is answered.
    @Test func anAccessoryThatFallsSilentIsNamedAndTheRestIsSkipped() async throws {
        try await Fixture.with { fixture in
            let (simulator, ready) = try await fixture.startLights(1)
            let (port, code) = (try #require(ready.port), try #require(ready.setupCode))
            let target = Accessory(fixture: fixture, port: port, code: code).target + ["--timeout", "20"]
            let check = try PeerProcess(Programs.hearth, target + ["--code", code, "--json"])
            _ = try await check.json(Row.self, "a check of a paired accessory") { $0.id == "database.json" }
            simulator.kill(SIGSTOP)
            defer { simulator.kill(SIGCONT) }
            let end = try await check.json(Row.self, "the end") { $0.passed != nil }
            #expect(await check.exit() == 1)
            #expect(end.failed == 1)
            #expect(end.after?.last == "not reachable")
            #expect(check.transcript.contains(#"{"error":"notUnpaired","#), "\(check.transcript)")
            let rows = check.transcript.split(separator: "\n").compactMap {
                try? JSONDecoder().decode(Row.self, from: Data($0.utf8))
            }
            let lost = try #require(rows.first { $0.result == "failed" }?.id)
            let reason = "The accessory stopped answering at \(lost)."
            let rest = rows.drop { $0.id != lost }.dropFirst().filter { $0.id != nil }
            #expect(!rest.isEmpty)
            // The checks after the pairing is removed don't begin.
            let unbegun = "The suite's pairing may still be on the accessory."
            #expect(rest.allSatisfy { $0.seen == reason || $0.seen?.hasPrefix(unbegun) == true }, "\(check.transcript)")
            #expect(rest.contains { $0.seen == reason })
            simulator.kill(SIGCONT)
            #expect(await simulator.terminate() == 0)
        }
    }

    /// Stops the accessory and starts it again on another port, as the command's shell commands ask the test.
    @Test(arguments: [SIGTERM, SIGKILL])
    func aGoodbyeIsHeardOnTheNetworkOrItsAbsenceIsReported(_ signal: Int32) async throws {
        try await Fixture.with { fixture in
            // Other tests' accessories would take a common name as soon as it is free.
            let deviceID = Fixture.newDeviceID()
            let description = #"""
                {
                  "format": 1, "name": "Lamp \#(deviceID)", "manufacturer": "Hearth", "model": "Lamp",
                  "serialNumber": "LAMP-1", "category": "Lightbulb", "deviceID": "\#(deviceID)",
                  "setupCode": "\#(Fixture.lampCode)",
                  "services": [{ "type": "Lightbulb", "characteristics": { "On": false } }]
                }
                """#
            let simulator = try await fixture.startSimulator("lamp", describedBy: description)
            let ready = simulator.transcript.split(separator: "\n").compactMap {
                try? JSONDecoder().decode(Fixture.Line.self, from: Data($0.utf8))
            }
            let port = try #require(ready.compactMap(\.port).first)
            let process = simulator.processIdentifier
            // It ends when the accessory has, so that a goodbye is on its way.
            let stop = "kill -\(signal) \(process); while kill -0 \(process) 2>/dev/null; do sleep 0.05; done"
            let due = fixture.folder.appending(path: "due")
            let done = fixture.folder.appending(path: "done")
            let check = try PeerProcess(
                Programs.hearth,
                Accessory(fixture: fixture, port: port, code: Fixture.lampCode).target + [
                    "--code", Fixture.lampCode, "--json", "--only", "advertising.goodbye", "--only", "restart",
                    "--stop",
                    stop, "--restart",
                    "touch '\(due.path)'; until [ -e '\(done.path)' ]; do sleep 0.05; done",
                ]
            )
            try await Wait.until("the restart") { FileManager.default.fileExists(atPath: due.path) }
            _ = await simulator.exit()
            let again = try await fixture.startSimulator("lamp", describedBy: description)
            try Data().write(to: done)
            let goodbye = try await check.json(Row.self, "the goodbye") { $0.id == "advertising.goodbye" }
            #expect(goodbye.result == (signal == SIGTERM ? "passed" : "warning"), "\(check.transcript)")
            let end = try await check.json(Row.self, "the end") { $0.passed != nil }
            #expect(end.failed == 0)
            #expect(end.passed == (signal == SIGTERM ? 5 : 4), "\(check.transcript)")
            #expect(end.after?.last == "not paired")
            #expect(await check.exit() == 0)
            #expect(await again.terminate() == 0)
        }
    }

    @Test func nobodyThereIsAnErrorWithAName() async throws {
        try await Fixture.with { fixture in
            let gone = try await fixture.run(
                "check",
                "accessory",
                "--host",
                "127.0.0.1",
                "--port",
                "1",
                "--code",
                "482-11-957",
                "--mdns-interface",
                "127.0.0.1"
            )
            #expect(gone.status == 1)
            #expect(gone.error.contains("error: unreachable: "), "\(gone.error)")
            #expect(gone.error.contains("nothing listens at the port"), "\(gone.error)")
        }
    }
}
