import HubAPI
import NIOCore

/// Passes the hub's messages to the logical connections in the hub's order, and writes each event once for all that show
/// the same.
///
/// The hub must not wait until an event is written as JSON, so a task of its own does that.
final class EventDispatcher: Sendable {
    // This is a class because all connections share it, and its task ends with it.

    private let messages: AsyncStream<(EventStream, HubMessage)>.Continuation

    init() {
        // The task empties the buffer as fast as it fills.
        let (stream, continuation) = AsyncStream.makeStream(of: (EventStream, HubMessage).self)
        messages = continuation
        Task {
            var encoder = EventEncoder()
            for await (stream, message) in stream { stream.receive(message, &encoder) }
        }
    }

    deinit {
        messages.finish()
    }

    /// Passes a message on after those before it.
    func pass(_ message: HubMessage, to stream: EventStream) {
        messages.yield((stream, message))
    }
}

/// Writes events as server-sent events.
///
/// It keeps the last ones: pages of users with the same view get equal events one after the other, and share the bytes.
struct EventEncoder {
    private struct Written {
        var event: HubEvent
        var bytes: ByteBuffer
    }

    /// The number of events that are kept: an event can differ for the client that caused it, and for each role.
    private static let kept = 4

    private var recent: [Written] = []
    /// The number of events that were written as JSON.
    private(set) var count = 0

    /// Returns an event as it is sent, without its ID.
    mutating func bytes(of event: HubEvent) throws -> ByteBuffer {
        if let index = recent.lastIndex(where: { $0.event == event }) { return recent[index].bytes }
        let payload = try event.payload()
        let method = event.method
        var bytes = ByteBuffer()
        bytes.reserveCapacity(payload.count + method.utf8.count + 16)
        bytes.writeString("event: \(method)\ndata: ")
        bytes.writeBytes(payload)
        bytes.writeString("\n\n")
        count += 1
        if recent.count == Self.kept { recent.removeFirst() }
        recent.append(Written(event: event, bytes: bytes))
        return bytes
    }
}
