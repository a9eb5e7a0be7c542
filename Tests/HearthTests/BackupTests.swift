import Foundation
import PeerProcess
import Testing

/// Backs up a home to a file, and restores it.
struct BackupTests {
    private static let passphrase = "summer rain on a tin roof"

    /// Runs a command with a passphrase on its standard input.
    private func run(_ fixture: Fixture, _ arguments: String..., passphrase: String = passphrase) async throws
        -> Fixture.Outcome
    {
        try await fixture.run(arguments + ["--passphrase-fd", "0"], input: passphrase)
    }

    @Test func aPairedHomeMovesToAnotherFolderByItsBackup() async throws {
        try await Fixture.with { fixture in
            let id = Fixture.newDeviceID()
            let lamp = try await fixture.startLamp(id)
            let hub = try await fixture.startHub()
            #expect(try await fixture.run("home", "add", "My Home").status == 0)
            #expect(try await fixture.run("room", "add", "Attic").status == 0)
            let added = try await fixture.add(id, "--code", "-", "--room", "Attic", input: Fixture.lampCode)
            #expect(added.status == 0, "\(added.error)")
            #expect(try await fixture.run("user", "add", "Ann", "--role", "guest").status == 0)
            let before = try await fixture.run("export").output
            #expect(before.contains("Attic") && before.contains("Lamp"))
            let file = fixture.folder.appending(path: "home.age").path
            let made = try await run(fixture, "backup", file)
            #expect(made.status == 0, "\(made.error)")
            // Changes after the backup aren't in it.
            #expect(try await fixture.run("room", "add", "Cellar").status == 0)
            #expect(await hub.terminate() == 0)

            let elsewhere = fixture.folder.appending(path: "elsewhere").path
            let restored = try await run(fixture, "restore", file, "--data", elsewhere)
            #expect(restored.status == 0, "\(restored.error)")
            #expect(restored.output.contains("hearth user confirm NAME"))
            let arguments = [
                "--data", elsewhere, "--socket", fixture.socket, "--mdns-interface", "127.0.0.1", "--json",
            ]
            let moved = try PeerProcess(Programs.hearth, ["hub"] + arguments)
            _ = try await moved.json(Fixture.Line.self, "the hub's start") { $0.event == "ready" }
            #expect(try await fixture.run("room", "list").output == "Attic\n")
            // The pairing is restored too: no setup code is needed.
            let written = try await fixture.run("set", "Lamp", "On", "true")
            #expect(written.status == 0, "\(written.error)")
            // The homes are equal, except that the guest is suspended until the owner confirms her.
            let after = try await fixture.run("export").output
            let changed = after.split(separator: "\n").filter { !before.split(separator: "\n").contains($0) }
            #expect(changed.count == 1)
            #expect(changed.first?.contains(#""isSuspended":true"#) == true, "\(changed)")
            #expect(try await fixture.run("user", "list").output.contains("Ann"))
            #expect(try await fixture.run("user", "list").output.contains("(suspended)"))
            #expect(try await fixture.run("user", "confirm", "Ann").status == 0)
            #expect(try await !fixture.run("user", "list").output.contains("(suspended)"))
            #expect(try await fixture.run("export").output == before)
            #expect(await moved.terminate() == 0)
            #expect(await lamp.terminate() == 0)
        }
    }

    @Test func ageOpensABackupWithThePassphrase() async throws {
        try await Fixture.with { fixture in
            let hub = try await fixture.startHub()
            #expect(try await fixture.run("home", "add", "My Home").status == 0)
            let file = fixture.folder.appending(path: "home.age").path
            #expect(try await run(fixture, "backup", file).status == 0)
            #expect(await hub.terminate() == 0)
            let opened = fixture.folder.appending(path: "opened").path
            let script = try PeerPython.packageRoot().appending(path: "Tests/Peers/age_passphrase.py").path
            let age = try PeerProcess(
                URL(filePath: "/usr/bin/python3"),
                [script, "open", Self.passphrase, file, opened]
            )
            await age.exit()
            #expect(await age.terminate() == 0, "\(age.transcript)")
            #expect(try Data(contentsOf: URL(filePath: opened)).starts(with: Data("SQLite format 3".utf8)))
        }
    }

    @Test func whatIsWrongWithABackupIsNamedAndNothingIsMade() async throws {
        try await Fixture.with { fixture in
            let hub = try await fixture.startHub()
            #expect(try await fixture.run("home", "add", "My Home").status == 0)
            let file = fixture.folder.appending(path: "home.age")
            #expect(try await run(fixture, "backup", file.path).status == 0)
            let again = try await run(fixture, "backup", file.path)
            #expect(again.status == 1)
            #expect(again.error.contains("fileExists"))
            let empty = try await run(fixture, "backup", file.path + "2", passphrase: "")
            #expect(empty.error.contains("noPassphrase"))
            let long = String(repeating: "p", count: 1_025)
            #expect(try await run(fixture, "backup", file.path + "2", passphrase: long).error.contains("noPassphrase"))
            #expect(try await run(fixture, "backup", file.path + "2", passphrase: String(long.dropLast())).status == 0)
            // An unrelated file isn't touched.
            let other = file.path + "3.new"
            try Data("mine".utf8).write(to: URL(filePath: other))
            #expect(try await run(fixture, "backup", file.path + "3").status == 0)
            #expect(try Data(contentsOf: URL(filePath: other)) == Data("mine".utf8))
            #expect(await hub.terminate() == 0)

            let whole = try Data(contentsOf: file)
            let elsewhere = fixture.folder.appending(path: "elsewhere")
            func refused(_ content: Data, _ passphrase: String = Self.passphrase) async throws -> String {
                try content.write(to: file)
                let outcome = try await run(
                    fixture,
                    "restore",
                    file.path,
                    "--data",
                    elsewhere.path,
                    passphrase: passphrase
                )
                #expect(outcome.status == 1)
                let database = elsewhere.appending(path: "hearth.sqlite").path
                #expect(!FileManager.default.fileExists(atPath: database))
                return outcome.error
            }
            var flipped = whole
            flipped[whole.count / 2] ^= 4
            #expect(try await refused(whole, "winter rain").contains("wrongPassphrase"))
            #expect(try await refused(flipped).contains("backupDamaged"))
            #expect(try await refused(whole.dropLast(1)).contains("backupDamaged"))
            #expect(try await refused(Data("home".utf8)).contains("notABackup"))

            // A folder with homes keeps them.
            try whole.write(to: file)
            let occupied = try await run(fixture, "restore", file.path, "--data", fixture.data)
            #expect(occupied.status == 1)
            #expect(occupied.error.contains("storeOccupied"), "\(occupied.error)")
            // No homes are left in temporary files.
            let names = try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path)
            #expect(names.filter { $0.hasPrefix(".") }.isEmpty)
            #expect(try FileManager.default.contentsOfDirectory(atPath: elsewhere.path).isEmpty)
        }
    }

    @Test func theCopyOfADayIsRestoredWithoutAPassphrase() async throws {
        try await Fixture.with { fixture in
            var hub = try await fixture.startHub()
            #expect(try await fixture.run("home", "add", "My Home").status == 0)
            #expect(await hub.terminate() == 0)
            // At the first start there was nothing to copy.
            hub = try await fixture.startHub()
            let copies = URL(filePath: fixture.data).appending(path: "copies")
            let first = try await Wait.value(where: { $0 != nil }) {
                try? FileManager.default.contentsOfDirectory(atPath: copies.path).first { $0.hasSuffix(".sqlite") }
            }
            #expect(await hub.terminate() == 0)
            let name = try #require(first)
            let elsewhere = fixture.folder.appending(path: "elsewhere").path
            let restored = try await fixture.run("restore", copies.appending(path: name).path, "--data", elsewhere)
            #expect(restored.status == 0, "\(restored.error)")
            #expect(restored.output.contains("1 home to"))
        }
    }
}
