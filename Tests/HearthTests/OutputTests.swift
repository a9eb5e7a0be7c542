import Foundation
import PeerProcess
import Testing

struct OutputTests {
    private static func start(_ script: String, on fixture: Fixture) throws -> PeerProcess {
        let environment = [
            "HEARTH": Programs.hearth.path, "HEARTH_SOCKET": fixture.socket, "FOLDER": fixture.folder.path,
        ]
        return try PeerProcess(URL(filePath: "/bin/bash"), ["-c", script], environment: environment)
    }

    @Test func readinessShowsAtOnceAlsoWhenItIsTextInAPipe() async throws {
        try await Fixture.with { fixture in
            let hub = try Self.start(
                #"exec "$HEARTH" hub --data "$FOLDER/hub" --mdns-interface 127.0.0.1"#,
                on: fixture
            )
            _ = try await hub.line("the hub's readiness") { $0.contains(fixture.socket) }
            #expect(await hub.terminate() == 0)
            #expect(!FileManager.default.fileExists(atPath: fixture.socket))
        }
    }

    @Test func aReaderThatLeavesEndsTheProgramWithoutACrash() async throws {
        try await Fixture.with { fixture in
            let hub = try await fixture.startHub()
            let script = #""$HEARTH" watch --json 2> "$FOLDER/errors" | head -1; echo "ended ${PIPESTATUS[0]}""#
            let watch = try Self.start(script, on: fixture)
            _ = try await watch.line("the first line") { $0.contains("watching") }
            // One of these changes is the first that it can't write.
            let adding = Task {
                var added = 0
                while !Task.isCancelled {
                    added += 1
                    _ = try await fixture.run("home", "add", "Home \(added)")
                }
            }
            // 143: as after SIGTERM.
            _ = try await watch.line("the end of the watch") { $0 == "ended 143" }
            adding.cancel()
            _ = await adding.result
            #expect(try String(contentsOf: fixture.folder.appending(path: "errors"), encoding: .utf8) == "")
            #expect(await hub.terminate() == 0)
        }
    }

    @Test(arguments: [["--json", "room", "list"], ["room", "--json", "list"], ["room", "list", "--json"]])
    func sharedOptionsMayStandBeforeTheCommand(arguments: [String]) async throws {
        try await Fixture.with { fixture in
            let outcome = try await fixture.run(arguments)
            #expect(outcome.status == 3)
            #expect(try JSONDecoder().decode(Fixture.Line.self, from: Data(outcome.error.utf8)).error == "noHub")
        }
    }

    @Test func wrongUsageHasANameToo() async throws {
        try await Fixture.with { fixture in
            let text = try await fixture.run("get")
            #expect(text.error.hasPrefix("error: usage: "))
            #expect(text.error.contains("Usage: hearth get"))
            let json = try await fixture.run("get", "--json")
            #expect(try JSONDecoder().decode(Fixture.Line.self, from: Data(json.error.utf8)).error == "usage")
        }
    }

    @Test func demosAtTheSameTimeKeepToTheirOwnAccessories() async throws {
        try await Fixture.with { fixture in
            let files = try PeerPython.packageRoot().appending(path: "Examples/DemoHome").path
            let demos = try (0..<2).map { _ in
                let environment = ["XDG_RUNTIME_DIR": fixture.folder.path]
                return try PeerProcess(
                    Programs.hearth,
                    ["demo", "--once", "--files", files],
                    environment: environment
                )
            }
            for demo in demos {
                _ = try await demo.line("the garage") { $0.contains("Fade Rate") }
                await demo.exit()
                #expect(await demo.terminate() == 0)
            }
        }
    }
}
