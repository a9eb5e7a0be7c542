import AirPlay
import AirPlayNetwork
import Foundation
import Synchronization

/// A program that plays addresses, such as ffplay. It is started without a shell, so an address is never a command.
///
/// This is a class because it owns a process.
final class ExternalPlayer: VideoPlayer {
    /// The word in place of which the program gets the position in seconds.
    static let positionWord = "{position}"
    private static let graceTime = 2.0
    /// The maximum length of what a probe prints.
    private static let probeLimit = 256

    private struct Playback {
        let id: Int
        let process: Process
        let address: MediaAddress
        var position: Double
        /// When the position was right, or `nil` while paused.
        var since: ContinuousClock.Instant?
        var duration: Double?

        var status: VideoStatus {
            let elapsed = since.map { $0.duration(to: .now) / .seconds(1) } ?? 0
            let position = min(position + elapsed, duration ?? .infinity)
            return VideoStatus(state: since == nil ? .paused : .playing, position: position, duration: duration)
        }
    }

    private struct State: ~Copyable {
        var playback: Playback?
        var last = 0
    }

    private let words: [String]
    private let probe: [String]
    private let state = Mutex(State())

    /// Creates a player.
    ///
    /// - Parameters:
    ///   - player: The program and its arguments, separated by spaces. The address follows them.
    ///   - probe: A program that prints the length of an address in seconds, or `nil` if there is none.
    /// - Throws: ``CommandFailure`` if a program isn't there.
    init(player: String, probe: String?) throws(CommandFailure) {
        words = try Self.words(player)
        self.probe = try probe.map { text throws(CommandFailure) in try Self.words(text) } ?? []
    }

    private static func words(_ text: String) throws(CommandFailure) -> [String] {
        var words = text.split(separator: " ").map { String($0) }
        guard let program = words.first else { throw CommandFailure("programMissing", "The player has no name.") }
        let folders =
            program.contains("/")
            ? [""]
            : (ProcessInfo.processInfo.environment["PATH"] ?? "")
                .split(separator: ":").map { $0 + "/" }
        let path = folders.map { $0 + program }.first { FileManager.default.isExecutableFile(atPath: $0) }
        guard let path else { throw CommandFailure("programMissing", "The program “\(program)” isn't installed.") }
        words[0] = path
        return words
    }

    var status: VideoStatus { state.withLock { $0.playback?.status ?? VideoStatus() } }

    func play(_ address: MediaAddress, from start: VideoRequest.Start) -> Bool {
        let seconds: Double
        switch start {
        case .seconds(let value): seconds = value
        // Without the length, a fraction says nothing.
        case .fraction: seconds = 0
        }
        guard seconds == 0 || canSeek, run(address, from: seconds, duration: nil) else { return false }
        measure(address)
        return true
    }

    func seek(to seconds: Double) -> Bool {
        guard canSeek, let playback = state.withLock({ $0.playback }) else { return false }
        return run(playback.address, from: seconds, duration: playback.duration)
    }

    func pause(_ isPaused: Bool) {
        state.withLock { state in
            guard var playback = state.playback, (playback.since == nil) != isPaused else { return }
            playback.position = playback.status.position
            playback.since = isPaused ? nil : .now
            kill(playback.process.processIdentifier, isPaused ? SIGSTOP : SIGCONT)
            state.playback = playback
        }
    }

    func stop() {
        guard let playback = state.withLock({ $0.playback.take() }) else { return }
        Self.end(playback.process)
    }

    private var canSeek: Bool { words.contains { $0.contains(Self.positionWord) } }

    private func run(_ address: MediaAddress, from seconds: Double, duration: Double?) -> Bool {
        let process = Process()
        process.executableURL = URL(filePath: words[0])
        process.arguments =
            words.dropFirst().map { $0.replacingOccurrences(of: Self.positionWord, with: "\(seconds)") }
            + [address.description]
        process.standardInput = FileHandle.nullDevice
        // Standard output is for our own results.
        process.standardOutput = FileHandle.standardError
        let id = state.withLock { state in
            state.last += 1
            return state.last
        }
        process.terminationHandler = { [weak self] _ in self?.ended(id) }
        stop()
        do {
            try state.withLock { state in
                try process.run()
                state.playback = Playback(
                    id: id,
                    process: process,
                    address: address,
                    position: seconds,
                    since: .now,
                    duration: duration
                )
            }
        } catch {
            ProgramOutput.note("error: playerFailed: \(words[0]) can't be started.")
            return false
        }
        return true
    }

    private func ended(_ id: Int) {
        state.withLock { state in
            if state.playback?.id == id { state.playback = nil }
        }
    }

    private static func end(_ process: Process) {
        let id = process.processIdentifier
        kill(id, SIGTERM)
        kill(id, SIGCONT)
        DispatchQueue.global().asyncAfter(deadline: .now() + graceTime) {
            if process.isRunning { kill(id, SIGKILL) }
        }
    }

    /// Finds out an address's length.
    private func measure(_ address: MediaAddress) {
        guard let program = probe.first else { return }
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: program)
        process.arguments = probe.dropFirst() + [address.description]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return }
        Thread.detachNewThread { [weak self] in
            let data = (try? output.fileHandleForReading.read(upToCount: Self.probeLimit)) ?? Data()
            let text = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
            if process.isRunning { process.terminate() }
            process.waitUntilExit()
            guard let seconds = Double(text), seconds.isFinite, seconds >= 0 else { return }
            self?.state.withLock { state in
                if state.playback?.address == address { state.playback?.duration = seconds }
            }
        }
    }
}
