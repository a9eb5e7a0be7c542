import Foundation
import PeerProcess

/// Measures `hearth airplay` as a sender and as a receiver, next to shairport-sync with the same sender.
///
/// Everything runs on a host of its own, a network namespace, so nothing is advertised on the machine's network.
struct AirPlayBench {
    /// The number of repetitions.
    struct Effort {
        var rounds = 5
        /// The measured seconds of each stream.
        var seconds = 20
        /// The receivers that one sender plays to in step.
        var receivers = 10
        /// The number of times that a minute of noise is decoded.
        var decodings = 20

        /// A minimal run, to test the benchmark itself.
        static let quick = Effort(rounds: 1, seconds: 3, receivers: 3, decodings: 2)
    }

    /// An event of a command.
    private struct Line: Decodable {
        var event: String
        var port: Int?
        /// How far apart the receivers would play a frame.
        var milliseconds: Double?
        /// The frames that were decoded, and the processor time for them.
        var frames: Int?
        var processorSeconds: Double?
    }

    /// The time for which a stream plays before it is measured.
    private static let settling = Duration.seconds(1)
    private static let shairportPort = 5_000
    private static let address = "127.0.0.1"

    let programs: Programs
    let effort: Effort
    let folder: URL
    private(set) var figures = AirPlayFigures()

    init(programs: Programs, effort: Effort, folder: URL) {
        self.programs = programs
        self.effort = effort
        self.folder = folder
    }

    mutating func run() async throws {
        let file = folder.appending(path: "noise.wav")
        // Noise is the hardest for the codec.
        let noise = ["-v", "error", "-f", "lavfi", "-i", "anoisesrc=duration=60:sample_rate=44100:amplitude=0.3"]
        let ffmpeg = try PeerProcess(
            URL(filePath: "/usr/bin/env"),
            ["ffmpeg"] + noise + ["-ac", "2", "-c:a", "pcm_s16le", file.path]
        )
        guard await ffmpeg.exit() == 0 else { throw BenchFailure("ffmpeg failed: \(ffmpeg.transcript)") }
        let host = try await start("/bin/bash", ["-c", "mount -t tmpfs tmpfs /run; ip link set lo up; echo kept; cat"])
        _ = try await host.line("the host") { $0 == "kept" }
        let avahi = try enter(host, "/bin/bash", [peer("avahi_host.sh")])
        _ = try await avahi.line("Avahi") { $0.contains("Server startup complete") }
        let packets = try await compress(file)
        for _ in 0..<effort.rounds {
            try await measureDecoding(packets)
            try await measureOne(host, file)
            try await measureSeveral(host, file)
            try await measureShairport(host, file)
        }
        await avahi.terminate()
        await host.terminate()
    }

    // MARK: Streams

    private mutating func measureOne(_ host: PeerProcess, _ file: URL) async throws {
        let (receiver, port) = try await receiver(host, "Bench")
        let address = ["--host", Self.address, "--port", "\(port)"]
        let (first, start) = try await timedStart(host, file, address)
        figures.start.add(start)
        await first.terminate()
        let name = ["--to", "Bench", "--mdns-interface", Self.address]
        let (player, startWithSearch) = try await timedStart(host, file, name)
        figures.startWithSearch.add(startWithSearch)
        let loads = try await loads([player.processIdentifier, receiver.processIdentifier])
        figures.sending.add(loads[0])
        figures.receiving.add(loads[1])
        await player.terminate()
        await receiver.terminate()
    }

    /// Starts a sender. Returns it with the time until it played, in milliseconds.
    private func timedStart(_ host: PeerProcess, _ file: URL, _ receiver: [String]) async throws -> (
        PeerProcess, Double
    ) {
        let start = ContinuousClock.now
        let player = try enter(host, programs.hearth.path, ["airplay", "play", file.path, "--json"] + receiver)
        _ = try await player.json(Line.self, "the stream") { $0.event == "playing" }
        return (player, (ContinuousClock.now - start) / .milliseconds(1))
    }

    private mutating func measureSeveral(_ host: PeerProcess, _ file: URL) async throws {
        var receivers: [PeerProcess] = []
        var words = ["airplay", "play", file.path, "--json"]
        for index in 0..<effort.receivers {
            let (receiver, port) = try await receiver(host, "Bench \(index)")
            receivers.append(receiver)
            words += ["--host", Self.address, "--port", "\(port)"]
        }
        let script = programs.folder.appending(path: "Peers/airplay_sync_spread.py").path
        let time = ["\(effort.receivers)", "\(effort.seconds)"]
        let listener = try enter(host, programs.python.path, ["-B", script] + time)
        _ = try await listener.line("the listener") { $0 == "listening" }
        let player = try enter(host, programs.hearth.path, words)
        _ = try await player.json(Line.self, "the stream") { $0.event == "playing" }
        figures.sendingToSeveral.add(try await loads([player.processIdentifier])[0])
        let spread = try await listener.json(Line.self, "the spread") { $0.event == "spread" }
        figures.spread.add(spread.milliseconds ?? .infinity)
        await player.terminate()
        for receiver in receivers { await receiver.terminate() }
    }

    // MARK: Decoding

    /// Compresses a WAV file with FFmpeg, as Apple Lossless packets.
    private func compress(_ file: URL) async throws -> URL {
        let packets = folder.appending(path: "noise.caf")
        let ffmpeg = try PeerProcess(
            URL(filePath: "/usr/bin/env"),
            ["ffmpeg", "-nostdin", "-v", "error", "-i", file.path, "-c:a", "alac", packets.path]
        )
        guard await ffmpeg.exit() == 0 else { throw BenchFailure("ffmpeg failed: \(ffmpeg.transcript)") }
        return packets
    }

    /// Decodes the same packets with our decoder and with FFmpeg's, each on one thread.
    private mutating func measureDecoding(_ packets: URL) async throws {
        let program = programs.hearth.deletingLastPathComponent().appending(path: "lossless-decoder")
        let decoder = try PeerProcess(program, [packets.path, "\(effort.decodings)"])
        let ours = try await decoder.json(Line.self, "the decoded frames") { $0.event == "decoded" }
        guard let frames = ours.frames, let time = ours.processorSeconds else {
            throw BenchFailure("nothing was decoded")
        }
        let seconds = Double(frames) / 44_100
        figures.decoding.add(seconds / time)
        let words = ["-nostdin", "-benchmark", "-threads", "1", "-stream_loop", "\(effort.decodings - 1)"]
        let ffmpeg = try PeerProcess(
            URL(filePath: "/usr/bin/env"),
            ["ffmpeg"] + words + ["-i", packets.path, "-f", "null", "-"]
        )
        guard await ffmpeg.exit() == 0 else { throw BenchFailure("ffmpeg failed: \(ffmpeg.transcript)") }
        // “bench: utime=0.421s stime=0.012s rtime=0.440s”
        let times = ffmpeg.transcript.matches(of: /[us]time=([0-9.]+)s/).compactMap { Double($0.1) }
        guard times.count >= 2 else { throw BenchFailure("ffmpeg measured nothing: \(ffmpeg.transcript)") }
        figures.ffmpegDecoding.add(seconds / times.suffix(2).reduce(0, +))
    }

    private mutating func measureShairport(_ host: PeerProcess, _ file: URL) async throws {
        let output = folder.appending(path: "shairport.pcm")
        try Data().write(to: output)
        let script = try enter(host, "/bin/bash", [peer("shairport_sync.sh"), "Shairport", output.path])
        let address = ["--host", Self.address, "--port", "\(Self.shairportPort)"]
        var player: PeerProcess?
        // It says nothing when it is ready.
        while player == nil {
            let attempt = try enter(host, programs.hearth.path, ["airplay", "play", file.path, "--json"] + address)
            if (try? await attempt.json(Line.self, "the stream") { $0.event == "playing" }) != nil { player = attempt }
        }
        let children = "/proc/\(script.processIdentifier)/task/\(script.processIdentifier)/children"
        let identifiers = try String(contentsOfFile: children, encoding: .utf8).split(separator: " ")
            .compactMap { Int32($0) }
        let shairport = try identifiers.first {
            try String(contentsOfFile: "/proc/\($0)/comm", encoding: .utf8).hasPrefix("shairport")
        }
        guard let shairport else { throw BenchFailure("shairport-sync isn't running: \(script.transcript)") }
        figures.shairport.add(try await loads([shairport])[0])
        await player?.terminate()
        await script.terminate()
    }

    private func receiver(_ host: PeerProcess, _ name: String) async throws -> (PeerProcess, port: Int) {
        let receiver = try enter(
            host,
            programs.hearth.path,
            ["airplay", "receive", "--name", name, "--bind", Self.address, "--pcm", "/dev/null", "--json"]
        )
        let ready = try await receiver.json(Line.self, "the receiver") { $0.event == "ready" }
        return (receiver, ready.port ?? 0)
    }

    /// Returns the processor time of processes while they play, in percent of a core.
    private func loads(_ processes: [Int32]) async throws -> [Double] {
        try await Task.sleep(for: Self.settling)
        let clocks = try processes.map { try ProcessorClock(of: $0) }
        let (start, before) = (ContinuousClock.now, clocks.map(\.now))
        try await Task.sleep(for: .seconds(effort.seconds))
        let after = clocks.map(\.now)
        let elapsed = ContinuousClock.now - start
        return zip(before, after).map { ($1 - $0) / elapsed * 100 }
    }

    // MARK: The host

    private func peer(_ script: String) -> String {
        programs.folder.appending(path: "../Tests/Peers/\(script)").standardizedFileURL.path
    }

    private func start(_ program: String, _ arguments: [String]) async throws -> PeerProcess {
        try PeerProcess(URL(filePath: "/usr/bin/unshare"), ["--net", "--mount", program] + arguments)
    }

    private func enter(_ host: PeerProcess, _ program: String, _ arguments: [String]) throws -> PeerProcess {
        let target = ["--target", "\(host.processIdentifier)", "--net", "--mount"]
        return try PeerProcess(URL(filePath: "/usr/bin/nsenter"), target + ["--", program] + arguments)
    }
}
