import HubAPI

/// What a transport or a connection brought, in order, to be waited for.
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

    /// The messages up to the end of the connection and that one's error.
    func untilClosed() async -> (messages: [HubMessage], error: HubError?) {
        var all: [HubMessage] = []
        for await message in messages {
            if case .closed(let error) = message { return (all, error) }
            all.append(message)
        }
        return (all, nil)
    }
}
