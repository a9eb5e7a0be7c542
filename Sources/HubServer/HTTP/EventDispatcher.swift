import HubAPI
import LocalRPC
import NIOCore
import Synchronization

/// Passes the hub's messages to the logical connections in the hub's order, and writes each event once for all that show
/// the same.
///
/// The hub must not wait until an event is written as JSON, so a task of its own does that.
final class EventDispatcher: Sendable {
    // This is a class because all connections share it, and its task ends with it.

    /// The messages that wait to be passed on.
    private final class Queue: Sendable {
        // This is a class because the task shares it with the dispatcher, and must not keep the dispatcher.

        private let messages = Mutex<[(EventStream, HubMessage)]>([])

        /// Adds a message.
        ///
        /// - Returns: Whether the queue was empty.
        func add(_ message: HubMessage, to stream: EventStream) -> Bool {
            messages.withLock { messages in
                messages.append((stream, message))
                return messages.count == 1
            }
        }

        /// Removes all messages.
        func removeAll() -> [(EventStream, HubMessage)] {
            messages.withLock { messages in
                defer { messages = [] }
                return messages
            }
        }
    }

    /// How often the connections' streams are written to.
    let pace: EventPace
    private let queue = Queue()
    private let signals: AsyncStream<Void>.Continuation

    init(pace: EventPace = EventPace()) {
        self.pace = pace
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        signals = continuation
        Task { [queue] in
            var encoder = EventEncoder()
            for await _ in stream {
                // An event usually concerns all connections, so taking its messages one by one would cost more than passing
                // them on.
                for (stream, message) in queue.removeAll() { stream.receive(message, &encoder) }
            }
        }
    }

    deinit {
        signals.finish()
    }

    /// Passes a message on after those before it.
    func pass(_ message: HubMessage, to stream: EventStream) {
        // The task empties the queue as fast as it fills.
        if queue.add(message, to: stream) { signals.yield() }
    }
}

/// Writes events as server-sent events, and equal ones once.
struct EventEncoder {
    private var recent = RecentEvents<HubEvent, ByteBuffer>()

    /// The number of events that were written as JSON.
    var count: Int { recent.count }

    /// Returns an event as it is sent, without its ID.
    mutating func bytes(of event: HubEvent) throws -> ByteBuffer {
        try recent.bytes(of: event) { event in
            let payload = try event.payload()
            let method = event.method
            var bytes = ByteBuffer()
            bytes.reserveCapacity(payload.count + method.utf8.count + 16)
            bytes.writeString("event: \(method)\ndata: ")
            bytes.writeBytes(payload)
            bytes.writeString("\n\n")
            return bytes
        }
    }
}
