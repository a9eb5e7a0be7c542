import Foundation
import HubAPI
import Synchronization

/// The sessions that have been admitted.
final class SessionRegistry: HubPart {
    // This is a class because all parts of the hub share the one list.

    private struct State {
        var sessions: [UUID: HubSession] = [:]
        /// The sessions as a list, which is made once for many events; `nil` if it isn't made yet.
        var list: [HubSession]?
    }

    private let state = Mutex(State())

    /// Adds a session.
    func add(_ session: HubSession) {
        state.withLock { state in
            state.sessions[session.id] = session
            state.list = nil
        }
    }

    /// Removes a session.
    func remove(_ session: HubSession) {
        state.withLock { state in
            state.sessions[session.id] = nil
            state.list = nil
        }
    }

    /// The current sessions.
    var all: [HubSession] {
        state.withLock { state in
            if let list = state.list { return list }
            let list = Array(state.sessions.values)
            state.list = list
            return list
        }
    }

    /// Counts the sessions.
    func report(in statistics: inout HubStatistics) async { statistics.clients = all.count }

    /// Closes all sessions.
    func stop() async {
        for session in all { session.close(HubError(.connectionLost, "The hub has stopped.")) }
    }

    /// Sends an event to every session.
    ///
    /// - Parameter message: A closure that returns the event for a session, or `nil` for none.
    func send(_ message: (HubSession) -> HubEvent?) {
        for session in all {
            if let event = message(session) { session.deliver(.event(event)) }
        }
    }
}
