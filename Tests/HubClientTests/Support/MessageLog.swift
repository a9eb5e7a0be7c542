import HubAPI

/// The messages that a transport or a connection received, in order.
struct MessageLog: Sendable {
    let messages: AsyncStream<HubMessage>
    private let continuation: AsyncStream<HubMessage>.Continuation

    init() {
        (messages, continuation) = AsyncStream.makeStream()
    }

    func add(_ message: HubMessage) {
        continuation.yield(message)
        if case .closed = message { continuation.finish() }
    }

    /// Waits until the connection closes, and returns the messages and the connection's error.
    func untilClosed() async -> (messages: [HubMessage], error: HubError?) {
        var all: [HubMessage] = []
        for await message in messages {
            if case .closed(let error) = message { return (all, error) }
            all.append(message)
        }
        return (all, nil)
    }
}
