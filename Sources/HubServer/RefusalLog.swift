import NIOCore
import Synchronization

/// The number of rejected connections that have not been logged yet.
final class RefusalLog: Sendable {
    // This is a class because the initializers of all connections share it.

    private struct State {
        var refusals = 0
        var lastLogged: NIODeadline?
    }

    private let state = Mutex(State())

    /// Counts a rejected connection.
    ///
    /// - Returns: The number since the last log entry, if an entry is due.
    func add(at now: NIODeadline, every logTime: TimeAmount) -> Int? {
        state.withLock { state in
            state.refusals += 1
            if let last = state.lastLogged, now - last < logTime { return nil }
            defer { state.refusals = 0 }
            state.lastLogged = now
            return state.refusals
        }
    }
}
