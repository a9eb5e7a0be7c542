import Foundation
import HubAPI
import Synchronization

/// The sessions that have greeted the hub.
final class SessionRegistry: Sendable {
    // A class, because all parts of the hub share the one list.

    private let sessions = Mutex<[UUID: HubSession]>([:])

    /// Adds a session.
    func add(_ session: HubSession) {
        sessions.withLock { $0[session.id] = session }
    }

    /// Removes a session.
    func remove(_ session: HubSession) {
        _ = sessions.withLock { $0.removeValue(forKey: session.id) }
    }

    /// The sessions at this moment.
    var all: [HubSession] {
        sessions.withLock { Array($0.values) }
    }

    /// Tells every session what `message` makes of it; nil tells it nothing.
    func tell(_ message: (HubSession) -> HubEvent?) {
        for session in all {
            if let event = message(session) { session.deliver(.event(event)) }
        }
    }
}
