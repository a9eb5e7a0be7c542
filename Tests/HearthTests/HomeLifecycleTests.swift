import Foundation
import PeerProcess
import Testing

/// One home through everything that happens to a home over the years.
struct HomeLifecycleTests {
    private static let secret = ["--passphrase-fd", "0"]

    private func python(_ script: String, _ arguments: String...) async throws {
        let file = try PeerPython.packageRoot().appending(path: "Tests/Peers/\(script)").path
        let process = try PeerProcess(URL(filePath: "/usr/bin/python3"), [file] + arguments)
        #expect(await process.exit() == 0, "\(process.transcript)")
    }

    @Test func aHomeOfTheOldestFormatIsUpgradedBackedUpAndRestoredAndIsTheSame() async throws {
        try await Fixture.with { fixture in
            let id = Fixture.newDeviceID()
            let lamp = try await fixture.startLamp(id)
            let first = try await fixture.startHub()
            let commands = [
                ["home", "add", "My Home"], ["room", "add", "Attic"], ["zone", "add", "Upstairs"],
                ["user", "add", "Ann", "--role", "guest"], ["scene", "add", "Movie Night"], ["group", "add", "Lights"],
            ]
            for command in commands { #expect(try await fixture.run(command).status == 0, "\(command)") }
            let added = try await fixture.add(id, "--code", "-", "--room", "Attic", input: Fixture.lampCode)
            #expect(added.status == 0, "\(added.error)")
            #expect(try await fixture.run("scene", "set", "Movie Night", "Lamp", "On", "true").status == 0)
            let before = try await fixture.run("export").output
            #expect(await first.terminate() == 0)

            // As the first versions stored it.
            let database = URL(filePath: fixture.data).appending(path: "hearth.sqlite")
            try await python("store_format1.py", database.path)
            let upgraded = try await fixture.startHub()
            #expect(FileManager.default.fileExists(atPath: database.path + ".format1"))
            #expect(try await fixture.run("export").output == before)
            #expect(try await fixture.run("set", "Lamp", "On", "true").status == 0)
            let file = fixture.folder.appending(path: "home.age").path
            let made = try await fixture.run(["backup", file] + Self.secret, input: "summer rain")
            #expect(made.status == 0, "\(made.error)")
            #expect(await upgraded.terminate() == 0)

            let elsewhere = fixture.folder.appending(path: "elsewhere").path
            let restored = try await fixture.run(
                ["restore", file, "--data", elsewhere] + Self.secret,
                input: "summer rain"
            )
            #expect(restored.status == 0, "\(restored.error)")
            let hubOptions = [
                "--data", elsewhere, "--socket", fixture.socket, "--mdns-interface", "127.0.0.1", "--json",
            ]
            let moved = try PeerProcess(Programs.hearth, ["hub"] + hubOptions)
            _ = try await moved.json(Fixture.Line.self, "the hub's start") { $0.event == "ready" }
            #expect(try await fixture.run("user", "confirm", "Ann").status == 0)
            #expect(try await fixture.run("export").output == before)
            #expect(try await fixture.run("set", "Lamp", "On", "false").status == 0)
            #expect(await moved.terminate() == 0)
            #expect(await lamp.terminate() == 0)
        }
    }

    /// The location of the format version in an SQLite database: four bytes, big-endian. Source: SQLite's "Database
    /// File Format", section 1.3.
    private static let formatPlace = 60..<64

    @Test func aStoreAndACopyOfAVersionToComeAreRefusedAndLeftAsTheyAre() async throws {
        try await Fixture.with { fixture in
            let hub = try await fixture.startHub()
            #expect(try await fixture.run("home", "add", "My Home").status == 0)
            let copies = URL(filePath: fixture.data).appending(path: "copies")
            #expect(await hub.terminate() == 0)
            let again = try await fixture.startHub()
            let copy = try await Wait.value(where: { $0 != nil }) {
                try? FileManager.default.contentsOfDirectory(atPath: copies.path).first { $0.hasSuffix(".sqlite") }
            }
            #expect(await again.terminate() == 0)
            let source = copies.appending(path: try #require(copy))
            var bytes = try Data(contentsOf: source)
            bytes.replaceSubrange(Self.formatPlace, with: [0, 0, 0, 99])

            let future = fixture.folder.appending(path: "future.sqlite")
            try bytes.write(to: future)
            let elsewhere = fixture.folder.appending(path: "elsewhere")
            let restored = try await fixture.run("restore", future.path, "--data", elsewhere.path)
            #expect(restored.status == 1)
            #expect(restored.error.contains("storeFutureFormat") && restored.error.contains("format 99"))
            #expect(!FileManager.default.fileExists(atPath: elsewhere.appending(path: "hearth.sqlite").path))

            let data = fixture.folder.appending(path: "newer")
            let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
            try FileManager.default.createDirectory(
                at: data,
                withIntermediateDirectories: false,
                attributes: attributes
            )
            let database = data.appending(path: "hearth.sqlite")
            try bytes.write(to: database)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: database.path)
            let refused = try await fixture.run("hub", "--data", data.path, "--mdns-interface", "127.0.0.1")
            #expect(refused.status == 1)
            #expect(refused.error.contains("storeFutureFormat") && refused.error.contains("Use the newer version"))
            #expect(try Data(contentsOf: database) == bytes)
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: data.path).sorted() == ["hearth.sqlite", "lock"]
            )
        }
    }

    @Test func aSealedBackupOfAVersionToComeIsRefused() async throws {
        try await Fixture.with { fixture in
            let hub = try await fixture.startHub()
            #expect(try await fixture.run("home", "add", "My Home").status == 0)
            let file = fixture.folder.appending(path: "home.age").path
            let made = try await fixture.run(["backup", file] + Self.secret, input: "summer rain")
            #expect(made.status == 0, "\(made.error)")
            #expect(await hub.terminate() == 0)

            let opened = fixture.folder.appending(path: "opened")
            try await python("age_passphrase.py", "open", "summer rain", file, opened.path)
            var bytes = try Data(contentsOf: opened)
            bytes.replaceSubrange(Self.formatPlace, with: [0, 0, 0, 99])
            try bytes.write(to: opened)
            let future = fixture.folder.appending(path: "future.age").path
            try await python("age_passphrase.py", "seal", "summer rain", opened.path, future)
            let data = fixture.folder.appending(path: "elsewhere")
            let arguments = ["--data", data.path] + Self.secret
            let refused = try await fixture.run(["restore", future] + arguments, input: "summer rain")
            #expect(refused.status == 1)
            #expect(refused.error.contains("storeFutureFormat"), "\(refused.error)")
            #expect(refused.error.contains("format 99") && refused.error.contains("Use the newer version"))
            let left = try FileManager.default.contentsOfDirectory(atPath: data.path)
            #expect(left.filter { $0 != "lock" }.isEmpty, "\(left)")
            // The folder can be used again like a new one.
            let restored = try await fixture.run(["restore", file] + arguments, input: "summer rain")
            #expect(restored.status == 0, "\(restored.error)")
        }
    }

    @Test func aDatabaseOfAnotherProgramIsNoBackup() async throws {
        try await Fixture.with { fixture in
            let foreign = fixture.folder.appending(path: "foreign.sqlite")
            let script =
                "import sqlite3,sys; c=sqlite3.connect(sys.argv[1]); c.execute('CREATE TABLE a (b)'); c.commit()"
            let process = try PeerProcess(URL(filePath: "/usr/bin/python3"), ["-c", script, foreign.path])
            #expect(await process.exit() == 0)
            let elsewhere = fixture.folder.appending(path: "elsewhere")
            let restored = try await fixture.run("restore", foreign.path, "--data", elsewhere.path)
            #expect(restored.status == 1)
            #expect(restored.error.contains("not a hub's"), "\(restored.error)")
            #expect(!FileManager.default.fileExists(atPath: elsewhere.appending(path: "hearth.sqlite").path))
        }
    }
}
