import Foundation
import HubAPI
import Synchronization

/// The sessions that have been admitted.
final class SessionRegistry: HubPart {
    // This is a class because all parts of the hub share the one list.

    private let sessions = Mutex<[UUID: HubSession]>([:])

    /// Adds a session.
    func add(_ session: HubSession) {
        sessions.withLock { $0[session.id] = session }
    }

    /// Removes a session.
    func remove(_ session: HubSession) {
        _ = sessions.withLock { $0.removeValue(forKey: session.id) }
    }

    /// The current sessions.
    var all: [HubSession] {
        sessions.withLock { Array($0.values) }
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
