internal import HAP
internal import HAPCatalog
internal import NIOCore

/// A driver that performs the actions of a ``SessionMachine``: connections, timers and callbacks. It is confined to its
/// event loop.
///
/// It is a class because callbacks of connections and timers share its state. It is not Sendable; the session holds it
/// in a loop-bound box.
final class SessionDriver {
    private let eventLoop: any EventLoop
    private let pairing: AccessoryPairing
    private let onEvent: @Sendable (AccessorySessionEvent) -> Void
    private let onActivity: (@Sendable (SessionActivity) -> Void)?
    private var machine: SessionMachine
    private var connection: AccessoryConnection?
    /// Whether pair-verify succeeded on the connection.
    private var isVerified = false
    /// The number of the connection, with which late callbacks of earlier ones are detected.
    private var generation = 0
    private var timer: (deadline: NIODeadline, task: Scheduled<Void>)?
    private var completions: [TicketID: (RequestQueue.Finished) -> Void] = [:]
    /// The pending request, without its content, and the time at which it was sent.
    private var sent: (method: HTTPMethod, path: String, bytes: Int, at: NIODeadline)?
    /// The actions that result from those being performed.
    private var following: [SessionMachine.Action] = []
    private var isPerforming = false

    init(
        pairing: AccessoryPairing,
        machine: SessionMachine,
        eventLoop: any EventLoop,
        onEvent: @escaping @Sendable (AccessorySessionEvent) -> Void,
        onActivity: (@Sendable (SessionActivity) -> Void)? = nil
    ) {
        self.pairing = pairing
        self.machine = machine
        self.eventLoop = eventLoop
        self.onEvent = onEvent
        self.onActivity = onActivity
    }

    func start() {
        perform(machine.start(at: eventLoop.now))
    }

    /// Stops permanently. The future completes when the connection is closed.
    func stop() -> EventLoopFuture<Void> {
        let closed = connection?.channel?.closeFuture
        perform(machine.stop())
        return closed ?? eventLoop.makeSucceededVoidFuture()
    }

    func update(addresses: [AccessoryAddress]) {
        perform(machine.update(addresses: addresses, at: eventLoop.now))
    }

    func configurationDidChange(number: Int) {
        perform(machine.configurationDidChange(number: number, at: eventLoop.now))
    }

    /// The address at which pair-verify last succeeded.
    var provenAddress: AccessoryAddress? { machine.provenAddress }

    /// The configuration number with which the attributes were read.
    var configurationNumber: Int? { machine.knownNumber }

    /// Whether the accessory has last refused to prepare a write.
    var cannotPrepare: Bool { machine.cannotPrepare }

    /// The subscribed characteristics.
    var subscriptions: Set<CharacteristicID> { machine.subscriptions }

    func didReceiveGoodbye() {
        perform(machine.didReceiveGoodbye(at: eventLoop.now))
    }

    /// Submits requests. The completion handler receives an outcome for each, in order.
    func submit(_ kinds: [QueuedRequest.Kind], completion: @escaping (RequestQueue.Finished) -> Void) {
        let (ticket, actions) = machine.submit(kinds, at: eventLoop.now)
        completions[ticket] = completion
        perform(actions)
    }

    // MARK: Actions

    /// Performs actions in order, including those that result from them.
    private func perform(_ new: [SessionMachine.Action]) {
        guard !isPerforming else {
            following += new
            return
        }
        isPerforming = true
        var actions = new
        while !actions.isEmpty {
            for action in actions { perform(action) }
            actions = following
            if !following.isEmpty { following = [] }
        }
        isPerforming = false
        setTimer()
    }

    private func perform(_ action: SessionMachine.Action) {
        switch action {
        case .connect(let addresses): connect(to: addresses)
        case .verify: verify()
        case .send(let request): send(request)
        case .disconnect(let cause): disconnect(cause)
        case .report(let event): onEvent(event)
        case .finish(let finished): completions.removeValue(forKey: finished.ticket)?(finished)
        }
    }

    private func send(_ request: HTTPRequest) {
        if onActivity != nil { sent = (request.method, request.path, request.body.count, eventLoop.now) }
        connection?.send(request)
    }

    private func recordResponse(_ response: HTTPResponse, at now: NIODeadline) {
        guard let onActivity, let sent else { return }
        self.sent = nil
        let exchange = WireExchange(
            method: sent.method,
            path: sent.path,
            status: response.status,
            requestBytes: sent.bytes,
            responseBytes: response.body.count,
            duration: .nanoseconds((now - sent.at).nanoseconds)
        )
        onActivity(.answered(exchange))
    }

    private func disconnect(_ cause: UnreachableCause?) {
        if connection != nil, let cause { recordEnd(cause) }
        generation += 1
        sent = nil
        connection?.close()
        connection = nil
    }

    private func recordEnd(_ cause: UnreachableCause) {
        onActivity?(isVerified ? .lost(cause) : .notVerified(cause))
    }

    private func connect(to addresses: [AccessoryAddress]) {
        disconnect(nil)
        let attempt = generation
        onActivity?(.connecting)
        let configuration = machine.configuration
        AccessoryConnection.connect(
            toFirstOf: addresses,
            by: configuration.connector,
            timeout: configuration.connectTimeout,
            limits: configuration.responseLimits,
            on: eventLoop
        )
        .assumeIsolated()
        .whenComplete { result in
            guard attempt == self.generation else {
                if case .success(let late) = result { late.value.close() }
                return
            }
            switch result {
            case .success(let bound):
                self.adopt(bound.value)
            case .failure(let error):
                let cause = UnreachableCause(error)
                self.onActivity?(.notConnected(cause))
                self.perform(self.machine.connectFailed(cause, at: self.eventLoop.now))
            }
        }
    }

    private func adopt(_ connection: AccessoryConnection) {
        self.connection = connection
        isVerified = false
        onActivity?(.connected(connection.address))
        perform(machine.connected(to: connection.address, at: eventLoop.now))
    }

    private func verify() {
        guard let connection else { return }
        var exchange = VerifyExchange(pairing: pairing, host: connection.address.authority)
        connection.onInbound { [unowned connection] arrival in
            switch arrival {
            case .response(let response), .lastResponse(let response):
                switch exchange.handle(response) {
                case .send(let request):
                    connection.send(request)
                case .secured(let keys):
                    self.secure(connection, with: keys)
                case .failed(let cause):
                    self.perform(self.machine.verifyFailed(cause, at: self.eventLoop.now))
                }
            case .event:
                break
            case .closed(let cause):
                self.disconnected(cause)
            }
        }
        connection.send(exchange.start())
    }

    private func secure(_ connection: AccessoryConnection, with keys: SessionKeys) {
        connection.onInbound { arrival in
            let now = self.eventLoop.now
            switch arrival {
            case .response(let response):
                self.recordResponse(response, at: now)
                self.perform(self.machine.answered(response, at: now))
            case .lastResponse(let response):
                self.recordResponse(response, at: now)
                self.perform(self.machine.answeredLast(response, at: now))
            case .event(let event):
                self.onActivity?(.event(bytes: event.body.count))
                self.perform(self.machine.received(event, at: now))
            case .closed(let cause): self.disconnected(cause)
            }
        }
        connection.secure(with: keys)
        // Bytes that arrived too early close the connection immediately.
        guard self.connection === connection else { return }
        isVerified = true
        onActivity?(.verified)
        perform(machine.verified(at: eventLoop.now))
    }

    private func disconnected(_ cause: UnreachableCause) {
        recordEnd(cause)
        generation += 1
        sent = nil
        connection = nil
        perform(machine.lost(cause, at: eventLoop.now))
    }

    private func setTimer() {
        guard let deadline = machine.deadline else {
            timer?.task.cancel()
            timer = nil
            return
        }
        // Each message moves the deadline. A timer that fires too early is set again, which is cheaper than to set it
        // for each message.
        if let timer, timer.deadline <= deadline { return }
        timer?.task.cancel()
        let task = eventLoop.assumeIsolated().scheduleTask(deadline: deadline) {
            self.timer = nil
            self.perform(self.machine.timeReached(at: self.eventLoop.now))
        }
        timer = (deadline, task)
    }
}
