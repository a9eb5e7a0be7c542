/// The connection to the other hub of the homes, as a state machine: events and the time go in, what to do comes out.
///
/// One of the two hubs connects and the other accepts, so that they never hold two connections. Whoever connects tries again
/// until it has one. Nothing is kept for a hub that isn't connected: those who send know what to send again.
package struct HubLinkMachine: Sendable {
    /// A connection, by a number that is never used again.
    package typealias Connection = Int

    /// What to do, in order.
    package enum Action: Hashable, Sendable {
        /// Try to connect; report ``opened(_:at:)`` or ``closed(_:at:)``. The attempt's number chooses among the ways.
        case connect(Connection, attempt: Int)
        /// Write a frame, and report ``sent(_:on:)``.
        case write(HubFrame, Connection)
        /// Close a connection, and report ``closed(_:at:)``.
        case close(Connection)
        /// Deliver a frame, and report ``handled(_:)``.
        case deliver(HubFrame)
        /// Go on reading from the connection.
        case resume(Connection)
        /// Tell that the other hub is connected, or isn't any more.
        case tell(isConnected: Bool)
        /// Tell that there is room for frames again, after one wasn't taken.
        case tellRoom
    }

    private enum State: Hashable {
        /// Nothing is wanted.
        case stopped
        /// The other hub is expected to connect, or the next attempt is at a time.
        case waiting(until: Duration?)
        case connecting(Connection)
        /// The other hub has proved its key to this one. Whether it serves this one shows by its first frame.
        case proved(Connection)
        case open(Connection)
    }

    /// Whether this hub connects.
    let connects: Bool
    private let pauses: HubLinkLimits.Pauses
    private var state = State.stopped
    private var lastConnection = 0
    private var attempts = 0
    /// The attempts since the other hub was last connected.
    private var failures = 0
    private var lastHeard = Duration.zero
    private var lastSent = Duration.zero
    private var unsent = 0
    private var unhandled = 0
    /// Whether frames are read from the connection.
    private(set) var isReading = true
    /// Whether a frame wasn't taken since there was room last.
    private var isFull = false

    /// Creates a machine.
    ///
    /// - Parameters:
    ///   - connects: Whether this hub connects; the other one accepts.
    ///   - pauses: The pauses between attempts to connect.
    package init(connects: Bool, pauses: HubLinkLimits.Pauses = HubLinkLimits.pauses) {
        self.connects = connects
        self.pauses = pauses
    }

    /// Whether the other hub is connected.
    package var isConnected: Bool { if case .open = state { true } else { false } }

    /// When ``tick(_:jitter:)`` is needed; `nil` for never.
    package var nextTick: Duration? {
        switch state {
        case .stopped, .connecting: nil
        case .waiting(let time): time
        case .proved: lastHeard + HubLinkLimits.connectTime
        case .open: min(lastSent + HubLinkLimits.pingTime, lastHeard + HubLinkLimits.silenceTime)
        }
    }

    // MARK: Events

    /// Begins to connect, or to accept.
    package mutating func start(at now: Duration) -> [Action] {
        guard state == .stopped else { return [] }
        state = .waiting(until: nil)
        return connect(at: now)
    }

    /// Ends the connection for good.
    package mutating func stop() -> [Action] {
        defer { state = .stopped }
        switch state {
        case .stopped, .waiting: return []
        case .connecting(let connection), .proved(let connection): return [.close(connection)]
        case .open(let connection): return [.close(connection), .tell(isConnected: false)]
        }
    }

    /// Tries to connect now, because there is a hint that the other hub is there.
    package mutating func hint(at now: Duration) -> [Action] {
        guard case .waiting = state else { return [] }
        return connect(at: now)
    }

    /// Returns the number of a connection that the other hub has opened, and accepts it in place of an earlier one: the
    /// other hub has only one, so the earlier one is broken.
    package mutating func accept(at now: Duration) -> (Connection?, [Action]) {
        guard state != .stopped, !connects else { return (nil, []) }
        var actions: [Action] = []
        if case .open(let old) = state { actions = [.close(old), .tell(isConnected: false)] }
        lastConnection += 1
        return (lastConnection, actions + open(lastConnection, at: now))
    }

    /// Handles that an attempt has succeeded: the other hub has proved that it has its key. A hub that doesn't serve this one
    /// closes the connection now, and one that does sends a frame.
    package mutating func opened(_ connection: Connection, at now: Duration) -> [Action] {
        guard state == .connecting(connection) else { return [.close(connection)] }
        state = .proved(connection)
        lastHeard = now
        return []
    }

    /// Handles that a connection has ended or an attempt has failed.
    ///
    /// - Parameter jitter: A random number from 0 to 1, so that hubs don't try in step.
    package mutating func closed(_ connection: Connection, at now: Duration, jitter: Double) -> [Action] {
        let wasOpen = state == .open(connection)
        guard wasOpen || state == .connecting(connection) || state == .proved(connection) else { return [] }
        // Whoever was connected is most likely back at once.
        failures = wasOpen ? 0 : failures + 1
        state = .waiting(until: connects ? now + pause(after: failures, jitter) : nil)
        return wasOpen ? [.tell(isConnected: false)] : []
    }

    /// Handles a frame. Afterwards, ``isReading`` says whether to read another one.
    package mutating func received(_ frame: HubFrame, on connection: Connection, at now: Duration) -> [Action] {
        let actions = state == .proved(connection) ? open(connection, at: now) : []
        guard state == .open(connection) else { return [] }
        lastHeard = now
        guard frame.kind != .ping else { return actions }
        unhandled += frame.size
        isReading = unhandled <= HubLinkLimits.unhandledBytes
        return actions + [.deliver(frame)]
    }

    /// Handles that a delivered frame was handled.
    package mutating func handled(_ frame: HubFrame) -> [Action] {
        unhandled = max(0, unhandled - frame.size)
        guard !isReading, unhandled <= HubLinkLimits.unhandledBytes / 2 else { return [] }
        isReading = true
        guard case .open(let connection) = state else { return [] }
        return [.resume(connection)]
    }

    /// Sends a frame.
    ///
    /// - Returns: What to do; `nil` if the frame isn't taken, because the other hub isn't connected or has too much to read.
    package mutating func send(_ frame: HubFrame, at now: Duration) -> [Action]? {
        guard case .open(let connection) = state else { return nil }
        guard unsent + frame.size <= HubLinkLimits.unsentBytes else {
            isFull = true
            return nil
        }
        unsent += frame.size
        lastSent = now
        return [.write(frame, connection)]
    }

    /// Handles that a frame has left.
    package mutating func sent(_ frame: HubFrame, on connection: Connection) -> [Action] {
        guard state == .open(connection) else { return [] }
        unsent -= frame.size
        guard isFull, unsent <= HubLinkLimits.unsentBytes / 2 else { return [] }
        isFull = false
        return [.tellRoom]
    }

    /// Handles that time has passed.
    package mutating func tick(_ now: Duration, jitter: Double) -> [Action] {
        switch state {
        case .stopped, .connecting, .waiting(until: nil): return []
        case .waiting(let time?): return time <= now ? connect(at: now) : []
        case .proved(let connection):
            guard now - lastHeard >= HubLinkLimits.connectTime else { return [] }
            return [.close(connection)] + closed(connection, at: now, jitter: jitter)
        case .open(let connection):
            // While this hub itself reads nothing, the other one isn't silent.
            if !isReading { lastHeard = now }
            if now - lastHeard >= HubLinkLimits.silenceTime {
                return [.close(connection)] + closed(connection, at: now, jitter: jitter)
            }
            guard now - lastSent >= HubLinkLimits.pingTime else { return [] }
            return send(.ping, at: now) ?? []
        }
    }

    // MARK: States

    private mutating func connect(at now: Duration) -> [Action] {
        guard connects else { return [] }
        lastConnection += 1
        attempts += 1
        state = .connecting(lastConnection)
        return [.connect(lastConnection, attempt: attempts - 1)]
    }

    private mutating func open(_ connection: Connection, at now: Duration) -> [Action] {
        state = .open(connection)
        (unsent, unhandled, isReading, isFull) = (0, 0, true, false)
        lastHeard = now
        failures = 0
        // The other hub lets go of a connection on which nothing comes.
        return [.tell(isConnected: true)] + (send(.ping, at: now) ?? [])
    }

    private func pause(after failures: Int, _ jitter: Double) -> Duration {
        let doublings = min(failures, 10)
        return min(pauses.shortest * (1 << doublings), pauses.longest) * (0.5 + jitter / 2)
    }
}
