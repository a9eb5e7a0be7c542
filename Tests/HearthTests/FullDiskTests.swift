import AgeFile
import Foundation
import HomeStore
import PeerProcess
import Testing

/// Backups, restores and daily copies on full disks, and by programs that are killed in the middle of them. Each disk
/// is a small file system in a separate mount namespace, which ends with its process.
struct FullDiskTests {
    private static let passphrase = "summer rain"
    private static let secret = ["--passphrase-fd", "0"]

    /// Mounts a disk and executes a program. Arguments: the mount point, the size, the program and its arguments.
    private static let onDisk = """
        mount -t tmpfs -o size="$2",mode=0700 tmpfs "$1" && shift 2 && exec "$@"
        """
    /// Runs a program on a disk, and prints its exit status and the remaining files. Arguments: the mount point, the
    /// size, the folder to list, the program and its arguments. The passphrase is in the environment.
    private static let listed = """
        mount -t tmpfs -o size="$2",mode=0700 tmpfs "$1" || exit
        list=$3; shift 3
        echo "$PASSPHRASE" | "$@" 2>&1
        echo "status ${PIPESTATUS[1]}"
        ls -A "$list" 2>/dev/null | sed 's/^/left /'
        """

    private static func shell(_ script: String, _ arguments: [String]) throws -> PeerProcess {
        try PeerProcess(
            URL(filePath: "/usr/bin/unshare"),
            ["--mount", "/bin/bash", "-c", script, "disk"] + arguments,
            environment: ["PASSPHRASE": passphrase]
        )
    }

    /// Runs a command on a disk of the given size.
    ///
    /// - Returns: Its exit status, its output, and the names of the remaining files.
    private func run(
        on disk: URL,
        _ kibibytes: Int,
        listing folder: URL,
        _ arguments: [String]
    ) async throws -> (status: Int, text: String, left: [String]) {
        try FileManager.default.createDirectory(at: disk, withIntermediateDirectories: true)
        let process = try Self.shell(
            Self.listed,
            [disk.path, "\(kibibytes)k", folder.path, Programs.hearth.path] + arguments
        )
        await process.exit()
        let text = process.transcript
        let lines = text.split(separator: "\n").map(String.init)
        let status = lines.last { $0.hasPrefix("status ") }.flatMap { Int($0.dropFirst("status ".count)) }
        let left = lines.filter { $0.hasPrefix("left ") }.map { String($0.dropFirst("left ".count)) }
        return (try #require(status, "\(text)"), text, left)
    }

    /// Creates a backup of a home. Its work factor is a sixteenth of the factor of `hearth backup`, because these tests
    /// open it very often. A restore accepts any factor.
    private func makeBackup(_ fixture: Fixture) async throws -> URL {
        let hub = try await fixture.startHub()
        #expect(try await fixture.run("home", "add", "My Home").status == 0)
        #expect(await hub.terminate() == 0)
        let copy = fixture.folder.appending(path: "copy.sqlite")
        let store = try await HomeStore.open(at: URL(filePath: fixture.data))
        try await store.copy(to: copy)
        try await store.close()
        var random = SystemRandomNumberGenerator()
        let work = ScryptWorkFactor(exponent: ScryptWorkFactor.standard.exponent - 4)
        var encryptor = try AgeEncryptor(passphrase: Self.passphrase, work: work, random: &random)
        let sealed = try encryptor.update(Data(contentsOf: copy)) + encryptor.finish()
        let file = fixture.folder.appending(path: "home.age")
        try Data(sealed).write(to: file)
        return file
    }

    @Test func aBackupForWhichThereIsNoRoomLeavesNothing() async throws {
        try await Fixture.with { fixture in
            let hub = try await fixture.startHub()
            #expect(try await fixture.run("home", "add", "My Home").status == 0)
            let disk = fixture.folder.appending(path: "disk")
            let file = disk.appending(path: "home.age").path
            let command = ["backup", file, "--socket", fixture.socket] + Self.secret
            let full = try await run(on: disk, 32, listing: disk, command)
            #expect(full.status == 1)
            #expect(full.text.contains("fileUnwritable") && full.text.contains("No space left"), "\(full.text)")
            #expect(full.left.isEmpty)
            let roomy = try await run(on: disk, 4_096, listing: disk, command)
            #expect(roomy.status == 0, "\(roomy.text)")
            #expect(roomy.left == ["home.age"])
            #expect(await hub.terminate() == 0)
        }
    }

    /// Disk sizes that are too small for the decrypted copy, the database's copy, or its changes, and one that is
    /// sufficient.
    @Test func aRestorationForWhichThereIsNoRoomLeavesNoHome() async throws {
        try await Fixture.with { fixture in
            let file = try await makeBackup(fixture)
            let disk = fixture.folder.appending(path: "disk")
            let data = disk.appending(path: "hub")
            var statuses: [Int] = []
            for kibibytes in [32, 96, 144, 200, 4_096] {
                let command = ["restore", file.path, "--data", data.path] + Self.secret
                let outcome = try await run(on: disk, kibibytes, listing: data, command)
                statuses.append(outcome.status)
                if outcome.status == 0 {
                    #expect(outcome.left == ["hearth.sqlite", "lock"], "\(kibibytes): \(outcome.left)")
                } else {
                    #expect(outcome.status == 1)
                    #expect(outcome.text.contains("pace left"), "\(kibibytes): \(outcome.text)")
                    #expect(outcome.left.filter { $0 != "lock" }.isEmpty, "\(kibibytes): \(outcome.left)")
                }
            }
            #expect(statuses.first == 1 && statuses.last == 0, "\(statuses)")
        }
    }

    @Test func aHubWhoseDiskIsFullMakesNeitherBackupNorCopyAndGoesOnOnceThereIsRoom() async throws {
        try await Fixture.with { fixture in
            // The home's first daily copy is due.
            var hub = try await fixture.startHub(["--keep-copies", "0"])
            #expect(try await fixture.run("home", "add", "My Home").status == 0)
            #expect(await hub.terminate() == 0)
            let disk = fixture.folder.appending(path: "disk")
            try FileManager.default.createDirectory(at: disk, withIntermediateDirectories: true)
            let (data, ballast) = (disk.appending(path: "hub").path, disk.appending(path: "ballast").path)
            // Once open, the write-ahead log takes the remaining space.
            let script = """
                mount -t tmpfs -o size=1200k,mode=0700 tmpfs "$1" && cp -a "$2" "$1/hub" || exit
                head -c 890000 /dev/zero >"$3"; shift 3; exec "$@"
                """
            let hubOptions = ["--data", data, "--socket", fixture.socket, "--mdns-interface", "127.0.0.1", "--json"]
            hub = try Self.shell(script, [disk.path, fixture.data, ballast, Programs.hearth.path, "hub"] + hubOptions)
            _ = try await hub.json(Fixture.Line.self, "the hub's start") { $0.event == "ready" }
            // The disk in the hub's mount namespace.
            let seen = URL(filePath: "/proc/\(hub.processIdentifier)/root" + disk.path)
            func names(_ folder: String) -> [String] {
                (try? FileManager.default.contentsOfDirectory(atPath: seen.appending(path: "hub/\(folder)").path)) ?? []
            }
            try await until("the copy fails") { hub.transcript.contains("copy of the homes could not be made") }
            #expect(names("copies").isEmpty)

            let file = fixture.folder.appending(path: "home.age")
            let refused = try await fixture.run(["backup", file.path] + Self.secret, input: Self.passphrase)
            #expect(refused.status == 1)
            #expect(
                refused.error.contains("storeFailure") && refused.error.contains("no space left"),
                "\(refused.error)"
            )
            #expect(names("outgoing").isEmpty)
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path).allSatisfy {
                    !$0.hasPrefix(".")
                }
            )
            #expect(!FileManager.default.fileExists(atPath: file.path))

            try FileManager.default.removeItem(at: seen.appending(path: "ballast"))
            #expect(try await fixture.run("room", "add", "Attic").status == 0)
            let made = try await fixture.run(["backup", file.path] + Self.secret, input: Self.passphrase)
            #expect(made.status == 0, "\(made.error)")
            #expect(try await fixture.run("room", "list").output == "Attic\n")
            #expect(await hub.terminate() == 0)
        }
    }

    @Test func aBackupWhoseHubIsKilledLeavesNothing() async throws {
        try await Fixture.with { fixture in
            var hub = try await fixture.startHub()
            #expect(try await fixture.run("home", "add", "My Home").status == 0)
            let file = fixture.folder.appending(path: "home.age")
            // The backup may be there before it is looked for.
            var outcome: Fixture.Outcome
            let end = ContinuousClock.now + Wait.limit
            repeat {
                try #require(ContinuousClock.now < end, "the backup is always quicker")
                try? FileManager.default.removeItem(at: file)
                async let backup = fixture.run(["backup", file.path] + Self.secret, input: Self.passphrase)
                try await until("the backup starts") {
                    !Self.incompleteFiles(in: fixture.folder).isEmpty
                        || FileManager.default.fileExists(atPath: file.path)
                }
                hub.kill(SIGKILL)
                await hub.exit()
                outcome = try await backup
                if outcome.status == 0 { hub = try await fixture.startHub() }
            } while outcome.status == 0
            #expect(outcome.status == 1)
            #expect(outcome.error.contains("connectionLost"), "\(outcome.error)")
            #expect(Self.incompleteFiles(in: fixture.folder).isEmpty)
            #expect(!FileManager.default.fileExists(atPath: file.path))

            // The hub removes its incomplete file at its next start.
            let again = try await fixture.startHub()
            let outgoing = URL(filePath: fixture.data).appending(path: "outgoing").path
            #expect(!FileManager.default.fileExists(atPath: outgoing))
            #expect(await again.terminate() == 0)
        }
    }

    @Test func whatABackupThatWasKilledHasLeftGoesWithTheNextOne() async throws {
        try await Fixture.with { fixture in
            let hub = try await fixture.startHub()
            #expect(try await fixture.run("home", "add", "My Home").status == 0)
            let file = fixture.folder.appending(path: "home.age")
            // A command that finished before the signal counts as finished.
            while Self.incompleteFiles(in: fixture.folder).isEmpty {
                try? FileManager.default.removeItem(at: file)
                let process = try start(["backup", file.path, "--socket", fixture.socket])
                try await until("the backup starts") {
                    !Self.incompleteFiles(in: fixture.folder).isEmpty
                        || FileManager.default.fileExists(atPath: file.path)
                }
                process.kill(SIGKILL)
                await process.exit()
            }
            #expect(Self.incompleteFiles(in: fixture.folder).count == 1)

            // The hub makes one backup at a time, and may still be making the one of the killed command.
            let again = try await Wait.value(where: { !$0.error.contains("notAllowedNow") }) {
                try? FileManager.default.removeItem(at: file)
                return try await fixture.run(["backup", file.path] + Self.secret, input: Self.passphrase)
            }
            #expect(again.status == 0, "\(again.error)")
            #expect(FileManager.default.fileExists(atPath: file.path))
            #expect(Self.incompleteFiles(in: fixture.folder).isEmpty)
            // The hub keeps no file for either backup.
            let outgoing = URL(filePath: fixture.data).appending(path: "outgoing").path
            try await until("the hub has no incomplete files") {
                (try? FileManager.default.contentsOfDirectory(atPath: outgoing))?.isEmpty != false
            }
            #expect(await hub.terminate() == 0)
        }
    }

    @Test func aRestorationThatIsKilledLeavesNoHomeAndIsDoneAgain() async throws {
        try await Fixture.with { fixture in
            let file = try await makeBackup(fixture)
            let data = fixture.folder.appending(path: "elsewhere")
            for sign in [".hearth.sqlite.unsealed", "hearth.sqlite.unsealed", "hearth.sqlite.new"] {
                let process = try start(["restore", file.path, "--data", data.path])
                func names() -> [String] {
                    (try? FileManager.default.contentsOfDirectory(atPath: data.path)) ?? []
                }
                // Or, if the file appeared and vanished unnoticed, after the copy is complete.
                try await until("\(sign) exists") {
                    names().contains { $0.hasPrefix(sign) || $0 == "hearth.sqlite" }
                }
                process.kill(SIGKILL)
                await process.exit()
                if names().contains("hearth.sqlite") { try FileManager.default.removeItem(at: data) }
            }
            let restored = try await fixture.run(
                ["restore", file.path, "--data", data.path] + Self.secret,
                input: Self.passphrase
            )
            #expect(restored.status == 0, "\(restored.error)")
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: data.path).sorted() == ["hearth.sqlite", "lock"]
            )
        }
    }

    @Test func onlyAnEmptyFolderIsRestoredInto() async throws {
        try await Fixture.with { fixture in
            let file = try await makeBackup(fixture)
            func refusal(_ data: String) async throws -> String {
                // There is no passphrase, and the command doesn't prompt for one.
                let outcome = try await fixture.run(["restore", file.path, "--data", data] + Self.secret, input: "")
                #expect(outcome.status == 1)
                return outcome.error
            }
            #expect(try await refusal(fixture.data).contains("storeOccupied"))
            let hub = try await fixture.startHub()
            #expect(try await refusal(fixture.data).contains("already contains homes"))
            #expect(await hub.terminate() == 0)
            let papers = fixture.folder.appending(path: "papers")
            try FileManager.default.createDirectory(at: papers, withIntermediateDirectories: false)
            try Data("mine".utf8).write(to: papers.appending(path: "letter"))
            #expect(try await refusal(papers.path).contains("is not empty: it contains letter"))
            #expect(try FileManager.default.contentsOfDirectory(atPath: papers.path) == ["letter"])
        }
    }

    /// Starts a command, with the passphrase.
    private func start(_ arguments: [String]) throws -> PeerProcess {
        let process = try PeerProcess(Programs.hearth, arguments + Self.secret)
        try process.send(Self.passphrase)
        return process
    }

    private static func incompleteFiles(in folder: URL) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasPrefix(".") }
    }

    private struct TimeoutError: Error {
        var what: String
    }

    private func until(_ what: String, _ condition: () -> Bool) async throws {
        let deadline = ContinuousClock.now + Wait.limit
        while !condition() {
            guard ContinuousClock.now < deadline else { throw TimeoutError(what: what) }
            try await Task.sleep(for: .milliseconds(2))
        }
    }
}
