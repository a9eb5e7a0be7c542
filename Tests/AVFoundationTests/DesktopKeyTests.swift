import AirPlay
import DesktopMedia
import Foundation
import MediaPlayer
import MediaRouting
import PeerProcess
import Synchronization
import Testing

/// An app on a desktop, which is a session bus of the test.
@Suite struct DesktopKeyTests {
    /// The app, in `Tests/Support/RadioProgram`.
    private static let app = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        .appending(path: "radio-app")

    @Test func theDesktopShowsWhatAnAppPlaysAndItsKeysReachTheHandlers() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "desktop-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let picture = folder.appending(path: "art.jpg")
        try Data([0xFF, 0xD8, 0xFF, 1, 2, 3]).write(to: picture)
        // A minute of silence.
        try await Noise.withFile(Array(repeating: 0, count: 88_200 * 60)) { file in
            try await examine(folder, file, picture)
        }
    }

    private func examine(_ folder: URL, _ file: URL, _ picture: URL) async throws {
        let bus = try PeerProcess(
            URL(filePath: "/usr/bin/dbus-daemon"),
            ["--session", "--nofork", "--print-address", "--address=unix:path=\(folder.path)/bus"]
        )
        let address = try await bus.line("the bus") { $0.hasPrefix("unix:") }
        let app = try PeerProcess(
            Self.app,
            ["Für Elise", picture.path, file.path],
            environment: [
                "DBUS_SESSION_BUS_ADDRESS": address, "XDG_RUNTIME_DIR": folder.path, "HEARTH_SOUND_CARD": "none",
                "HEARTH_AIRPLAY_ROUTE": folder.appending(path: "route.json").path,
            ]
        )
        func call(_ words: String) async throws -> String {
            let name = "org.mpris.MediaPlayer2.radio_app.instance\(app.processIdentifier)"
            return try await ShellScript.run(
                "export DBUS_SESSION_BUS_ADDRESS='\(address)'; dbus-send --session --print-reply --dest=\(name) "
                    + "/org/mpris/MediaPlayer2 \(words) || true"
            )
        }
        let interface = "org.mpris.MediaPlayer2.Player"
        func properties() async throws -> String {
            try await call("org.freedesktop.DBus.Properties.GetAll string:\(interface)")
        }
        func waits(for status: String) async throws {
            try await Wait.until("the desktop shows “\(status)”") { try await properties().contains("\"\(status)\"") }
        }
        try await Wait.until("the desktop shows what plays") {
            let properties = try await properties()
            return properties.contains("\"Playing\"") && properties.contains("\"Für Elise\"")
                && properties.contains("\"A Band\"") && properties.contains("int64 60000000")
                && properties.contains("file://\(folder.path)/")
        }
        // The app has a handler for the next item, and none for the previous one.
        let flags = try await properties().split(separator: "dict entry")
        func flag(_ name: String) -> Bool? { flags.first { $0.contains("\"\(name)\"") }?.contains("boolean true") }
        #expect(flag("CanPause") == true && flag("CanGoNext") == true && flag("CanGoPrevious") == false)
        _ = try await call("\(interface).PlayPause")
        try await waits(for: "Paused")
        _ = try await call("\(interface).Play")
        try await waits(for: "Playing")
        _ = try await call("\(interface).Pause")
        try await waits(for: "Paused")
        await app.terminate()
        await bus.terminate()
    }

    @Test func aKeyForBothPlaysInAnAppThatHandlesPlayingAndPausing() async throws {
        let routes = MediaRoutes(RouteFile(path: NSTemporaryDirectory() + "hearth-keys-\(UUID()).json"))
        let center = MPRemoteCommandCenter(routes: routes)
        let calls = Mutex<[String]>([])
        func handle(_ command: MPRemoteCommand, _ name: String) {
            _ = command.addTarget { _ in
                calls.withLock { $0.append(name) }
                return .success
            }
        }
        let key = RemoteCommand(.playPause)
        #expect(await routes.handle(key) == .failed)
        handle(center.playCommand, "play")
        handle(center.pauseCommand, "pause")
        #expect(await routes.handle(key) == .success)
        handle(center.togglePlayPauseCommand, "toggle")
        #expect(await routes.handle(key) == .success)
        #expect(calls.withLock { $0 } == ["play", "toggle"])
    }
}
