import HubAPI
import Synchronization

/// The calls of an app that have no reply yet. Each one ends once: by its reply, with its connection, or by its time
/// limit.
///
/// When a connection ends, its calls wait for the next one and are made there once more. The hub knows them by their
/// keys and does nothing twice, unless it has started anew meanwhile: then whether they were done cannot be known.
final class PendingCalls: Sendable {
    // A class, because the app's threads and those of connections share it.

    /// A call without its types.
    struct Call: Sendable {
        /// Whether it changes nothing, so that it may be made again whatever happened before.
        var isReading: Bool
        /// Makes it on a connection.
        var send: @Sendable (HubConnection) -> Void
        /// Ends it.
        var fail: @Sendable (HubError) -> Void
        fileprivate var wasLost = false

        init(
            isReading: Bool,
            send: @escaping @Sendable (HubConnection) -> Void,
            fail: @escaping @Sendable (HubError) -> Void
        ) {
            self.isReading = isReading
            self.send = send
            self.fail = fail
        }
    }

    private struct State {
        var last = 0
        var calls: [Int: Call] = [:]
        /// Those that wait for a connection, in their order.
        var held: [Int] = []
        /// The connection to which waiting calls were released last.
        var latest: Latest?
    }

    private struct Latest {
        var attempt: Int
        weak var connection: HubConnection?
        var isSameRun: Bool
    }

    private let state = Mutex(State())

    /// A number for a call that is about to begin.
    func number() -> Int {
        state.withLock { state in
            state.last += 1
            return state.last
        }
    }

    /// Adds a call.
    ///
    /// - Returns: Whether it is to be sent at once; else it waits behind others for the connection to be made.
    func add(_ number: Int, _ call: Call) -> Bool {
        state.withLock { state in
            state.calls[number] = call
            if !state.held.isEmpty { state.held.append(number) }
            return state.held.isEmpty
        }
    }

    /// Ends a call.
    ///
    /// - Returns: The call; nil if it has ended before.
    func end(_ number: Int) -> Call? {
        state.withLock { state in
            state.held.removeAll { $0 == number }
            return state.calls.removeValue(forKey: number)
        }
    }

    /// Takes care of a call whose connection ended: it waits for the next one or, if that is there already, is made on it.
    ///
    /// - Parameter attempt: The number of the connection that ended.
    /// - Returns: Whether it has another chance: not a second time.
    func hold(_ number: Int, after attempt: Int) -> Bool {
        let (hasChance, next) = state.withLock { state -> (Bool, (HubConnection, isSameRun: Bool)?) in
            guard state.calls[number]?.wasLost == false else { return (false, nil) }
            state.calls[number]?.wasLost = true
            // Released to it were those that waited then; nobody would release this one.
            if state.held.isEmpty, let latest = state.latest, latest.attempt > attempt,
                let connection = latest.connection
            {
                return (true, (connection, latest.isSameRun))
            }
            state.held.append(number)
            return (true, nil)
        }
        if let next { make(number, on: next.0, isSameRun: next.isSameRun) }
        return hasChance
    }

    /// Whether a call waits that may have been carried out on the last connection.
    var haveLost: Bool {
        state.withLock { state in
            state.held.contains { number in state.calls[number].map { $0.wasLost && !$0.isReading } ?? false }
        }
    }

    /// Makes the waiting calls on a new connection.
    ///
    /// - Parameters:
    ///   - attempt: The number of that connection.
    ///   - isSameRun: Whether the hub still knows what it did.
    func release(to connection: HubConnection, _ attempt: Int, isSameRun: Bool) {
        state.withLock { state in
            state.latest = Latest(attempt: attempt, connection: connection, isSameRun: isSameRun)
        }
        // Calls that come meanwhile stand behind these until all are sent.
        while let number = nextHeld() {
            make(number, on: connection, isSameRun: isSameRun)
            state.withLock { state in
                if state.held.first == number { state.held.removeFirst() }
            }
        }
    }

    private func make(_ number: Int, on connection: HubConnection, isSameRun: Bool) {
        guard let call = state.withLock({ $0.calls[number] }) else { return }
        if call.wasLost && !isSameRun && !call.isReading {
            if end(number) != nil { call.fail(Self.unknown) }
        } else {
            call.send(connection)
        }
    }

    private func nextHeld() -> Int? {
        state.withLock { $0.held.first }
    }

    /// Ends the calls that wait: there is no connection for them.
    func failHeld() {
        let calls = state.withLock { state in
            defer { state.held = [] }
            return state.held.compactMap { state.calls.removeValue(forKey: $0) }
        }
        for call in calls { call.fail(Self.unknown) }
    }

    private static let unknown = HubError(
        .connectionLost,
        "The connection to the hub ended before its reply. Whether it was done is not known; look, and try again."
    )
}
