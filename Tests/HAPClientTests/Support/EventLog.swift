import HAP
import HAPCatalog
import PeerProcess

@testable import HAPClient

/// The events of a session, awaited one after the other.
actor EventLog {
    private nonisolated let continuation: AsyncStream<AccessorySessionEvent>.Continuation
    private var iterator: AsyncStream<AccessorySessionEvent>.Iterator

    init() {
        let (stream, continuation) = AsyncStream<AccessorySessionEvent>.makeStream()
        self.continuation = continuation
        iterator = stream.makeAsyncIterator()
    }

    /// Takes an event, from any thread.
    nonisolated func note(_ event: AccessorySessionEvent) {
        continuation.yield(event)
    }

    /// The next event; nil if there is none because the session is over.
    func next() async -> AccessorySessionEvent? {
        var iterator = iterator
        defer { self.iterator = iterator }
        return await iterator.next(isolation: #isolation)
    }

    /// Passes over events until the session is ready, and gives its accessories.
    func ready() async -> [AccessoryAttributes] {
        while let event = await next() {
            if case .ready(let accessories) = event { return accessories }
        }
        return []
    }

    /// Passes over events until the accessory is unreachable, and gives the cause.
    func unreachable() async -> UnreachableCause? {
        while let event = await next() {
            if case .unreachable(let cause) = event { return cause }
        }
        return nil
    }

    /// Passes over events until some values come.
    func values() async -> [CharacteristicID: CharacteristicValue?] {
        while let event = await next() {
            if case .values(let values) = event { return Dictionary(values) { $1 } }
        }
        return [:]
    }
}

extension SessionConfiguration {
    /// Short waits between tries, long patience for a loaded machine.
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
