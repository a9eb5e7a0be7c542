import HubAPI
import Synchronization

/// What a hub knows on one connection of the requests that came on the one before.
enum HubMemory: Sendable {
    /// All of them: it is the same start of the hub.
    case everything
    /// Those of durable methods: it has started anew.
    case durable
    /// None.
    case nothing

    /// Whether a call that was lost may be made again.
    fileprivate func allows(_ call: PendingCalls.Call) -> Bool {
        switch self {
        case .everything: true
        case .durable: call.isReading || call.isDurable
        case .nothing: call.isReading
        }
    }
}

/// The calls of an app that have no reply yet. Each one ends once: by its reply, with its connection, or by its time
/// limit.
///
/// When a connection ends, its calls wait for the next one and are made there once more. The hub knows them by their
/// keys and does nothing twice. If it has started anew meanwhile it knows those of durable methods; whether others were
/// done cannot be known.
/// Calls that come while there is no connection yet wait too, and fail if the first retry does.
final class PendingCalls: Sendable {
    // A class, because the app's threads and those of connections share it.

    /// A call without its types.
    struct Call: Sendable {
        /// Whether it changes nothing, so that it may be made again whatever happened before.
        var isReading: Bool
        /// Whether the hub knows it again when it has started anew, if it is one that can.
        var isDurable: Bool
        /// Makes it on a connection of a number.
        var send: @Sendable (HubConnection, _ attempt: Int) -> Void
        /// Ends it.
        var fail: @Sendable (HubError) -> Void
        fileprivate var wasLost = false

        init(
            isReading: Bool,
            isDurable: Bool = false,
            send: @escaping @Sendable (HubConnection, _ attempt: Int) -> Void,
            fail: @escaping @Sendable (HubError) -> Void
        ) {
            self.isReading = isReading
            self.isDurable = isDurable
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
        /// The last try that failed.
        var failed: (attempt: Int, error: HubError)?

        /// The connection that was made after another one, if nobody waits for it any more: it releases no further call.
        func connection(after attempt: Int) -> (HubConnection, Latest)? {
            guard held.isEmpty, let latest, latest.attempt > attempt, let connection = latest.connection
            else { return nil }
            return (connection, latest)
        }
    }

    private enum Gap {
        case waits
        case isOver(HubConnection, Latest)
        case hasFailed(HubError)
    }

    private struct Latest {
        var attempt: Int
        weak var connection: HubConnection?
        var memory: HubMemory
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

    /// Adds a call that comes between two connections: it waits for the next one or, if that is there already, is made on
    /// it. If the next try has failed, the call fails.
    ///
    /// - Parameter attempt: The number of the connection that ended.
    func wait(_ number: Int, _ call: Call, since attempt: Int) {
        let gap = state.withLock { state -> Gap in
            state.calls[number] = call
            if let (connection, latest) = state.connection(after: attempt) { return .isOver(connection, latest) }
            if let failed = state.failed, failed.attempt > attempt { return .hasFailed(failed.error) }
            state.held.append(number)
            return .waits
        }
        switch gap {
        case .waits: break
        case .isOver(let connection, let latest): make(number, on: connection, latest)
        case .hasFailed(let error): end(number)?.fail(error)
        }
    }

    /// Takes care of a call whose connection ended: it waits for the next one or, if that is there already, is made on it.
    ///
    /// - Parameter attempt: The number of the connection that ended.
    /// - Returns: Whether it has another chance: not a second time.
    func hold(_ number: Int, after attempt: Int) -> Bool {
        let (hasChance, next) = state.withLock { state -> (Bool, (HubConnection, Latest)?) in
            guard state.calls[number]?.wasLost == false else { return (false, nil) }
            state.calls[number]?.wasLost = true
            if let next = state.connection(after: attempt) { return (true, next) }
            state.held.append(number)
            return (true, nil)
        }
        if let (connection, latest) = next { make(number, on: connection, latest) }
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
    ///   - memory: What the hub still knows of what it did.
    func release(to connection: HubConnection, _ attempt: Int, _ memory: HubMemory) {
        let latest = Latest(attempt: attempt, connection: connection, memory: memory)
        state.withLock { $0.latest = latest }
        // Calls that come meanwhile stand behind these until all are sent.
        while let number = nextHeld() {
            make(number, on: connection, latest)
            state.withLock { state in
                if state.held.first == number { state.held.removeFirst() }
            }
        }
    }

    private func make(_ number: Int, on connection: HubConnection, _ latest: Latest) {
        guard let call = state.withLock({ $0.calls[number] }) else { return }
        if call.wasLost && !latest.memory.allows(call) {
            if end(number) != nil { call.fail(Self.unknown) }
        } else {
            call.send(connection, latest.attempt)
        }
    }

    private func nextHeld() -> Int? {
        state.withLock { $0.held.first }
    }

    /// Ends the calls that wait: there is no connection for them.
    ///
    /// - Parameters:
    ///   - attempt: The number of the try that failed.
    ///   - error: Why it failed, for calls that were not made before.
    func failHeld(_ attempt: Int, because error: HubError) {
        let calls = state.withLock { state in
            defer { state.held = [] }
            state.failed = (attempt, error)
            return state.held.compactMap { state.calls.removeValue(forKey: $0) }
        }
        for call in calls { call.fail(call.wasLost ? Self.unknown : error) }
    }

    private static let unknown = HubError(
        .connectionLost,
        "The connection to the hub ended before its reply. Whether it was done is not known; look, and try again."
    )
}
