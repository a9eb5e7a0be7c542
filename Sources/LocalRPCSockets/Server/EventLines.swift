package import LocalRPC
import NIOCore
import Synchronization

/// Writes the events of a listener's connections as lines, and equal ones once.
package final class EventLines<Event: RPCEvent>: Sendable {
    // This is a class because all connections of a listener share it.

    private let recent = Mutex(RecentEvents<Event, ByteBuffer>())

    /// Creates a writer.
    package init() {}

    /// Returns the line of an event, with its terminator. Connections share its bytes.
    func line(of event: Event) throws -> ByteBuffer {
        // A full state is large, and each connection has its own.
        if event.isReset { return try Self.buffer(event) }
        return try recent.withLock { try $0.bytes(of: event, Self.buffer) }
    }

    private static func buffer(_ event: Event) throws -> ByteBuffer {
        ByteBuffer(bytes: try WireFormat<Event>.line(event))
    }
}
