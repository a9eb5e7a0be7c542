import Foundation
import HomeIdentity
import PeerProcess
import Testing

/// An agent whose copy of the homes can't be written or read. The copy is never worth a failure.
struct AgentDiskTests {
    private struct Line: Decodable, Sendable {
        var event: String?
    }

    private struct Invitation: Decodable {
        var code: String?
        var link: String?
    }

    /// Mounts a small disk in a mount namespace, which lasts as long as this process. Argument: the mount point.
    private static let holdDisk = """
        mount -t tmpfs -o size=2m,mode=0700 tmpfs "$1" && echo '{"event":"ready"}' && exec sleep 3600
        """

    /// A hub with the home "Villa", and an agent's data folder that may be on a disk of its own.
    private struct Lab: Sendable {
        let hub: Fixture
        let device: Fixture
        /// The process that holds the disk; `nil` if the data is on an ordinary one.
        let disk: PeerProcess?

        var data: URL { device.folder.appending(path: "disk/agent") }
        /// The data folder as this process sees it.
        var visibleData: URL {
            guard let disk else { return data }
            return URL(filePath: "/proc/\(disk.processIdentifier)/root\(data.path)")
        }

        static func with(disk hasDisk: Bool, _ body: (Lab) async throws -> Void) async throws {
            try await Fixture.with { fixture in
                let places = try ["hub", "device"].map { name in
                    let folder = fixture.folder.appending(path: name)
                    try FileManager.default.createDirectory(
                        at: folder.appending(path: "disk"),
                        withIntermediateDirectories: true
                    )
                    chmod(folder.path, 0o700)
                    return Fixture(folder: folder)
                }
                var holder: PeerProcess?
                if hasDisk {
                    let point = places[1].folder.appending(path: "disk").path
                    let process = try PeerProcess(
                        URL(filePath: "/usr/bin/unshare"),
                        ["--mount", "/bin/bash", "-c", holdDisk, "disk", point]
                    )
                    _ = try await process.json(Line.self, "the disk") { $0.event == "ready" }
                    holder = process
                }
                try await body(Lab(hub: places[0], device: places[1], disk: holder))
                holder?.kill(SIGKILL)
                _ = await holder?.exit()
            }
        }

        func startHub() async throws -> PeerProcess { try await hub.startHub(["--network", "127.0.0.1:0"]) }

        func startAgent() async throws -> PeerProcess {
            let arguments = [
                "agent", "--data", data.path, "--socket", device.socket, "--mdns-interface", "127.0.0.1", "--json",
            ]
            let agent: PeerProcess
            if let disk {
                let namespace = "--mount=/proc/\(disk.processIdentifier)/ns/mnt"
                agent = try PeerProcess(
                    URL(filePath: "/usr/bin/nsenter"),
                    [namespace, Programs.hearth.path] + arguments
                )
            } else {
                agent = try PeerProcess(Programs.hearth, arguments)
            }
            _ = try await agent.json(Line.self, "the agent's start") { $0.event == "ready" }
            return agent
        }

        /// Joins the hub with a code. A link tells the port.
        func join() async throws {
            func read(_ arguments: String...) async throws -> Invitation {
                let outcome = try await hub.run(arguments + ["--json"])
                #expect(outcome.status == 0, "\(outcome.error)")
                return try JSONDecoder().decode(Invitation.self, from: Data(outcome.output.utf8))
            }
            let link = try #require(try await read("device", "add", "--link").link)
            let port = try #require(try InvitationLink(link).addresses.first?.port)
            let code = try #require(try await read("device", "add").code)
            let joined = try await device.run("join", code, "--host", "127.0.0.1", "--port", "\(port)")
            #expect(joined.status == 0, "\(joined.error)")
        }

        /// Waits until the agent lists rooms.
        func rooms(_ expected: [String]) async throws {
            let rooms = try await Wait.value {
                expected.allSatisfy($0.contains)
            } of: {
                try await device.run("room", "list").output
            }
            #expect(expected.allSatisfy(rooms.contains), "\(rooms)")
        }

        /// Adds a room at the hub, and waits until the agent has it.
        func add(_ room: String) async throws {
            #expect(try await hub.run("room", "add", room).status == 0)
            try await rooms([room])
        }

        /// The file of the copy.
        func copy() throws -> URL {
            let hubs = visibleData.appending(path: "hubs")
            let names = try FileManager.default.contentsOfDirectory(atPath: hubs.path)
            return hubs.appending(path: try #require(names.first)).appending(path: "copy.sqlite")
        }

        /// Waits until a text is in the files of the copy. SQLite stores it as it is.
        func written(_ text: String) async throws {
            let copy = try copy()
            try await Wait.until("“\(text)” is in the copy") {
                ["", "-wal"].contains { suffix in
                    let file = URL(filePath: copy.path + suffix)
                    return (try? Data(contentsOf: file))?.range(of: Data(text.utf8)) != nil
                }
            }
        }

        /// Waits until an agent has logged something.
        func logged(_ text: String, by agent: PeerProcess) async throws {
            try await Wait.until("the agent logs “\(text)”") { agent.transcript.contains(text) }
        }
    }

    @Test func onAFullDiskTheAgentGoesOnAndWritesTheCopyWhenThereIsRoom() async throws {
        try await Lab.with(disk: true) { lab in
            var hub = try await lab.startHub()
            #expect(try await lab.hub.run("home", "add", "Villa").status == 0)
            var agent = try await lab.startAgent()
            try await lab.join()
            try await lab.add("Kitchen")
            try await lab.written("Kitchen")

            let ballast = lab.visibleData.deletingLastPathComponent().appending(path: "ballast")
            try fill(ballast)
            try await lab.add("Attic")
            try await lab.logged("can't be written", by: agent)
            // Without the hub, it serves what it has in memory.
            #expect(await hub.terminate() == 0)
            try await lab.rooms(["Kitchen", "Attic"])

            // It starts on a full disk too, with what is on it.
            agent.kill(SIGKILL)
            _ = await agent.exit()
            agent = try await lab.startAgent()
            try await lab.rooms(["Kitchen"])

            try FileManager.default.removeItem(at: ballast)
            agent.kill(SIGKILL)
            _ = await agent.exit()
            agent = try await lab.startAgent()
            hub = try await lab.startHub()
            try await lab.rooms(["Attic"])
            try await lab.add("Cellar")
            try await lab.written("Cellar")
            #expect(await hub.terminate() == 0)
            agent.kill(SIGKILL)
            _ = await agent.exit()
            agent = try await lab.startAgent()
            try await lab.rooms(["Kitchen", "Attic", "Cellar"])
            #expect(await agent.terminate() == 0)
        }
    }

    /// Writes a file until the disk is full.
    private func fill(_ file: URL) throws {
        let descriptor = open(file.path, O_WRONLY | O_CREAT, 0o600)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        var size = 65_536
        while size > 0 {
            let bytes = [UInt8](repeating: 7, count: size)
            if write(descriptor, bytes, size) < size { size /= 2 }
        }
        #expect(errno == ENOSPC)
    }

    @Test func aDamagedCopyIsMadeAnewAndTheAgentSaysSo() async throws {
        try await Lab.with(disk: false) { lab in
            var hub = try await lab.startHub()
            #expect(try await lab.hub.run("home", "add", "Villa").status == 0)
            var agent = try await lab.startAgent()
            try await lab.join()
            try await lab.add("Kitchen")
            #expect(await agent.terminate() == 0)
            #expect(await hub.terminate() == 0)
            let copy = try lab.copy()
            var bytes = try Data(contentsOf: copy)
            for index in 100..<bytes.count { bytes[index] ^= 0x5A }
            try bytes.write(to: copy)

            agent = try await lab.startAgent()
            try await lab.logged("was damaged and is made anew", by: agent)
            #expect(try await !lab.device.run("home", "list").output.contains("Villa"))
            hub = try await lab.startHub()
            try await lab.rooms(["Kitchen"])
            try await lab.written("Kitchen")
            #expect(await hub.terminate() == 0)
            #expect(await agent.terminate() == 0)
            agent = try await lab.startAgent()
            try await lab.rooms(["Kitchen"])
            #expect(await agent.terminate() == 0)
        }
    }

    @Test func aCopyOfALaterVersionIsLeftAlone() async throws {
        try await Lab.with(disk: false) { lab in
            var hub = try await lab.startHub()
            #expect(try await lab.hub.run("home", "add", "Villa").status == 0)
            var agent = try await lab.startAgent()
            try await lab.join()
            try await lab.add("Kitchen")
            #expect(await agent.terminate() == 0)
            #expect(await hub.terminate() == 0)
            let copy = try lab.copy()
            var bytes = try Data(contentsOf: copy)
            // The format's version, in the header of an SQLite file.
            bytes.replaceSubrange(60..<64, with: [0, 0, 0, 99])
            try bytes.write(to: copy)

            agent = try await lab.startAgent()
            try await lab.logged("newer version of Hearth", by: agent)
            hub = try await lab.startHub()
            try await lab.rooms(["Kitchen"])
            try await lab.add("Attic")
            #expect(await hub.terminate() == 0)
            try await lab.rooms(["Kitchen", "Attic"])
            #expect(await agent.terminate() == 0)
            #expect(try Data(contentsOf: copy) == bytes)
        }
    }
}
