import Foundation
import PeerProcess
import Testing

/// The systemd unit of the agent, `Packaging/hearth-agent.service`.
struct AgentUnitTests {
    private static let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Packaging/hearth-agent.service")

    /// Returns the values of a key.
    private static func values(_ key: String) throws -> [String] {
        try String(contentsOf: file, encoding: .utf8).split(separator: "\n").compactMap { line in
            line.hasPrefix("\(key)=") ? String(line.dropFirst(key.count + 1)) : nil
        }
    }

    @Test func theUnitsCommandTellsTheServiceManagerWhenTheAgentIsReadyAndWhenItEnds() async throws {
        try await Fixture.with { fixture in
            #expect(try Self.values("Type") == ["notify"])
            let state = fixture.folder.appending(path: "state").path
            let runtime = fixture.folder.appending(path: "run").path
            // What systemd makes of the folders that the unit names.
            for (folder, key) in [(state, "StateDirectory"), (runtime, "RuntimeDirectory")] {
                let name = try #require(try Self.values(key).first)
                let mode = try #require(try Self.values("\(key)Mode").first.flatMap { Int($0, radix: 8) })
                try FileManager.default.createDirectory(
                    atPath: "\(folder)/\(name)",
                    withIntermediateDirectories: true,
                    attributes: [.posixPermissions: NSNumber(value: mode)]
                )
                chmod("\(folder)/\(name)", mode_t(mode))
            }
            let command = try #require(try Self.values("ExecStart").first)
                .replacingOccurrences(of: "%S", with: state).replacingOccurrences(of: "%t", with: runtime)
            var words = command.split(separator: " ").map(String.init)
            #expect(words.removeFirst() == "@bindir@/hearth")
            let path = fixture.folder.appending(path: "notify").path
            let manager = try ServiceManagerSocket(path: path)
            let agent = try PeerProcess(
                Programs.hearth,
                words + ["--mdns-interface", "127.0.0.1"],
                environment: [ServiceManagerSocket.variable: path]
            )
            #expect(try manager.message() == "READY=1")
            let list = try await fixture.run("home", "list", "--socket", "\(runtime)/hearth/hub.sock")
            #expect(list.status == 0, "\(list.error)")
            #expect(await agent.terminate() == 0)
            #expect(try manager.message() == "STOPPING=1")

            // A failure that a restart can't mend isn't repeated.
            let statuses = try #require(try Self.values("RestartPreventExitStatus").first).split(separator: " ")
            try Data("{".utf8).write(to: URL(filePath: "\(state)/hearth-agent/agent.json"))
            let damaged = try PeerProcess(Programs.hearth, words)
            let status = await damaged.exit()
            #expect(statuses.contains("\(status)"))
        }
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/systemd-analyze")))
    func systemdAcceptsTheUnit() async throws {
        try await Fixture.with { fixture in
            let unit = fixture.folder.appending(path: "hearth-agent.service")
            let text = try String(contentsOf: Self.file, encoding: .utf8)
            let program = Programs.hearth.deletingLastPathComponent().path
            try Data(text.replacingOccurrences(of: "@bindir@", with: program).utf8).write(to: unit)
            let verified = try await fixture.run(
                [
                    "XDG_RUNTIME_DIR=\(fixture.folder.path)", "systemd-analyze", "verify", "--user", "--man=no",
                    unit.path,
                ],
                of: URL(filePath: "/usr/bin/env")
            )
            #expect(verified.status == 0, "\(verified.output)\(verified.error)")
            #expect(!verified.error.contains("hearth-agent.service"), "\(verified.error)")
        }
    }
}
