internal import Synchronization

/// The last events, for those who ask for them by position. A class, because several ask and one writes.
final class EventLog: Sendable {
    private struct State {
        /// The events by their position, modulo the capacity.
        var events: [SimulatorEvent] = []
        var next: UInt64 = 0
        var waiting: [UInt64: CheckedContinuation<Void, Never>] = [:]
        var lastWaiter: UInt64 = 0
        var isFinished = false
    }

    /// How many events are kept for whoever asks late.
    static let capacity = 4096

    private let state = Mutex(State())

    /// The position after the last event.
    var next: UInt64 { state.withLock(\.next) }

    func append(_ event: SimulatorEvent) {
        let waiting = state.withLock { state in
            if state.events.count < Self.capacity {
                state.events.append(event)
            } else {
                state.events[Int(state.next % UInt64(Self.capacity))] = event
            }
            state.next += 1
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for continuation in waiting { continuation.resume() }
    }

    /// The events from a position on, and the position of the first of them, which is a later one if some were dropped.
    /// Waits for one if there is none; none come when the log is finished or the task is cancelled.
    func events(after position: UInt64) async -> (first: UInt64, events: [SimulatorEvent]) {
        let waiter = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                let mustWait = state.withLock { state in
                    guard state.next <= position, !state.isFinished, !Task.isCancelled else { return false }
                    state.waiting[waiter] = continuation
                    return true
                }
                if !mustWait { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: waiter) }?.resume()
        }
        return state.withLock { state in
            let first = max(position, state.next - UInt64(state.events.count))
            let events = (first..<max(first, state.next)).map { state.events[Int($0 % UInt64(Self.capacity))] }
            return (first, events)
        }
    }

    /// Lets everyone go who waits.
    func finish() {
        let waiting = state.withLock { state in
            state.isFinished = true
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for continuation in waiting { continuation.resume() }
    }
}
