import Foundation
import HubAPI
import PeerProcess
import Testing

/// A hub and a command of different versions. A proxy on the hub's socket changes the version that each one sends.
struct VersionTests {
    /// Runs `body` with the path of the proxy's socket.
    private func between(
        client: Int,
        hub: Int,
        _ body: (Fixture, _ socket: String) async throws -> Void
    ) async throws {
        try await Fixture.with { fixture in
            let process = try await fixture.startHub()
            #expect(try await fixture.run("home", "add", "My Home").status == 0)
            let socket = fixture.folder.appending(path: "between.sock").path
            let script = try PeerPython.packageRoot().appending(path: "Tests/Peers/version_between.py").path
            let arguments = [script, socket, fixture.socket, "\(client)", "\(hub)"]
            let peer = try PeerProcess(URL(filePath: "/usr/bin/python3"), arguments)
            _ = try await peer.json(Fixture.Line.self, "the peer's start") { $0.event == "ready" }
            try await body(fixture, socket)
            // Only the home that was added without the proxy exists.
            #expect(try await fixture.run("home", "list").output == "My Home  (primary)\n")
            _ = await peer.terminate()
            #expect(await process.terminate() == 0)
        }
    }

    @Test(arguments: [-1, 1])
    func aClientAndAHubOneVersionApartWork(difference: Int) async throws {
        let version = HubProtocol.version
        for (client, hub) in [(version + difference, version), (version, version + difference)] {
            try await between(client: client, hub: hub) { fixture, socket in
                let added = try await fixture.run("room", "add", "Attic", "--socket", socket)
                #expect(added.status == 0, "\(client), \(hub): \(added.error)")
                #expect(try await fixture.run("room", "list", "--socket", socket).output == "Attic\n")
                let watch = try PeerProcess(Programs.hearth, ["watch", "--json", "--socket", socket])
                _ = try await watch.json(Fixture.Line.self, "the watch") { $0.event == "watching" }
                #expect(try await fixture.run("room", "add", "Cellar").status == 0)
                _ = try await watch.json(Fixture.Line.self, "the room") { $0.names == ["Cellar"] }
                _ = await watch.terminate()
            }
        }
    }

    @Test(arguments: [-2, 2])
    func aClientAndAHubTwoVersionsApartSayWhichToUpgrade(difference: Int) async throws {
        let version = HubProtocol.version
        for (client, hub) in [(version + difference, version), (version, version + difference)] {
            try await between(client: client, hub: hub) { fixture, socket in
                let refused = try await fixture.run("home", "add", "Cabin", "--socket", socket)
                #expect(refused.status == 1)
                #expect(refused.error.contains("versionMismatch"), "\(refused.error)")
                #expect(refused.error.contains("version \(client) of") && refused.error.contains("version \(hub):"))
                #expect(refused.error.contains("Upgrade the \(client < hub ? "app" : "hub")."), "\(refused.error)")
            }
        }
    }
}
