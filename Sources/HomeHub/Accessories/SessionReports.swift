import HAPClient
import Synchronization

/// What the session of an accessory server reports, in order, until the one task that handles it takes it.
///
/// Unlike an `AsyncStream`, it knows whether everything was handled. Then a value needn't pass through it.
final class SessionReports: Sendable {
    // This is a class because the session fills it and a task empties it.

    enum Report: Sendable {
        case event(AccessorySessionEvent, ArrivalOrder)
        /// Something that waits until everything before it was handled or dropped.
        case marker(Marker)
    }

    /// A place among the reports. It ends the wait when it is released.
    final class Marker: Sendable {
        // This is a class because only objects notice that they aren't needed any more.

        private let continuation: CheckedContinuation<Void, Never>

        init(_ continuation: CheckedContinuation<Void, Never>) { self.continuation = continuation }

        deinit { continuation.resume() }
    }

    private struct State {
        /// The reports that arrived last, the newest at the end.
        var arrived: [Report] = []
        /// Those before them, the oldest at the end.
        var next: [Report] = []
        var taker: CheckedContinuation<Report?, Never>?
        var isOver = false

        mutating func popFirst() -> Report? {
            if next.isEmpty {
                next = arrived.reversed()
                arrived = []
            }
            return next.popLast()
        }
    }

    private let state = Mutex(State())

    /// Adds a report, which is dropped after the end.
    func add(_ report: Report) {
        let taker = state.withLock { state -> CheckedContinuation<Report?, Never>? in
            guard !state.isOver else { return nil }
            guard let taker = state.taker.take() else {
                state.arrived.append(report)
                return nil
            }
            return taker
        }
        taker?.resume(returning: report)
    }

    /// Calls a closure that handles a report, unless an earlier one isn't handled yet, or after the end. Nothing is reported
    /// until the closure returns.
    ///
    /// - Returns: Whether the closure was called.
    func ifNoneWaits(_ handle: () -> Void) -> Bool {
        state.withLock { state in
            guard !state.isOver, state.taker != nil else { return false }
            handle()
            return true
        }
    }

    /// Removes and returns the oldest report, for which it waits; `nil` after the end. Only one task may wait.
    func next() async -> Report? {
        await withCheckedContinuation { continuation in
            let (report, isDue) = state.withLock { state -> (Report?, Bool) in
                let report = state.isOver ? nil : state.popFirst()
                if report != nil || state.isOver { return (report, true) }
                state.taker = continuation
                return (nil, false)
            }
            if isDue { continuation.resume(returning: report) }
        }
    }

    /// Drops what was reported, and ends the wait.
    func end() {
        // The dropped reports are released after the lock.
        let (former, taker) = state.withLock { state in
            defer {
                state = State()
                state.isOver = true
            }
            return (state, state.taker)
        }
        _ = former
        taker?.resume(returning: nil)
    }
}
