import Foundation
import PeerProcess
import Testing

/// A home that was restored while its old hub is still running.
struct DuplicateHubTests {
    @Test func theOldHubStopsWithAnExplanationAndAPersonMayChooseItAllTheSame() async throws {
        try await Fixture.with { fixture in
            let id = Fixture.newDeviceID()
            let lamp = try await fixture.startLamp(id)
            let old = try await fixture.startHub()
            #expect(try await fixture.run("home", "add", "My Home").status == 0)
            let added = try await fixture.add(id, "--code", "-", input: Fixture.lampCode)
            #expect(added.status == 0, "\(added.error)")
            let file = fixture.folder.appending(path: "home.age").path
            let secret = ["--passphrase-fd", "0"]
            #expect(try await fixture.run(["backup", file] + secret, input: "summer rain").status == 0)
            let folder = fixture.folder.appending(path: "new").path
            let restored = try await fixture.run(["restore", file, "--data", folder] + secret, input: "summer rain")
            #expect(restored.status == 0, "\(restored.error)")
            // The old hub advertises its claim after it first reads its homes.
            #expect(await old.terminate() == 0)
            let again = try await fixture.startHub()

            let socket = fixture.folder.appending(path: "new.sock").path
            let hubOptions = ["--data", folder, "--socket", socket, "--mdns-interface", "127.0.0.1", "--json"]
            let new = try PeerProcess(Programs.hearth, ["hub"] + hubOptions)
            _ = try await new.json(Fixture.Line.self, "the new hub's start") { $0.event == "ready" }
            #expect(await again.exit() == 1)
            #expect(again.transcript.contains("hubSuperseded"), "\(again.transcript)")
            #expect(again.transcript.contains("My Home"))

            // It doesn't start again either, and prints why.
            let refused = try await fixture.run("hub", "--data", fixture.data, "--socket", fixture.socket)
            #expect(refused.status == 1)
            #expect(refused.error.contains("hubSuperseded") && refused.error.contains("hearth claim --data"))

            let chosen = try await fixture.run("claim", "--data", fixture.data)
            #expect(chosen.status == 0, "\(chosen.error)")
            let last = try await fixture.startHub()
            #expect(await new.exit() == 1)
            #expect(new.transcript.contains("hubSuperseded"))
            #expect(try await fixture.run("home", "list").output.contains("My Home"))
            // A running hub's folder can't be claimed, and neither can a missing folder.
            #expect(try await fixture.run("claim", "--data", fixture.data).error.contains("storeInUse"))
            let missing = fixture.folder.appending(path: "missing").path
            #expect(try await fixture.run("claim", "--data", missing).status == 1)
            #expect(!FileManager.default.fileExists(atPath: missing))
            let empty = fixture.folder.appending(path: "empty")
            try FileManager.default.createDirectory(at: empty, withIntermediateDirectories: false)
            #expect(try await fixture.run("claim", "--data", empty.path).error.contains("doesn't contain homes"))
            #expect(try FileManager.default.contentsOfDirectory(atPath: empty.path).isEmpty)
            #expect(await last.terminate() == 0)
            #expect(await lamp.terminate() == 0)
        }
    }
}
