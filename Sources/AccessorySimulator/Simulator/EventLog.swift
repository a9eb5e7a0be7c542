internal import Synchronization

/// A log of recent events for requests by position. This is a class because it is shared.
final class EventLog: Sendable {
    private struct State {
        /// The events by their position, modulo the capacity.
        var events: [SimulatorEvent] = []
        var next: UInt64 = 0
        var waiting: [UInt64: CheckedContinuation<Void, Never>] = [:]
        var lastWaiter: UInt64 = 0
        var isFinished = false

        mutating func takeWaiting() -> [CheckedContinuation<Void, Never>] {
            guard !waiting.isEmpty else { return [] }
            defer { waiting = [:] }
            return Array(waiting.values)
        }
    }

    /// The number of events that are stored.
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
            return state.takeWaiting()
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Returns the events after a position, and the position of the first one, which is later if events were dropped.
    /// If there are no events, waits for one. Returns no events if the log is finished or the task is canceled.
    func events(after position: UInt64) async -> (first: UInt64, events: [SimulatorEvent]) {
        let waiter = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                let shouldWait = state.withLock { state in
                    guard state.next <= position, !state.isFinished, !Task.isCancelled else { return false }
                    state.waiting[waiter] = continuation
                    return true
                }
                if !shouldWait { continuation.resume() }
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

    /// Finishes the log and resumes all waiting requests.
    func finish() {
        let waiting = state.withLock { state in
            state.isFinished = true
            return state.takeWaiting()
        }
        for continuation in waiting { continuation.resume() }
    }
}
