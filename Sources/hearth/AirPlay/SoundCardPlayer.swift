import AirPlay
import AirPlayNetwork
import Foundation
import SoundCard
import Synchronization

/// Plays a receiver's streams on a sound card, one after the other.
///
/// This is a class because it owns a queue with a thread of its own: the card makes it wait.
final class SoundCardPlayer: Sendable {
    /// A stream, as the receiver's event loop and the card's thread share it.
    private final class Playback: Sendable {
        struct State: Sendable {
            var queue = PlaybackQueue()
            var isFlushed = false
            /// When the stream ended. What is due later is played.
            var end: ContinuousClock.Instant?
        }

        let state = Mutex(State())
    }

    /// The number of frames that are passed to the card at once: 10 ms.
    private static let chunk = 441
    /// The number of chunks of silence with which the card starts.
    private static let lead = 4
    /// The time ahead of which a card without a clock gets samples, in nanoseconds.
    private static let leadTime: Int64 = 50_000_000
    /// The maximum time for which a stream plays after its end.
    private static let endLimit = Duration.seconds(5)

    private let device: String
    private let report: @Sendable (PlaybackQueue.Statistics) -> Void
    private let thread = DispatchQueue(label: "sound card", qos: .userInteractive)
    private let current = Mutex<Playback?>(nil)

    /// Opens a card, to find out whether that is possible. It is closed again until a stream plays.
    ///
    /// - Parameters:
    ///   - device: ALSA's name of the card.
    ///   - report: A closure that takes the numbers of frames of each stream, called on the player's thread.
    /// - Throws: ``CommandFailure`` if it isn't.
    init(device: String, report: @escaping @Sendable (PlaybackQueue.Statistics) -> Void) throws(CommandFailure) {
        self.device = device
        self.report = report
        do throws(SoundCardError) {
            _ = try SoundCard(device, sampleRate: AudioFormat.sampleRate)
        } catch {
            throw error.failure
        }
    }

    /// Plays samples at their time.
    func play(_ samples: TimedSamples) {
        current.withLock { $0 }?.state
            .withLock { state in
                state.queue.schedule = samples.schedule
                state.queue.append(samples.samples, at: samples.timestamp)
            }
    }

    /// Takes the receiver's events.
    func handle(_ event: ReceiverEvent) {
        let playback = current.withLock { $0 }
        switch event {
        case .started:
            let playback = Playback()
            current.withLock { $0 = playback }
            thread.async { [self] in run(playback) }
        case .flushed:
            playback?.state
                .withLock { state in
                    state.queue.clear()
                    state.queue.schedule = nil
                    state.isFlushed = true
                }
        case .nowPlaying(let nowPlaying):
            let gain = nowPlaying.volume?.factor ?? 1
            playback?.state.withLock { $0.queue.gain = gain }
        case .ended: playback?.state.withLock { $0.end = .now }
        case .refused, .malformed: break
        }
    }

    /// Waits until the last stream's end has been played.
    func finish() {
        current.withLock { $0 }?.state.withLock { $0.end = $0.end ?? .now - Self.endLimit }
        thread.sync {}
    }

    private func run(_ playback: Playback) {
        do throws(SoundCardError) {
            try run(playback, on: try SoundCard(device, sampleRate: AudioFormat.sampleRate))
        } catch {
            ProgramOutput.note("error: \(error.failure.name): \(error.failure.reason)")
        }
        report(playback.state.withLock { $0.queue.statistics })
    }

    private func run(_ playback: Playback, on card: borrowing SoundCard) throws(SoundCardError) {
        for _ in 0..<Self.lead { try card.write(Array(repeating: 0, count: Self.chunk * AudioFormat.channelCount)) }
        // Cards that are files or nothing take everything at once. Our clock stands in for theirs.
        let hasClock = card.delay >= Self.chunk
        var next = MonotonicClock.now
        while true {
            let now = MonotonicClock.now
            let time = hasClock ? now.advanced(byFrames: card.delay) : max(next, now)
            let (samples, isFlushed, isOver) = playback.state.withLock { state in
                let isFlushed = state.isFlushed
                state.isFlushed = false
                let samples = state.queue.next(Self.chunk, playingAt: time)
                return (samples, isFlushed, Self.isOver(state))
            }
            if isFlushed { card.discard() }
            try card.write(samples)
            guard !isOver else { return card.drain() }
            guard !hasClock else { continue }
            next = time.advanced(byFrames: Self.chunk)
            let wait = next.nanoseconds(since: MonotonicClock.now) - Self.leadTime
            if wait > 0 { Thread.sleep(forTimeInterval: Double(wait) / 1e9) }
        }
    }

    private static func isOver(_ state: Playback.State) -> Bool {
        guard let end = state.end else { return false }
        return state.queue.count == 0 || state.queue.schedule == nil || end.duration(to: .now) > endLimit
    }
}

extension NTPTime {
    fileprivate func advanced(byFrames frames: Int) -> NTPTime {
        advanced(byNanoseconds: Int64(frames) * 1_000_000_000 / Int64(AudioFormat.sampleRate))
    }
}

extension SoundCardError {
    /// The error for the user.
    fileprivate var failure: CommandFailure {
        switch self {
        case .libraryMissing(let reason):
            CommandFailure(
                "soundLibraryMissing",
                "ALSA's library can't be loaded: \(reason). Install it: apt install libasound2."
            )
        case .failed(let device, let reason):
            CommandFailure("soundCardFailed", "The sound card “\(device)” can't be used: \(reason).")
        }
    }
}
