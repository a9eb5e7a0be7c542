import Foundation
import PeerProcess
import Testing

/// The demo, as a new user runs it.
struct DemoTests {
    private static func files() throws -> String {
        try PeerPython.packageRoot().appending(path: "Examples/DemoHome").path
    }

    @Test func theDemoSetsUpItsHomeShowsItOnceAndLeavesNothing() async throws {
        try await Fixture.with { fixture in
            let process = try PeerProcess(
                Programs.hearth,
                ["demo", "--once", "--files", try Self.files()],
                environment: ["XDG_RUNTIME_DIR": fixture.folder.path]
            )
            for expected in ["Demo Home", "Upstairs", "Kids' Room", "Night Light", "Fade Rate"] {
                _ = try await process.line(expected) { $0.contains(expected) }
            }
            #expect(await process.terminate() == 0)
            let left = try FileManager.default.subpathsOfDirectory(atPath: fixture.folder.path)
            #expect(left == ["hearth"])
        }
    }

    @Test func theDemoLivesUntilItIsInterrupted() async throws {
        try await Fixture.with { fixture in
            let process = try PeerProcess(
                Programs.hearth,
                ["demo", "--files", try Self.files()],
                environment: ["XDG_RUNTIME_DIR": fixture.folder.path]
            )
            let line = try await process.line("the socket") { $0.contains("HEARTH_SOCKET=") }
            let socket = String(line.split(separator: "=").last ?? "")
            let set = try await fixture.run("set", "Kitchen Light", "On", "on", "--socket", socket)
            #expect(set.status == 0, "\(set)")
            _ = try await process.line("the new value") { $0.contains("Kitchen Light") && $0.contains("on") }
            process.kill(SIGTERM)
            await process.exit()
            #expect(try FileManager.default.subpathsOfDirectory(atPath: fixture.folder.path) == ["hearth"])
        }
    }

    @Test func automationsOfTheDemoLive() async throws {
        try await Fixture.with { fixture in
            let process = try PeerProcess(
                Programs.hearth,
                ["demo", "--files", try Self.files()],
                environment: ["XDG_RUNTIME_DIR": fixture.folder.path]
            )
            let line = try await process.line("the socket") { $0.contains("HEARTH_SOCKET=") }
            let socket = String(line.split(separator: "=").last ?? "")
            let list = try await fixture.run("automation", "list", "--socket", socket)
            let rows = list.output.split(separator: "\n").map {
                $0.split(separator: "  ", omittingEmptySubsequences: true)
            }
            let texts = rows.map { $0.map { $0.trimmingCharacters(in: .whitespaces) } }
            #expect(
                texts == [
                    ["Sunset Lamp", "enabled", "20 minutes before sunset", "Evening"],
                    [
                        "Hallway Motion", "enabled", "when Motion Sensor detects motion, for 2 minutes",
                        "Light the Hallway",
                    ],
                    ["Leaving Home", "enabled", "when the last person leaves", "Leave Home"],
                ],
                "\(list)"
            )
            // The last person leaves, and the hub turns the lamp off.
            #expect(try await fixture.run("get", "Living Room Lamp", "On", "--socket", socket).output == "on\n")
            // Ann, a guest with a device of her own, who isn't reported as being at home.
            let users = try await fixture.run("user", "list", "--socket", socket).output
            #expect(users.split(separator: "\n").last?.contains(/^Ann +guest +can control/) == true, "\(users)")
            #expect(try await fixture.run("presence", "me", "away", "--socket", socket).status == 0)
            _ = try await Wait.value(where: { $0.output == "off\n" }) {
                try await fixture.run("get", "Living Room Lamp", "On", "--socket", socket)
            }
            process.kill(SIGTERM)
            await process.exit()
        }
    }

    @Test func withoutMDNSTheDemoFailsAndSaysSo() async throws {
        try await Fixture.with { fixture in
            // In a separate network, where a program holds the port and doesn't share it.
            let script = """
                import os, socket, subprocess, sys
                subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
                holder = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
                holder.bind(("0.0.0.0", 5353))
                os.environ["XDG_RUNTIME_DIR"] = sys.argv[1]
                sys.exit(subprocess.run(sys.argv[2:], timeout=180).returncode)
                """
            let process = try PeerProcess(
                URL(filePath: "/usr/bin/unshare"),
                ["--map-root-user", "--net", "python3", "-c", script, fixture.folder.path, Programs.hearth.path]
                    + ["demo", "--once", "--files", try Self.files()]
            )
            await process.exit()
            #expect(await process.terminate() == 1, "\(process.transcript)")
            #expect(process.transcript.contains("5353"), "\(process.transcript)")
            #expect(try FileManager.default.subpathsOfDirectory(atPath: fixture.folder.path) == ["hearth"])
        }
    }
}
