import Foundation
import HubAPI
import PeerProcess
import Testing

/// Other servers at an accessory's address: a different program or accessory, or one that lost the home's pairing.
struct ImpostorTests {
    private struct PeerOutput: Decodable, Sendable {
        var event: String
        var name: String?
        var error: Int?
        var reason: String?
        var advice: String?
        var trouble: String?
        var reachable: Bool?
        var port: Int?
        var deviceID: String?
    }

    /// A server at the accessory's port, and the expected errors.
    struct ImpostorCase: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var arguments: [String]
        var trouble: AccessoryTrouble
        /// The error of a read.
        var error: String
    }

    private static let impostors = [
        ImpostorCase(
            testDescription: "a web server",
            arguments: ["--status", "404"],
            trouble: .httpError,
            error: "protocolViolation"
        ),
        ImpostorCase(
            testDescription: "a page",
            arguments: ["--type", "text/html", "--body", "3C70"],
            trouble: .unverified,
            error: "impostor"
        ),
        ImpostorCase(
            testDescription: "HTTP 503",
            arguments: ["--status", "503"],
            trouble: .busy,
            error: "accessoryBusy"
        ),
        // State M2 with the error MaxPeers.
        ImpostorCase(
            testDescription: "too many pairings",
            arguments: ["--type", "application/pairing+tlv8", "--body", "060102070104"],
            trouble: .busy,
            error: "accessoryBusy"
        ),
    ]

    /// Kills an accessory of a home. It sends no goodbye, so the hub still expects it at its port, which is returned.
    private static func vacate(_ home: FaultyHome, _ lamp: FaultyHome.Accessory) async throws -> String {
        let simulator = try await home.furnish([lamp])
        let list = try await home.run("sim", "list", "--data", home.data("simulator"), "--json")
        let port = try #require(try JSONDecoder().decode([Fixture.Line].self, from: Data(list.utf8)).first?.port)
        simulator.kill(SIGKILL)
        await simulator.exit()
        return "\(port)"
    }

    @Test(arguments: impostors) func whatHasTheAccessorysPortIsNotTakenForIt(impostor: ImpostorCase) async throws {
        try await FaultyHome.with { home in
            let port = try await Self.vacate(home, FaultyHome.Accessory("Lamp"))
            let answerer = try PeerPython.start("http_answerer.py", ["--port", port] + impostor.arguments)
            _ = try await answerer.json(PeerOutput.self, "the answerer") { $0.event == "ready" }
            let diagnosis = try await home.diagnose("Lamp", until: impostor.trouble)
            #expect(diagnosis.stop?.name == .verification && diagnosis.cause?.trouble == impostor.trouble)
            // The hub's own connection finds out independently.
            let read = try await Wait.value(where: { $0.error.hasPrefix("error: \(impostor.error): ") }) {
                try await home.fixture.run("get", "Lamp", "On")
            }
            #expect(read.error.hasPrefix("error: \(impostor.error): "), "\(read)")
            await answerer.terminate()
        }
    }

    @Test func anImpostorIsToldFromTheWireToTheAppsDelegate() async throws {
        try await FaultyHome.with { home in
            let lamp = FaultyHome.Accessory("Lamp")
            let simulator = try await home.furnish([lamp])
            let app = try PeerProcess(
                Programs.app,
                environment: ["HEARTH_SOCKET": home.socket, "HEARTH_APP": "test.app", "HEARTH_PURPOSE": "Tests."]
            )
            _ = try await app.json(PeerOutput.self, "the homes") { $0.event == "didUpdateHomes" }
            let list = try await home.run("sim", "list", "--data", home.data("simulator"), "--json")
            let port = try #require(try JSONDecoder().decode([Fixture.Line].self, from: Data(list.utf8)).first?.port)
            simulator.kill(SIGKILL)
            await simulator.exit()
            // The same ID, name and port, with different keys.
            let impostor = try await home.start([lamp], in: "impostor", ["--port", "\(port)"])
            let event = try await app.json(PeerOutput.self, "the trouble") { $0.event == "didEncounterError" }
            #expect(event.name == "Lamp" && event.trouble == "identityChanged")
            // HMError.Code.securityFailure.
            #expect(event.error == 53)
            #expect(event.reason == AccessoryTrouble.identityChanged.statement())
            #expect(event.advice == AccessoryTrouble.identityChanged.advice)
            // Its announcement may reach the hub after its reply on the connection.
            let diagnosis = try await home.diagnose("Lamp") { diagnosis in
                diagnosis.cause?.trouble == .identityChanged && diagnosis.troubles(at: .advertised) == [.wasReset]
            }
            #expect(diagnosis.stop?.name == .verification && diagnosis.cause?.trouble == .identityChanged)
            #expect(diagnosis.troubles(at: .advertised) == [.wasReset])
            let members = try await home.run("accessory", "list", "--json")
            #expect(members.contains(#""trouble":"identityChanged""#) && members.contains(#""isBlocked":false"#))
            _ = await app.terminate()
            #expect(await impostor.terminate() == 0)
        }
    }

    @Test func twoUnderOneIdAreToldOf() async throws {
        try await FaultyHome.with { home in
            let lamp = FaultyHome.Accessory("Lamp")
            let simulator = try await home.furnish([lamp])
            let copy = try PeerPython.start(
                "zeroconf_advertise.py",
                ["_hap._tcp", "Copy of \(lamp.deviceID)", "9", "--txt", "id=\(lamp.deviceID)", "--txt", "sf=0"]
            )
            _ = try await copy.json(PeerOutput.self, "the copy") { $0.event == "registered" }
            let diagnosis = try await home.diagnose("Lamp", until: .duplicateID)
            #expect(diagnosis.troubles(at: .advertised).contains(.duplicateID))
            #expect(diagnosis.stop == nil, "\(diagnosis)")
            await copy.terminate()
            #expect(await simulator.terminate() == 0)
        }
    }

    /// HAP-python's bridge, from which another controller has removed this home's pairing.
    @Test func anAccessoryThatHasLostThisHomeAloneIsToldApartFromOneThatWasReset() async throws {
        try await FaultyHome.with { home in
            let state = home.fixture.folder.appending(path: "bridge.json")
            let arguments = [
                "--code", Fixture.lampCode, "--state", state.path, "--name", "Foreign \(UUID().uuidString.prefix(6))",
            ]
            let bridge = try PeerPython.start("hap_python_bridge.py", arguments)
            let ready = try await bridge.json(PeerOutput.self, "the bridge") { $0.event == "ready" }
            let id = try #require(ready.deviceID)
            try await home.add(id)
            await bridge.terminate()

            var kept = try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: state)) as? [String: Any])
            for key in ["paired_clients", "client_properties", "client_uuid_to_bytes"] {
                let clients = try #require(kept[key] as? [String: Any])
                kept[key] = Dictionary(
                    uniqueKeysWithValues: clients.values.map { (UUID().uuidString.lowercased(), $0) }
                )
            }
            try JSONSerialization.data(withJSONObject: kept).write(to: state)
            let again = try PeerPython.start("hap_python_bridge.py", arguments)
            _ = try await again.json(PeerOutput.self, "the bridge") { $0.event == "ready" }
            let diagnosis = try await home.diagnose("Lamp", until: .pairingForgotten)
            #expect(diagnosis.stop?.name == .verification && diagnosis.cause?.trouble == .pairingForgotten)
            #expect(diagnosis.troubles(at: .advertised) == [])
            await again.terminate()
        }
    }
}
