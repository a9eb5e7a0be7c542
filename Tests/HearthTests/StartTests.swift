import Foundation
import HubAPI
import HubClient
import LocalRPCSockets
import PeerProcess
import Testing

/// Problems that prevent a service from starting, and their errors.
struct StartTests {
    @Test func aSecondHubIsRefusedAndTheFirstGoesOn() async throws {
        try await Fixture.with { stage in
            let hub = try await stage.startHub()
            let other = stage.folder.appending(path: "other").path
            let sameSocket = try await stage.run("hub", "--data", other, "--mdns-interface", "127.0.0.1")
            #expect(sameSocket.status == 1)
            #expect(sameSocket.error.contains("alreadyRunning"), "\(sameSocket.error)")
            let elsewhere = stage.folder.appending(path: "other.sock").path
            let arguments = ["hub", "--data", stage.data, "--socket", elsewhere, "--mdns-interface", "127.0.0.1"]
            let sameData = try await stage.run(arguments)
            #expect(sameData.status == 1)
            #expect(sameData.error.contains("storeInUse"), "\(sameData.error)")
            #expect(try await stage.run("home", "add", "My Home").status == 0)
            #expect(await hub.terminate() == 0)
        }
    }

    @Test func aHubServesMoreConnectionsThanItsShellLetsProgramsHaveFiles() async throws {
        try await Fixture.with { stage in
            let start = #"ulimit -Sn 128; exec "$0" "$@""#
            let arguments = ["--data", stage.data, "--socket", stage.socket, "--mdns-interface", "127.0.0.1", "--json"]
            let shell = URL(filePath: "/bin/sh")
            let hub = try PeerProcess(shell, ["-c", start, Programs.hearth.path, "hub"] + arguments)
            _ = try await hub.json(Fixture.Line.self, "the hub's start") { $0.event == "ready" }
            var connections: [HubConnection] = []
            for _ in 0..<200 {
                let connection = HubConnection(over: UnixSocketTransport(path: stage.socket), onEvent: { _ in })
                _ = try await connection.call(HubMethods.hello, Hello(app: "test", purpose: "Tests."))
                connections.append(connection)
            }
            #expect(connections.count == 200)
            for connection in connections { connection.close() }
            #expect(await hub.terminate() == 0)
        }
    }

    @Test func anUnreadableDatabaseStopsTheStartAndIsLeftAsItIs() async throws {
        try await Fixture.with { stage in
            let hub = try await stage.startHub()
            #expect(try await stage.run("home", "add", "My Home").status == 0)
            #expect(await hub.terminate() == 0)
            let files = try FileManager.default.contentsOfDirectory(atPath: stage.data)
            let name = try #require(files.first { $0.hasSuffix(".sqlite") || $0.hasSuffix(".db") })
            let file = URL(filePath: stage.data).appending(path: name)
            let damaged = Data(repeating: 0x5A, count: 8_192)
            try damaged.write(to: file)
            let refused = try await stage.run("hub", "--data", stage.data, "--mdns-interface", "127.0.0.1")
            #expect(refused.status == 1)
            #expect(refused.error.contains("storeDamaged"), "\(refused.error)")
            #expect(try Data(contentsOf: file) == damaged)
        }
    }

    @Test func aHubTellsTheServiceManagerThatStartedItWhenItIsReadyAndWhenItEnds() async throws {
        try await Fixture.with { stage in
            let path = stage.folder.appending(path: "notify").path
            let manager = try ServiceManagerSocket(path: path)
            let hub = try PeerProcess(
                Programs.hearth,
                ["hub", "--data", stage.data, "--socket", stage.socket, "--mdns-interface", "127.0.0.1"],
                environment: [ServiceManagerSocket.variable: path]
            )
            #expect(try manager.message() == "READY=1")
            #expect(try await stage.run("home", "list").status == 0)
            #expect(await hub.terminate() == 0)
            #expect(try manager.message() == "STOPPING=1")
        }
    }

    @Test func anInterfaceThatIsNotThereIsNamedWithThoseThatAre() async throws {
        try await Fixture.with { stage in
            let refused = try await stage.run("hub", "--data", stage.data, "--mdns-interface", "nowhere0")
            #expect(refused.status == 1)
            #expect(refused.error.contains("unknownInterface"))
            #expect(refused.error.contains("lo"))
        }
    }

    @Test func aPortThatIsTakenIsNamed() async throws {
        try await Fixture.with { stage in
            let (first, ready) = try await stage.startLights(1)
            let port = try #require(ready.port)
            let data = stage.folder.appending(path: "second").path
            let refused = try await stage.run(
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
            let sameData = try await stage.run(
                "simulator",
                "--lights",
                "1",
                "--data",
                stage.folder.appending(path: "simulator").path,
                "--mdns-interface",
                "127.0.0.1"
            )
            #expect(sameData.status == 1)
            #expect(!sameData.error.isEmpty)
            #expect(await first.terminate() == 0)
        }
    }

    @Test func aBrokenAccessoryFileIsNamedWithTheFaultyField() async throws {
        try await Fixture.with { stage in
            let file = stage.folder.appending(path: "lamp.json")
            let content = #"""
                {"format": 1, "name": "Lamp", "category": "Lightbulb", "manufacturer": "M", "model": "M",
                 "serialNumber": "S1", "firmwareRevision": "1", "services": [{"type": "Lightbulbb"}]}
                """#
            try Data(content.utf8).write(to: file)
            let refused = try await stage.run("simulator", file.path, "--data", stage.data)
            #expect(refused.status == 1)
            #expect(refused.error.contains("lamp.json"))
            #expect(refused.error.contains("Lightbulbb"))
        }
    }
}
