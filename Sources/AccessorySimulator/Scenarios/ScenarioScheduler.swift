internal import HAPServer
internal import Synchronization

/// A scheduler with virtual time that advances on request and runs actions one at a time. This is a class because all
/// users share the same time.
final class ScenarioScheduler: Scheduler {
    private struct Entry {
        let id: UInt64
        let time: Duration
        let action: @Sendable () async -> Void
    }

    private struct State {
        var now = Duration.zero
        var last: UInt64 = 0
        /// The scheduled actions, ordered by time and then by the order of scheduling.
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
            let index = state.entries.firstIndex { $0.time > entry.time } ?? state.entries.endIndex
            state.entries.insert(entry, at: index)
            return entry.id
        }
        return ScheduledAction { [self] in
            state.withLock { $0.entries.removeAll { $0.id == id } }
        }
    }

    /// The timer for servers.
    var serverTimer: ServerTimer {
        ServerTimer(
            now: { [self] in beginning + now },
            after: { [self] delay, action in after(delay, action) }
        )
    }

    /// Advances to a time and runs the actions that are due, each after the previous one's effects are complete.
    ///
    /// - Parameter settle: A closure that waits until all effects are complete.
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

    /// Advances to a time before which no action is due. What is due then still waits.
    func move(to time: Duration) { state.withLock { $0.now = max($0.now, time) } }

    /// The time of the next action, or `nil` if there is none.
    var nextTime: Duration? { state.withLock { $0.entries.first?.time } }

    private func next(until time: Duration) -> (@Sendable () async -> Void)? {
        state.withLock { state in
            guard let first = state.entries.first, first.time <= time else { return nil }
            state.now = max(state.now, first.time)
            return state.entries.removeFirst().action
        }
    }
}
