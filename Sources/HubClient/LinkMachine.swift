import HubAPI

/// The state of a client's link to a hub: one connection after another, and the calls without a reply.
///
/// Each method handles one event and returns the actions to take, in order. The machine does no I/O; ``LinkDriver`` does.
///
/// When a connection ends, its calls are retried on the next one. The hub recognizes them by their keys and does nothing
/// twice. A hub that has restarted may recognize only the calls of durable methods. The others fail, because their outcome
/// is unknown. Calls made while the first retry is pending wait for it, and fail if it fails.
struct LinkMachine: Sendable {
    /// The number of a call.
    typealias CallID = Int

    /// The properties of a method that determine what happens to its calls when a connection ends.
    struct CallTraits: Hashable, Sendable {
        /// Whether the call changes nothing, so that it can always be retried.
        var isReading: Bool
        /// Whether a restarted hub can recognize the call.
        var isDurable: Bool
        /// Whether the call is about its connection, so that it doesn't apply to the next one.
        var isAboutConnection: Bool

        /// Creates traits.
        init(isReading: Bool = false, isDurable: Bool = false, isAboutConnection: Bool = false) {
            self.isReading = isReading
            self.isDurable = isDurable
            self.isAboutConnection = isAboutConnection
        }
    }

    /// The kind of a call's timeout.
    enum Timeout: Hashable, Sendable {
        /// The method's timeout.
        case ordinary
        /// The timeout while the hello has no reply.
        case greeting
    }

    /// An action for the driver.
    enum Action: Hashable, Sendable {
        /// Open the connection with this number. After all events of the previous one were handled, report
        /// ``LinkMachine/drained(_:)``.
        case connect(Int)
        /// Say hello on a connection, and name the previous connection if calls were lost with it.
        case greet(Int, previous: PreviousConnection?)
        /// Make a call on a connection.
        case send(CallID, on: Int)
        /// End a call with an error.
        case fail(CallID, HubError)
        /// Start a timeout of a call.
        case startTimeout(CallID, Timeout)
        /// Report that the hub has accepted the client.
        case reportWelcome(Welcome)
        /// Report that the hub doesn't let the client use the homes.
        case reportDenial(HubError)
        /// Report that the connection ended. `isGone` is `true` if a retry failed too.
        case reportLoss(HubError, isGone: Bool)
        /// Log why there is no connection.
        case log(HubError)
        /// Close a connection.
        case close(Int)
        /// Report ``LinkMachine/retryIsDue()`` after the delay for this number of failures in a row.
        case scheduleRetry(failures: Int)
    }

    /// What to do with a call after its reply.
    enum Outcome: Hashable, Sendable {
        /// Complete the call: with the reply or, if there is one, with this error.
        case complete(HubError?)
        /// Do nothing: the call waits for the next connection.
        case wait
        /// Make the call again.
        case retry([Action])
        /// Do nothing: the call has already ended.
        case ignore
    }

    private enum Phase: Hashable, Sendable {
        /// The link was never opened.
        case idle
        /// The hub has not replied to the hello. Calls can follow the hello once it is sent. Before, they wait if there is a
        /// gap between two connections, or fail.
        case connecting(isGreeted: Bool, hasGap: Bool)
        /// The hub has accepted the client.
        case open(HubMemory)
        /// The connection has ended, and a retry is scheduled. In a gap calls wait for it, otherwise they fail.
        case waiting(hasGap: Bool)
        /// The connection has ended for good.
        case closed
    }

    private struct Call: Sendable {
        var traits: CallTraits
        /// Whether the connection of the call ended before its reply.
        var wasLost = false
        /// Whether the ordinary timeout starts when the hub replies to the hello.
        var awaitsWelcome = false
    }

    private var phase = Phase.idle
    /// The number of the last connection.
    private var number = 0
    /// Whether the client reconnects after the connection has ended.
    private var reconnects: Bool
    /// The number of attempts in a row that ended before the hub sent its state.
    private var failures = 0
    /// Why there is no connection.
    private var failure = HubError(.noHub, "The connection to the hub is not open yet.")
    /// The code that was logged last; `nil` while the link works.
    private var logged: HubError.Code?
    /// The last connection on which the hub rejected the hello, and its error.
    private var refusal: (number: Int, error: HubError)?
    /// The hub's last welcome.
    private var welcome: Welcome?
    private var calls: [CallID: Call] = [:]
    private var lastID = 0
    /// The calls that wait for a connection, in order.
    private var held: [CallID] = []

    /// Creates a link that is not open.
    ///
    /// - Parameter reconnects: Whether the client reconnects after the connection has ended.
    init(reconnects: Bool) {
        self.reconnects = reconnects
    }

    // MARK: The connection

    /// Handles the client's request to connect. Only the first one has an effect.
    mutating func open() -> [Action] {
        guard case .idle = phase else { return [] }
        number = 1
        phase = .connecting(isGreeted: true, hasGap: false)
        return [.connect(number), .greet(number, previous: nil)]
    }

    /// Handles the end of the delay before a retry.
    mutating func retryIsDue() -> [Action] {
        guard case .waiting(let hasGap) = phase else { return [] }
        number += 1
        phase = .connecting(isGreeted: false, hasGap: hasGap)
        return [.connect(number)]
    }

    /// Says hello on this connection, because all events of the previous one have been handled.
    mutating func drained(_ connection: Int) -> [Action] {
        guard connection == number, case .connecting(false, let hasGap) = phase else { return [] }
        phase = .connecting(isGreeted: true, hasGap: hasGap)
        let hasLost = held.contains { id in calls[id].map { $0.wasLost && !$0.traits.isReading } ?? false }
        return [.greet(number, previous: hasLost ? welcome?.connection : nil)]
    }

    /// Handles the hub's reply to the hello. Makes the calls that the previous connection left without a reply.
    mutating func welcomed(_ connection: Int, _ welcome: Welcome) -> [Action] {
        guard connection == number, case .connecting = phase else { return [] }
        if let mismatch = welcome.mismatch { return refused(connection, mismatch) }
        let memory = HubMemory(before: self.welcome, now: welcome)
        self.welcome = welcome
        phase = .open(memory)
        var actions = calls.keys.sorted().filter { calls[$0]?.awaitsWelcome == true }.map { id in
            calls[id]?.awaitsWelcome = false
            return Action.startTimeout(id, .ordinary)
        }
        for id in held { actions += make(id, memory) }
        held = []
        return actions + [.reportWelcome(welcome)]
    }

    /// Handles an error in reply to the hello.
    mutating func refused(_ connection: Int, _ error: HubError) -> [Action] {
        guard connection == number, case .connecting = phase else { return [] }
        refusal = (connection, error)
        let isDenial = [.appNotAllowed, .purposeMissing].contains(error.code)
        return (isDenial ? [.reportDenial(error)] : []) + [.close(connection)]
    }

    /// Handles the arrival of the hub's state, which shows that the link works.
    mutating func loaded() {
        failures = 0
        logged = nil
    }

    /// Handles the end of a connection, after the replies to its calls.
    mutating func ended(_ connection: Int, _ error: HubError) -> [Action] {
        guard connection == number else { return [] }
        let wasOpen: Bool
        switch phase {
        case .connecting: wasOpen = false
        case .open: wasOpen = true
        case .idle, .waiting, .closed: return []
        }
        failure = reason(for: error, on: connection)
        phase = reconnects ? .waiting(hasGap: wasOpen) : .closed
        // Calls on this connection are retried on the next one. Calls that were waiting for this one fail.
        var actions = wasOpen && reconnects ? [] : failHeld()
        guard reconnects else { return actions + [.reportLoss(failure, isGone: false)] }
        if logged != failure.code { actions.append(.log(failure)) }
        logged = failure.code
        actions.append(.reportLoss(failure, isGone: !wasOpen && failures > 0))
        actions.append(.scheduleRetry(failures: failures))
        failures += 1
        return actions
    }

    /// Handles the client's request to end the link for good.
    mutating func close() -> [Action] {
        reconnects = false
        switch phase {
        case .connecting, .open:
            return [.close(number)]
        case .idle, .waiting:
            phase = .closed
            return failHeld()
        case .closed:
            return []
        }
    }

    // MARK: Calls

    /// Handles a new call.
    mutating func call(_ traits: CallTraits) -> (id: CallID, actions: [Action]) {
        lastID += 1
        let id = lastID
        switch phase {
        case .open:
            calls[id] = Call(traits: traits)
            return (id, [.startTimeout(id, .ordinary)] + sendOrHold(id))
        case .connecting(isGreeted: true, _):
            calls[id] = Call(traits: traits, awaitsWelcome: true)
            return (id, [.startTimeout(id, .greeting)] + sendOrHold(id))
        case .connecting(isGreeted: false, hasGap: true) where !traits.isAboutConnection:
            calls[id] = Call(traits: traits, awaitsWelcome: true)
            held.append(id)
            return (id, [.startTimeout(id, .greeting)])
        case .waiting(hasGap: true) where !traits.isAboutConnection:
            calls[id] = Call(traits: traits)
            held.append(id)
            return (id, [.startTimeout(id, .ordinary)])
        case .idle, .connecting, .waiting, .closed:
            return (id, [.fail(id, failure)])
        }
    }

    /// Handles the reply to a call, or its loss with the connection.
    mutating func replied(_ id: CallID, on connection: Int, _ error: HubError?) -> Outcome {
        guard let call = calls[id] else { return .ignore }
        let error = error.map { reason(for: $0, on: connection) }
        guard error?.code == .connectionLost, canRepeat(call) else {
            remove(id)
            return .complete(error)
        }
        calls[id]?.wasLost = true
        // If the next connection is open, it makes no further waiting calls.
        if case .open(let memory) = phase, number > connection, held.isEmpty { return .retry(make(id, memory)) }
        held.append(id)
        return .wait
    }

    /// Handles a call's timeout.
    mutating func timedOut(_ id: CallID, after duration: Duration) -> [Action] {
        guard calls[id] != nil else { return [] }
        remove(id)
        let seconds = duration.components.seconds
        let reason = "The hub has not replied for \(seconds) seconds. It may still carry out the call."
        return [.fail(id, HubError(.timedOut, reason))]
    }

    private func canRepeat(_ call: Call) -> Bool {
        reconnects && !call.wasLost && !call.traits.isAboutConnection
    }

    private mutating func sendOrHold(_ id: CallID) -> [Action] {
        if held.isEmpty { return [.send(id, on: number)] }
        held.append(id)
        return []
    }

    private mutating func make(_ id: CallID, _ memory: HubMemory) -> [Action] {
        guard let call = calls[id] else { return [] }
        if !call.wasLost || memory.recognizes(call.traits) { return [.send(id, on: number)] }
        calls[id] = nil
        return [.fail(id, Self.unknownOutcome)]
    }

    private mutating func failHeld() -> [Action] {
        defer { held = [] }
        return held.compactMap { id in
            calls.removeValue(forKey: id).map { .fail(id, $0.wasLost ? Self.unknownOutcome : failure) }
        }
    }

    private mutating func remove(_ id: CallID) {
        calls[id] = nil
        held.removeAll { $0 == id }
    }

    /// Returns why something failed on a connection: the hub's own error, if it rejected the hello.
    private func reason(for error: HubError, on connection: Int) -> HubError {
        guard let refusal, refusal.number == connection, [.connectionLost, .notGreeted].contains(error.code)
        else { return error }
        return refusal.error
    }

    private static let unknownOutcome = HubError(
        .connectionLost,
        "The connection to the hub ended before the reply. The outcome is unknown; check it, then try again."
    )
}

/// The calls of earlier connections that a hub recognizes.
enum HubMemory: Hashable, Sendable {
    /// All calls: the hub has not restarted.
    case everything
    /// The calls of durable methods: the hub has restarted.
    case durable
    /// No calls.
    case nothing

    /// Compares the welcomes of two connections.
    init(before: Welcome?, now: Welcome) {
        if let before, before.run == now.run {
            self = .everything
        } else {
            // A hub that did not store requests when they were made can't recognize them later.
            self = before?.keepsRequests == true && now.keepsRequests == true ? .durable : .nothing
        }
    }

    /// Returns whether a call that was lost can be retried.
    func recognizes(_ call: LinkMachine.CallTraits) -> Bool {
        switch self {
        case .everything: true
        case .durable: call.isReading || call.isDurable
        case .nothing: call.isReading
        }
    }
}

extension Welcome {
    /// The connection, as a later hello names it.
    fileprivate var connection: PreviousConnection? {
        client.map { PreviousConnection(run: run, client: $0) }
    }
}
