import Foundation
import HubAPI
import HubClient
import LocalRPCSockets
import PeerProcess
import Testing

/// Problems that prevent a service from starting, and their errors.
struct StartTests {
    @Test func aSecondHubIsRefusedAndTheFirstGoesOn() async throws {
        try await Fixture.with { fixture in
            let hub = try await fixture.startHub()
            let other = fixture.folder.appending(path: "other").path
            let sameSocket = try await fixture.run("hub", "--data", other, "--mdns-interface", "127.0.0.1")
            #expect(sameSocket.status == 1)
            #expect(sameSocket.error.contains("alreadyRunning"), "\(sameSocket.error)")
            let elsewhere = fixture.folder.appending(path: "other.sock").path
            let arguments = ["hub", "--data", fixture.data, "--socket", elsewhere, "--mdns-interface", "127.0.0.1"]
            let sameData = try await fixture.run(arguments)
            #expect(sameData.status == 1)
            #expect(sameData.error.contains("storeInUse"), "\(sameData.error)")
            #expect(try await fixture.run("home", "add", "My Home").status == 0)
            #expect(await hub.terminate() == 0)
        }
    }

    @Test func aHubServesMoreConnectionsThanItsShellLetsProgramsHaveFiles() async throws {
        try await Fixture.with { fixture in
            let start = #"ulimit -Sn 128; exec "$0" "$@""#
            let arguments = [
                "--data", fixture.data, "--socket", fixture.socket, "--mdns-interface", "127.0.0.1", "--json",
            ]
            let shell = URL(filePath: "/bin/sh")
            let hub = try PeerProcess(shell, ["-c", start, Programs.hearth.path, "hub"] + arguments)
            _ = try await hub.json(Fixture.Line.self, "the hub's start") { $0.event == "ready" }
            var connections: [HubConnection] = []
            for _ in 0..<200 {
                let connection = HubConnection(over: UnixSocketTransport(path: fixture.socket), onEvent: { _ in })
                _ = try await connection.call(HubMethods.hello, Hello(app: "test", purpose: "Tests."))
                connections.append(connection)
            }
            #expect(connections.count == 200)
            for connection in connections { connection.close() }
            #expect(await hub.terminate() == 0)
        }
    }

    @Test func anUnreadableDatabaseStopsTheStartAndIsLeftAsItIs() async throws {
        try await Fixture.with { fixture in
            let hub = try await fixture.startHub()
            #expect(try await fixture.run("home", "add", "My Home").status == 0)
            #expect(await hub.terminate() == 0)
            let files = try FileManager.default.contentsOfDirectory(atPath: fixture.data)
            let name = try #require(files.first { $0 == "hearth.sqlite" })
            let file = URL(filePath: fixture.data).appending(path: name)
            let damaged = Data(repeating: 0x5A, count: 8_192)
            try damaged.write(to: file)
            let refused = try await fixture.run("hub", "--data", fixture.data, "--mdns-interface", "127.0.0.1")
            #expect(refused.status == 1)
            #expect(refused.error.contains("storeDamaged"), "\(refused.error)")
            #expect(try Data(contentsOf: file) == damaged)
        }
    }

    @Test func aHubTellsTheServiceManagerThatStartedItWhenItIsReadyAndWhenItEnds() async throws {
        try await Fixture.with { fixture in
            let path = fixture.folder.appending(path: "notify").path
            let manager = try ServiceManagerSocket(path: path)
            let hub = try PeerProcess(
                Programs.hearth,
                ["hub", "--data", fixture.data, "--socket", fixture.socket, "--mdns-interface", "127.0.0.1"],
                environment: [ServiceManagerSocket.variable: path]
            )
            #expect(try manager.message() == "READY=1")
            #expect(try await fixture.run("home", "list").status == 0)
            #expect(await hub.terminate() == 0)
            #expect(try manager.message() == "STOPPING=1")
        }
    }

    @Test func anInterfaceThatIsNotThereIsNamedWithThoseThatAre() async throws {
        try await Fixture.with { fixture in
            let refused = try await fixture.run("hub", "--data", fixture.data, "--mdns-interface", "nowhere0")
            #expect(refused.status == 1)
            #expect(refused.error.contains("unknownInterface"))
            #expect(refused.error.contains("lo"))
        }
    }

    @Test func aPortThatIsTakenIsNamed() async throws {
        try await Fixture.with { fixture in
            let (first, ready) = try await fixture.startLights(1)
            let port = try #require(ready.port)
            let data = fixture.folder.appending(path: "second").path
            let refused = try await fixture.run(
                "simulator",
                "--lights",
                "1",
                "--data",
                data,
                "--bind",
                "127.0.0.1",
                "--port",
                "\(port)",
                "--mdns-interface",
                "127.0.0.1"
            )
            #expect(refused.status == 1)
            #expect(refused.error.contains("\(port)"), "\(refused.error)")
            let sameData = try await fixture.run(
                "simulator",
                "--lights",
                "1",
                "--data",
                fixture.folder.appending(path: "simulator").path,
                "--mdns-interface",
                "127.0.0.1"
            )
            #expect(sameData.status == 1)
            #expect(!sameData.error.isEmpty)
            #expect(await first.terminate() == 0)
        }
    }

    @Test func aBrokenAccessoryFileIsNamedWithTheFaultyField() async throws {
        try await Fixture.with { fixture in
            let file = fixture.folder.appending(path: "lamp.json")
            let content = #"""
                {"format": 1, "name": "Lamp", "category": "Lightbulb", "manufacturer": "M", "model": "M",
                 "serialNumber": "S1", "firmwareRevision": "1", "services": [{"type": "Lightbulbb"}]}
                """#
            try Data(content.utf8).write(to: file)
            let refused = try await fixture.run("simulator", file.path, "--data", fixture.data)
            #expect(refused.status == 1)
            #expect(refused.error.contains("lamp.json"))
            #expect(refused.error.contains("Lightbulbb"))
        }
    }
}
