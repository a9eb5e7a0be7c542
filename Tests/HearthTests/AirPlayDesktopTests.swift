import Foundation
import PeerProcess
import Testing

/// `hearth airplay receive` on a desktop, which is a session bus of the test.
@Suite(.serialized) struct AirPlayDesktopTests {
    private struct Line: Decodable, Sendable {
        var event: String?
        var port: Int?
    }

    @Test func theDesktopShowsWhatPlaysAndItsKeysReachTheSender() async throws {
        try await Fixture.with { fixture in
            let file = fixture.folder.appending(path: "silence.wav")
            try WaveFile.silence(to: file)
            let picture = fixture.folder.appending(path: "art.jpg")
            try Data([0xFF, 0xD8, 0xFF, 1, 2, 3]).write(to: picture)
            let bus = try PeerProcess(
                URL(filePath: "/usr/bin/dbus-daemon"),
                ["--session", "--nofork", "--print-address", "--address=unix:path=\(fixture.folder.path)/bus"]
            )
            let address = try await bus.line("the bus") { $0.hasPrefix("unix:") }
            let receiver = try PeerProcess(
                Programs.hearth,
                ["airplay", "receive", "--name", "Desk", "--bind", "127.0.0.1", "--pcm", "/dev/null", "--json"],
                environment: ["DBUS_SESSION_BUS_ADDRESS": address, "XDG_RUNTIME_DIR": fixture.folder.path]
            )
            let ready = try await receiver.json(Line.self, "the receiver") { $0.event == "ready" }
            let port = try #require(ready.port)
            let player = try PeerProcess(
                Programs.hearth,
                [
                    "airplay", "play", file.path, "--host", "127.0.0.1", "--port", "\(port)", "--title", "Für Elise",
                    "--art", picture.path,
                ]
            )
            _ = try await receiver.json(Line.self, "the stream") { $0.event == "started" }
            func call(_ words: String) async throws -> String {
                let name = "org.mpris.MediaPlayer2.hearth.instance\(receiver.processIdentifier)"
                return try await ShellScript.run(
                    "export DBUS_SESSION_BUS_ADDRESS='\(address)'; dbus-send --session --print-reply --dest=\(name) "
                        + "/org/mpris/MediaPlayer2 \(words) || true"
                )
            }
            let interface = "org.mpris.MediaPlayer2.Player"
            let read = "org.freedesktop.DBus.Properties.GetAll string:\(interface)"
            try await Wait.until("the desktop shows what plays") {
                let properties = try await call(read)
                return properties.contains("\"Playing\"") && properties.contains("\"Für Elise\"")
                    && properties.contains("int64 3600000000") && properties.contains("file://\(fixture.folder.path)/")
            }
            func position() async throws -> Int {
                let reply = try await call("org.freedesktop.DBus.Properties.Get string:\(interface) string:Position")
                return reply.split(separator: " ").last.flatMap { Int($0.filter(\.isNumber)) } ?? 0
            }
            let first = try await position()
            try await Wait.until("the position advances") { try await position() > first }
            // The player's service may not be found at once, and the receiver doesn't keep commands.
            try await Wait.until("a key reaches the sender") {
                _ = try await call("\(interface).Next")
                return player.transcript.contains("remote nextitem\n")
            }
            #expect(try await call("\(interface).OpenUri string:file:///x").contains("Error"))
            #expect(await player.terminate() == 0, "\(player.transcript)")
            try await Wait.until("the desktop shows that nothing plays") {
                try await call(read).contains("\"Stopped\"")
            }
            #expect(await receiver.terminate() == 0)
            await bus.terminate()
        }
    }
}
