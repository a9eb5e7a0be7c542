internal import HAPServer
internal import Synchronization

/// A timeline that stands until it is moved, and on which one thing happens after the other. A class, as all mean the
/// same time.
final class ScenarioScheduler: Scheduler {
    private struct Entry {
        let id: UInt64
        let time: Duration
        let action: @Sendable () async -> Void
    }

    private struct State {
        var now = Duration.zero
        var last: UInt64 = 0
        /// What is to happen, the earliest first; of the same time, what was asked for first.
        var entries: [Entry] = []
    }

    private let state = Mutex(State())
    private let beginning = ContinuousClock.now

    var now: Duration { state.withLock(\.now) }

    @discardableResult
    func after(_ delay: Duration, _ action: @escaping @Sendable () async -> Void) -> ScheduledAction {
        let id = state.withLock { state in
            state.last += 1
            let entry = Entry(id: state.last, time: state.now + delay, action: action)
            let place = state.entries.firstIndex { $0.time > entry.time } ?? state.entries.endIndex
            state.entries.insert(entry, at: place)
            return entry.id
        }
        return ScheduledAction { [self] in
            state.withLock { $0.entries.removeAll { $0.id == id } }
        }
    }

    /// The time as servers measure it.
    var serverTimer: ServerTimer {
        ServerTimer(
            now: { [self] in beginning + now },
            after: { [self] delay, action in after(delay, action) }
        )
    }

    /// Goes on to a time; all that is to happen until then happens, and has happened before the next does.
    ///
    /// - Parameter settle: Waits until all that follows has happened.
    func advance(
        to time: Duration,
        _ settle: () async throws(SimulatorError) -> Void
    ) async throws(SimulatorError) {
        try await settle()
        while let action = next(until: time) {
            await action()
            try await settle()
        }
        state.withLock { $0.now = time }
    }

    /// When the next thing happens, `nil` if nothing does.
    var nextTime: Duration? { state.withLock { $0.entries.first?.time } }

    private func next(until time: Duration) -> (@Sendable () async -> Void)? {
        state.withLock { state in
            guard let first = state.entries.first, first.time <= time else { return nil }
            state.now = max(state.now, first.time)
            return state.entries.removeFirst().action
        }
    }
}
