import Foundation
import NetworkLab
import PeerProcess
import Testing

/// `hearth airplay` with shairport-sync, which doesn't play what comes late, and with PulseAudio, which doesn't send what is
/// late. On a busy machine, that is everything.
@Suite struct AirPlayInRealTime {
    @Test func commandsOfShairportSyncArePrinted() async throws {
        try await Fixture.with { fixture in
            let file = fixture.folder.appending(path: "signal.wav")
            try WaveFile.silence(to: file)
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

    /// Loud noise can't be compressed, so its packets of Apple Lossless are the samples as they are.
    @Test(arguments: [("pcm", false), ("alac", false), ("alac", true)], [false, true])
    func shairportSyncPlaysEveryFrame(signal: (codec: String, isQuiet: Bool), isLossy: Bool) async throws {
        try await Fixture.with { fixture in
            let (file, output) = (
                fixture.folder.appending(path: "signal.wav"), fixture.folder.appending(path: "out.pcm")
            )
            let samples = try WaveFile.noise(seconds: 1, to: file, isQuiet: signal.isQuiet)
            try await Self.withHosts(isLossy: isLossy) { lab in
                let avahi = try lab["beta"].startPeer("avahi_host.sh")
                _ = try await avahi.line("Avahi") { $0.contains("Server startup complete") }
                let receiver = try lab["beta"].startPeer("shairport_sync.sh", ["Speaker", output.path, "secret"])
                let hearth = Programs.hearth.path
                try await Wait.until("the receiver is found") {
                    try await lab["alpha"].run("\(hearth) airplay list --time 1 --json").contains("\"Speaker\"")
                }
                let options = "--to Speaker --password secret --codec \(signal.codec) --title 'Für Elise' --volume -5"
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
            // It plays silence in place of the first nine packets, and of more if one of them is missing or late.
            let played = try Data(contentsOf: output)
            func start(without packets: Int) -> Int? {
                played.firstRange(of: Data(samples.dropFirst(packets * 352 * 4).prefix(4_000)))?.lowerBound
            }
            let missing = try #require((isLossy ? 9...20 : 9...9).first { start(without: $0) != nil })
            let start = try #require(start(without: missing))
            let expected = samples.dropFirst(missing * 352 * 4)
            #expect(played[start...].starts(with: expected))
        }
    }

    /// Runs a closure with two hosts. With a lossy link between them, 3 % of the packets of audio are lost when they are sent
    /// first, and 3 % arrive after the next one.
    private static func withHosts(isLossy: Bool, _ body: (NetworkLab) async throws -> Void) async throws {
        try await NetworkLab.with(
            networks: ["near", "far"],
            HostPlan("alpha", [.init(to: "near", ["10.77.0.1/24"])]),
            HostPlan("beta", [.init(to: "far", ["10.77.0.2/24"])])
        ) { lab in
            let link =
                try await isLossy
                ? lab.join("near", "far", droppingAudio: 33, swapping: 31)
                : lab.join("near", "far", losing: 0, seed: 1)
            try await body(lab)
            link.closeInput()
            let end = try await link.line("the end of the link") { $0.contains("\"end\"") }
            #expect(end.contains("\"lost\": 0") == !isLossy && end.contains("\"swapped\": 0") == !isLossy)
        }
    }

    @Test(arguments: [false, true])
    func everyFrameOfPulseAudioArrives(isLossy: Bool) async throws {
        try await Fixture.with { fixture in
            let (file, output) = (
                fixture.folder.appending(path: "signal.wav"), fixture.folder.appending(path: "out.pcm")
            )
            let samples = try WaveFile.noise(seconds: 1, to: file, silence: 2)
            try await Self.withHosts(isLossy: isLossy) { lab in
                let receiver = try lab["beta"].start(
                    Programs.hearth.path,
                    ["airplay", "receive", "--name", "Speaker", "--port", "5000", "--pcm", output.path, "--json"]
                )
                _ = try await receiver.line("the receiver") { $0.contains("\"ready\"") }
                let player = try lab["alpha"].startPeer("pulseaudio_raop.sh", ["10.77.0.2:5000", file.path])
                _ = try await player.line("the end of the file") { $0 == "done" }
                _ = try await receiver.line("the end of the stream") { $0.contains("\"ended\"") }
                #expect(await player.exit() == 0, "\(player.transcript)")
                #expect(await receiver.terminate() == 0)
            }
            // When it has read the file, PulseAudio drops the last 1.25 s, which are silence here.
            let played = try Data(contentsOf: output)
            let start = try #require(played.firstRange(of: Data(samples.prefix(4_000)))?.lowerBound)
            #expect(played[start...].starts(with: samples))
            #expect(played[..<start].allSatisfy { $0 == 0 })
        }
    }
}
