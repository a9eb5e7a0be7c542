internal import AirPlay
internal import Dispatch
internal import Synchronization

/// Takes samples at the speed at which they would be heard. This is a class because its timer shares its state.
final class LocalClock: Sendable {
    private static let interval = DispatchTimeInterval.milliseconds(8)
    /// The maximum number of packets that are taken at once to catch up.
    private static let burstLimit = 64

    private struct State {
        var timer: (any DispatchSourceTimer)?
        var start = ContinuousClock.now
        var packets = 0
    }

    private let queue = DispatchQueue(label: "hearth.local-clock")
    private let state = Mutex(State())

    /// Starts to take samples: packets of a number of frames.
    func start(_ take: @escaping @Sendable (_ frameCount: Int) -> Void) {
        stop()
        state.withLock { state in
            let timer = DispatchSource.makeTimerSource(queue: queue)
            timer.schedule(deadline: .now(), repeating: Self.interval)
            timer.setEventHandler { [weak self] in
                for _ in 0..<(self?.duePackets ?? 0) { take(AudioFormat.framesPerPacket) }
            }
            state = State(timer: timer)
            timer.resume()
        }
    }

    /// Stops. Returns once no more samples are taken.
    func stop() {
        let isRunning = state.withLock { state in
            state.timer?.cancel()
            return state.timer.take() != nil
        }
        if isRunning { queue.sync {} }
    }

    private var duePackets: Int {
        state.withLock { state in
            let (seconds, attoseconds) = state.start.duration(to: .now).components
            let elapsed = Double(seconds) + Double(attoseconds) / 1e18
            let due = Int(elapsed * Double(AudioFormat.sampleRate)) / AudioFormat.framesPerPacket
            let count = min(due - state.packets, Self.burstLimit)
            state.packets = due
            return state.timer == nil ? 0 : max(0, count)
        }
    }
}
