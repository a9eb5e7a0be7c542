import HAP
import HAPCatalog
import PeerProcess

@testable import HAPClient

/// A log of a session's events, which are awaited one by one.
actor EventLog {
    private nonisolated let continuation: AsyncStream<AccessorySessionEvent>.Continuation
    private var iterator: AsyncStream<AccessorySessionEvent>.Iterator

    init() {
        let (stream, continuation) = AsyncStream<AccessorySessionEvent>.makeStream()
        self.continuation = continuation
        iterator = stream.makeAsyncIterator()
    }

    /// Records an event, from any thread.
    nonisolated func record(_ event: AccessorySessionEvent) {
        continuation.yield(event)
    }

    /// Returns the next event, or `nil` if the session is over.
    func next() async -> AccessorySessionEvent? {
        var iterator = iterator
        defer { self.iterator = iterator }
        return await iterator.next(isolation: #isolation)
    }

    /// Skips events until the session is ready, and returns its accessories.
    func ready() async -> [AccessoryAttributes] {
        while let event = await next() {
            if case .ready(let accessories) = event { return accessories }
        }
        return []
    }

    /// Skips events until the accessory is unreachable, and returns the cause.
    func unreachable() async -> UnreachableCause? {
        while let event = await next() {
            if case .unreachable(let cause) = event { return cause }
        }
        return nil
    }

    /// Skips events until values change, and returns them.
    func values() async -> [CharacteristicID: CharacteristicValue?] {
        while let event = await next() {
            if case .values(let values) = event { return Dictionary(values) { $1 } }
        }
        return [:]
    }
}

extension SessionConfiguration {
    /// A configuration with short delays between attempts, and long timeouts for loaded machines.
    static var forTests: SessionConfiguration {
        var configuration = SessionConfiguration()
        configuration.reconnectDelay = .milliseconds(20)...Duration.milliseconds(100)
        configuration.connectTimeout = Wait.limit
        configuration.verifyTimeout = Wait.limit
        configuration.responseTimeout = Wait.limit
        configuration.requestDeadline = Wait.limit
        return configuration
    }
}
