internal import AirPlay
internal import Dispatch
internal import Foundation
internal import SoundCard
internal import Synchronization

/// Plays samples on this computer's sound card. Without one, it takes them at the speed at which they would be heard.
///
/// This is a class because it owns a queue with a thread of its own: a card makes it wait.
final class LocalPlayer: Sendable {
    /// The variable that names another sound card than the usual one: ALSA's name of it, or `none`.
    static let variable = "HEARTH_SOUND_CARD"
    /// The number of frames that are passed to the card at once: 10 ms.
    private static let chunk = 441
    /// The maximum time that is caught up without a card, in nanoseconds.
    private static let catchUpLimit: Int64 = 500_000_000

    /// Returns samples: a number of frames, left and right alternating.
    typealias Source = @Sendable (_ frameCount: Int) -> [Int16]
    /// Takes the number of frames that were taken and haven't been heard.
    typealias Delay = @Sendable (_ frameCount: Int) -> Void

    /// The time from ``LocalPlayer/start(_:delay:)`` to ``LocalPlayer/stop()``, which the player and its thread share.
    private final class Run: Sendable {
        let source: Source
        let delay: Delay
        private let isOver = Mutex(false)

        init(_ source: @escaping Source, _ delay: @escaping Delay) {
            (self.source, self.delay) = (source, delay)
        }

        /// Returns the next samples, or `nil` if the run is over.
        func next() -> [Int16]? {
            isOver.withLock { $0 ? nil : source(chunk) }
        }

        func stop() {
            isOver.withLock { $0 = true }
        }
    }

    private let device: String
    private let problem: @Sendable (SoundCardError) -> Void
    private let thread = DispatchQueue(label: "hearth.local-player", qos: .userInteractive)
    private let current = Mutex<Run?>(nil)

    /// Creates a player.
    ///
    /// - Parameters:
    ///   - device: ALSA's name of the card, or `none`.
    ///   - problem: A closure that is called if the card can't be used. What plays is silent then.
    init(
        _ device: String = ProcessInfo.processInfo.environment[variable] ?? SoundCard.usualDevice,
        problem: @escaping @Sendable (SoundCardError) -> Void = { LocalPlayerLog.report($0) }
    ) {
        self.device = device
        self.problem = problem
    }

    /// Starts to take samples.
    func start(_ source: @escaping Source, delay: @escaping Delay) {
        stop()
        let run = Run(source, delay)
        current.withLock { $0 = run }
        thread.async { [device, problem] in Self.play(run, device, problem) }
    }

    /// Stops. Once it returns, no more samples are taken; what the card has is discarded.
    func stop() {
        current.withLock { $0.take() }?.stop()
    }

    private static func play(_ run: Run, _ device: String, _ problem: (SoundCardError) -> Void) {
        guard device != AudioOutput.noSoundCard else { return playSilently(run) }
        do throws(SoundCardError) {
            try play(run, on: try SoundCard(device, sampleRate: AudioFormat.sampleRate))
        } catch {
            problem(error)
            playSilently(run)
        }
    }

    private static func play(_ run: Run, on card: borrowing SoundCard) throws(SoundCardError) {
        var clock = SoftwareClock()
        while let samples = run.next() {
            try card.write(samples)
            let delay = card.delay
            run.delay(delay)
            // Cards that are files or nothing take everything at once.
            if delay < chunk { clock.wait(forFrames: chunk) }
        }
        card.discard()
    }

    private static func playSilently(_ run: Run) {
        var clock = SoftwareClock()
        while run.next() != nil {
            run.delay(0)
            clock.wait(forFrames: chunk)
        }
    }

    /// A clock in place of a card's.
    private struct SoftwareClock {
        private var due = ContinuousClock.now

        /// Waits until more frames would have been heard.
        mutating func wait(forFrames count: Int) {
            due += .nanoseconds(Int64(count) * 1_000_000_000 / Int64(AudioFormat.sampleRate))
            // After the machine has slept, the rest isn't played all at once.
            due = max(due, .now - .nanoseconds(catchUpLimit))
            let (seconds, attoseconds) = ContinuousClock.now.duration(to: due).components
            let wait = Double(seconds) + Double(attoseconds) / 1e18
            if wait > 0 { Thread.sleep(forTimeInterval: wait) }
        }
    }
}

/// The message that a sound card can't be used, which a program prints once.
private enum LocalPlayerLog {
    private static let isReported = Mutex(false)

    static func report(_ error: SoundCardError) {
        let isFirst = isReported.withLock { isReported in
            defer { isReported = true }
            return !isReported
        }
        guard isFirst else { return }
        let reason =
            switch error {
            case .libraryMissing(let reason): "ALSA's library can't be loaded: \(reason)"
            case .failed(let device, let reason): "the sound card “\(device)” can't be used: \(reason)"
            }
        FileHandle.standardError.write(Data("Audio on this computer is silent, because \(reason).\n".utf8))
    }
}
