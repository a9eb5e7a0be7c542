import Foundation
package import LocalRPC
import Synchronization

/// Writes the events of a listener's connections as lines, and equal ones once.
package final class EventLines<Event: RPCEvent>: Sendable {
    // This is a class because all connections of a listener share it.

    private let recent = Mutex(RecentEvents<Event, Data>())

    /// Creates a writer.
    package init() {}

    /// Returns the line of an event, with its terminator.
    func line(of event: Event) throws -> Data {
        // A full state is large, and each connection has its own.
        if event.isReset { return try WireFormat<Event>.line(event) }
        return try recent.withLock { try $0.bytes(of: event) { try WireFormat<Event>.line($0) } }
    }
}
