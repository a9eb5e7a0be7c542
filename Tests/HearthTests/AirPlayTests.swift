import Foundation
import NetworkLab
import PeerProcess
import Testing

/// `hearth airplay`, with its own receiver and with shairport-sync.
struct AirPlayTests {
    /// The JSON output that tests read.
    private struct Line: Decodable, Sendable {
        var event: String?
        var name: String?
        var error: String?
        var reason: String?
        var needsPassword: Bool?
    }

    private struct Metadata: Decodable, Equatable {
        var title: String?
        var artist: String?
        var album: String?
        var artworkSHA256: String?
        var volumeDB: Double?
        var durationSeconds: Double?
    }

    /// A WAV file of noise, in which each part can be found again, and its samples.
    private static func writeSignal(seconds: Int, to file: URL) throws -> [UInt8] {
        var state: UInt64 = 7
        let samples = (0..<seconds * 176_400).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 56)
        }
        func little(_ number: Int, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
        }
        let header =
            Array("RIFF".utf8) + little(36 + samples.count, 4) + Array("WAVEfmt ".utf8) + little(16, 4) + little(1, 2)
            + little(2, 2) + little(44_100, 4) + little(176_400, 4) + little(4, 2) + little(16, 2)
            + Array("data".utf8) + little(samples.count, 4)
        try Data(header + samples).write(to: file)
        return samples
    }

    private static func start(_ words: String...) throws -> PeerProcess {
        try PeerProcess(Programs.hearth, ["airplay"] + words)
    }

    @Test func aFileIsPlayedToAReceiverThatIsFoundByItsName() async throws {
        try await Fixture.with { fixture in
            let folder = fixture.folder
            let name = "Küche \(UUID().uuidString.prefix(8))"
            let samples = try Self.writeSignal(seconds: 1, to: folder.appending(path: "signal.wav"))
            try Data([0xFF, 0xD8, 0xFF, 1, 2, 3]).write(to: folder.appending(path: "art.jpg"))
            let (pcm, meta) = (folder.appending(path: "out.pcm"), folder.appending(path: "out.json"))
            let receiver = try Self.start(
                "receive",
                "--name",
                name,
                "--bind",
                "127.0.0.1",
                "--mdns-interface",
                "127.0.0.1",
                "--password",
                "secret",
                "--pcm",
                pcm.path,
                "--meta",
                meta.path,
                "--json"
            )
            _ = try await receiver.json(Line.self, "the receiver") { $0.event == "ready" }
            try await Wait.until("the receiver is listed") {
                let list = try Self.start("list", "--mdns-interface", "127.0.0.1", "--time", "1", "--json")
                await list.exit()
                return list.transcript.split(separator: "\n").contains { text in
                    let line = try? JSONDecoder().decode(Line.self, from: Data(text.utf8))
                    return line?.name == name && line?.needsPassword == true
                }
            }
            let player = try Self.start(
                "play",
                folder.appending(path: "signal.wav").path,
                "--to",
                name,
                "--mdns-interface",
                "127.0.0.1",
                "--password",
                "secret",
                "--art",
                folder.appending(path: "art.jpg").path,
                "--title",
                "Ein Lied",
                "--artist",
                "日本",
                "--album",
                "Album",
                "--volume",
                "-12.5"
            )
            #expect(await player.exit() == 0, "\(player.transcript)")
            #expect(player.transcript == "")
            _ = try await receiver.json(Line.self, "the end") { $0.event == "ended" }
            #expect(await receiver.terminate() == 0)
            #expect(Array(try Data(contentsOf: pcm)).elementsEqual(samples))
            let metadata = try JSONDecoder().decode(Metadata.self, from: Data(contentsOf: meta))
            let expected = Metadata(
                title: "Ein Lied",
                artist: "日本",
                album: "Album",
                artworkSHA256: "6456b2ac4bae7c410724a1dbd8eeaaf2a9cb6b03c3e6c82ccd8101b284656791",
                volumeDB: -12.5,
                durationSeconds: 1
            )
            #expect(metadata == expected)
        }
    }

    @Test func commandsOfTheReceiverArePrinted() async throws {
        try await Fixture.with { fixture in
            let file = fixture.folder.appending(path: "signal.wav")
            _ = try Self.writeSignal(seconds: 60, to: file)
            let receiver = try Self.start(
                "receive",
                "--name",
                "Remote \(UUID().uuidString.prefix(8))",
                "--bind",
                "127.0.0.1",
                "--pcm",
                "/dev/null",
                "--json"
            )
            let ready = try await receiver.json(Fixture.Line.self, "the receiver") { $0.event == "ready" }
            let port = try #require(ready.port)
            let player = try Self.start("play", file.path, "--host", "127.0.0.1", "--port", "\(port)")
            _ = try await receiver.json(Line.self, "the stream") { $0.event == "started" }
            try receiver.send("playpause")
            _ = try await player.line("the command") { $0 == "remote playpause" }
            #expect(await player.terminate() == 0)
            #expect(await receiver.terminate() == 0)
        }
    }

    @Test(arguments: [
        (["play", "/bin/sh", "--host", "127.0.0.1", "--port", "9"], Int32(1), "unsupportedFile"),
        (["play", "/nonexistent", "--host", "127.0.0.1", "--port", "9"], 1, "fileUnreadable"),
        (["play", "x.wav", "--host", "127.0.0.1"], 2, "usage"),
        (["play", "x.wav", "--to", "Kitchen", "--volume", "3"], 2, "usage"),
        (["receive", "--name", "", "--pcm", "/dev/null"], 2, "usage"),
        (["receive", "--name", "X", "--bind", "127.0.0.1", "--pcm", "/nonexistent/x"], 1, "fileUnwritable"),
    ])
    func badArgumentsAreNamed(words: [String], status: Int32, error: String) async throws {
        let program = try PeerProcess(Programs.hearth, ["airplay"] + words + ["--json"])
        #expect(await program.exit() == status)
        #expect(program.transcript.contains("\"\(error)\""), "\(program.transcript)")
    }

    @Test func aReceiverThatIsNotThereIsNamed() async throws {
        try await Fixture.with { fixture in
            let file = fixture.folder.appending(path: "signal.wav")
            _ = try Self.writeSignal(seconds: 1, to: file)
            let player = try Self.start("play", file.path, "--host", "127.0.0.1", "--port", "9", "--json")
            #expect(await player.exit() == 1)
            #expect(player.transcript.contains("\"unreachable\""), "\(player.transcript)")
        }
    }

    @Test func commandsOfShairportSyncArePrinted() async throws {
        try await Fixture.with { fixture in
            let file = fixture.folder.appending(path: "signal.wav")
            _ = try Self.writeSignal(seconds: 120, to: file)
            try await NetworkLab.with(
                HostPlan("alpha", "10.77.0.1/24"),
                HostPlan("beta", "10.77.0.2/24")
            ) { lab in
                let avahi = try lab["beta"].startPeer("avahi_host.sh")
                _ = try await avahi.line("Avahi") { $0.contains("Server startup complete") }
                let receiver = try lab["beta"].startPeer("shairport_sync.sh", ["Speaker", "/dev/null"])
                let hearth = Programs.hearth.path
                try await Wait.until("the receiver is found") {
                    try await lab["alpha"].run("\(hearth) airplay list --time 1 --json").contains("\"Speaker\"")
                }
                let player = try lab["alpha"].start(hearth, ["airplay", "play", file.path, "--to", "Speaker"])
                // It sends commands once it has found the player's service. Until then, it ignores them.
                let command =
                    "dbus-send --system --print-reply --dest=org.gnome.ShairportSync /org/gnome/ShairportSync "
                    + "org.gnome.ShairportSync.RemoteControl.Next"
                try await Wait.until("a command arrives") {
                    try await lab["beta"].run("\(command) || true")
                    return player.transcript.contains("remote nextitem\n")
                }
                #expect(await player.terminate() == 0, "\(player.transcript)\(receiver.transcript)")
            }
        }
    }

    @Test(arguments: ["alac", "pcm"])
    func shairportSyncPlaysEveryFrame(codec: String) async throws {
        try await Fixture.with { fixture in
            let (file, output) = (
                fixture.folder.appending(path: "signal.wav"), fixture.folder.appending(path: "out.pcm")
            )
            let samples = try Self.writeSignal(seconds: 1, to: file)
            try await NetworkLab.with(
                HostPlan("alpha", "10.77.0.1/24"),
                HostPlan("beta", "10.77.0.2/24")
            ) { lab in
                let avahi = try lab["beta"].startPeer("avahi_host.sh")
                _ = try await avahi.line("Avahi") { $0.contains("Server startup complete") }
                let receiver = try lab["beta"].startPeer("shairport_sync.sh", ["Speaker", output.path, "secret"])
                let hearth = Programs.hearth.path
                try await Wait.until("the receiver is found") {
                    try await lab["alpha"].run("\(hearth) airplay list --time 1 --json").contains("\"Speaker\"")
                }
                let options = "--to Speaker --password secret --codec \(codec) --title 'Für Elise' --volume -5"
                let player = try lab["alpha"].start(
                    "/bin/bash",
                    ["-c", "exec \(hearth) airplay play \(file.path) \(options)"]
                )
                _ = try await Wait.until("the receiver plays") {
                    ((try? Data(contentsOf: output).count) ?? 0) > 0
                }
                #expect(await player.exit() == 0, "\(player.transcript)\(receiver.transcript)")
                await receiver.terminate()
            }
            // It plays silence in place of the first nine packets.
            let expected = samples.dropFirst(9 * 352 * 4)
            let played = try Data(contentsOf: output)
            let start = try #require(played.firstRange(of: Data(expected.prefix(4_000)))?.lowerBound)
            #expect(played[start...].starts(with: expected))
        }
    }
}
