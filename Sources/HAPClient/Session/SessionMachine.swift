internal import HAP
internal import HAPCatalog
internal import NIOCore

/// A state machine that supervises one accessory server. It decides when to connect and what to send next, and handles
/// responses, the loss of the connection and timeouts. It performs no I/O: each method handles an event and returns the
/// actions to perform, in order.
///
/// Its phases are `waiting` → `connecting` → `verifying` → `resubscribing` → `readingAttributes` → `ready`. It
/// subscribes before it reads the attributes, so that no change between the read values and the first event is missed.
struct SessionMachine: Sendable {
    /// The phase of the session.
    enum Phase: Hashable, Sendable {
        /// Not started.
        case idle
        /// Not connected. The next attempt is due at this time, or once an address is known.
        case waiting(until: NIODeadline?)
        case connecting
        case verifying(until: NIODeadline)
        case resubscribing
        case readingAttributes
        case ready
        /// Permanently stopped.
        case stopped
    }

    /// An action for the owner of the machine to perform.
    enum Action: Sendable {
        /// Connect to the first of these addresses that accepts, then call ``connected(to:at:)`` or
        /// ``connectFailed(_:at:)``.
        case connect([AccessoryAddress])
        /// Perform pair-verify on the new connection, then call ``verified(at:)`` or ``verifyFailed(_:at:)``.
        case verify
        /// Send a request, then call ``answered(_:at:)``, or ``lost(_:at:)`` if the connection is lost first.
        case send(HTTPRequest)
        /// Close the connection, or cancel connecting, and ignore its further events. The cause is `nil` if the session
        /// ends.
        case disconnect(UnreachableCause?)
        /// Report an event to the session's user.
        case report(AccessorySessionEvent)
        /// Complete a submission with its outcomes.
        case finish(RequestQueue.Finished)
    }

    /// The pending request.
    struct Exchange: Sendable {
        enum Kind: Sendable {
            case resubscribe([CharacteristicWriteRequest.Entry])
            case attributes(configurationNumber: Int?)
            case probe
            case prepare(RequestBatch, pid: UInt64)
            case batch(RequestBatch)
        }

        let kind: Kind
        let deadline: NIODeadline
    }

    let controllerID: PairingID
    let configuration: SessionConfiguration
    var phase = Phase.idle
    /// The accessory's latest known addresses.
    var addresses: [AccessoryAddress]
    /// The address at which pair-verify last succeeded. It is tried after the others, because those may be false.
    var provenAddress: AccessoryAddress?
    /// The addresses that are still to be tried in this round.
    var untried: [AccessoryAddress] = []
    /// The addresses with which this round started.
    var round: Set<AccessoryAddress> = []
    /// The failure of an earlier address of this round.
    var roundCause: UnreachableCause?
    /// The address of the connection.
    var address: AccessoryAddress?
    var queue = RequestQueue()
    var exchange: Exchange?
    var generator: any RandomNumberGenerator & Sendable
    /// Whether the accessory has last refused to prepare a write that was to be prepared, for a reason that lasts.
    var cannotPrepare = false

    /// The cause reported since the accessory was last ready, or `nil` while it may still be reachable.
    var reportedCause: UnreachableCause?
    /// Whether the accessory sent a goodbye and hasn't been seen since.
    var hasSaidGoodbye = false
    var backoff: Backoff
    var lastAttempt: NIODeadline?
    /// The time at which the connection became ready, or `nil` before that.
    var readySince: NIODeadline?
    /// Whether the session has already reconnected immediately since the last stable connection.
    var hasRetriedImmediately = false
    /// The number of events, and of bytes in their bodies, in the current second.
    var eventCount: (since: NIODeadline, events: Int, bytes: Int) = (.uptimeNanoseconds(0), 0, 0)
    /// The time at which the accessory last sent anything.
    var lastReceived = NIODeadline.uptimeNanoseconds(0)

    var index = AttributeIndex([])
    var subscriptions: Set<CharacteristicID> = []
    /// The characteristics whose subscription on this connection differs from the requested one.
    var dueSubscriptions: Set<CharacteristicID> = []
    /// Groups of due subscriptions, one request each, the next one last. Some may no longer be due.
    var subscriptionGroups: [[CharacteristicID]] = []
    var needsAttributes = false
    /// The time at which the attributes were last read because the configuration number changed.
    var lastReread: NIODeadline?
    /// The latest advertised configuration number, and the one with which the attributes were read.
    var announcedNumber: Int?
    var knownNumber: Int?

    /// The time at which to call ``timeReached(at:)``, or `nil` if no timeout is pending.
    ///
    /// It is stored because the driver would copy the whole machine to compute it.
    private(set) var deadline: NIODeadline?
    private var actions: [Action] = []

    init(
        controllerID: PairingID,
        addresses: [AccessoryAddress],
        configuration: SessionConfiguration,
        generator: any RandomNumberGenerator & Sendable
    ) {
        self.controllerID = controllerID
        self.addresses = AccessoryAddress.sortedByPreference(addresses)
        self.configuration = configuration
        self.generator = generator
        backoff = Backoff(bounds: configuration.reconnectDelay)
    }

    private var nextDeadline: NIODeadline? {
        var next: NIODeadline?
        func consider(_ deadline: NIODeadline?) {
            guard let deadline else { return }
            next = next.map { min($0, deadline) } ?? deadline
        }
        consider(queue.deadline)
        consider(exchange?.deadline)
        switch phase {
        case .waiting(let until): consider(until)
        case .verifying(let until): consider(until)
        case .ready where exchange == nil:
            consider(probeTime)
            if needsAttributes { consider(rereadTime) }
        case .idle, .connecting, .resubscribing, .readingAttributes, .ready, .stopped: break
        }
        return next
    }

    var probeTime: NIODeadline? {
        index.probe.map { _ in lastReceived + TimeAmount(configuration.probeAfter) }
    }

    /// The earliest time at which a ready session may read the attributes again, or `nil` for any time.
    var rereadTime: NIODeadline? { lastReread.map { $0 + TimeAmount(configuration.rereadInterval) } }

    /// The host in requests.
    var host: String { address?.authority ?? "" }

    /// Adds an action to perform.
    mutating func enqueue(_ action: Action) {
        actions.append(action)
    }

    /// Removes and returns the actions to perform now, and sets the ``deadline``.
    mutating func drainActions() -> [Action] {
        defer { actions = [] }
        deadline = nextDeadline
        let finished = queue.drainFinished()
        return finished.isEmpty ? actions : actions + finished.map { .finish($0) }
    }

    // MARK: User requests

    /// Starts connecting and supervising the connection.
    mutating func start(at now: NIODeadline) -> [Action] {
        guard phase == .idle else { return [] }
        if addresses.isEmpty {
            phase = .waiting(until: nil)
            report(.notAdvertised)
        } else {
            connect(at: now)
        }
        return drainActions()
    }

    /// Stops permanently. Pending requests fail.
    mutating func stop() -> [Action] {
        terminate()
        return drainActions()
    }

    /// Submits requests.
    mutating func submit(_ kinds: [QueuedRequest.Kind], at now: NIODeadline) -> (TicketID, [Action]) {
        for case .subscribe(let id, let enabled) in kinds {
            subscribe(to: id, enabled)
        }
        let ticket = queue.add(kinds, deadline: now + TimeAmount(configuration.requestDeadline))
        switch phase {
        case .idle, .stopped:
            queue.fail(ticket, .stopped)
        case .waiting, .connecting, .verifying, .resubscribing, .readingAttributes, .ready:
            if let reportedCause {
                if !terminateIfRemoved(reportedCause) { queue.failAll(.unreachable(reportedCause)) }
            } else {
                proceed(at: now)
            }
        }
        return (ticket, drainActions())
    }

    /// The addresses to try: the latest known ones, and the one at which pair-verify last succeeded.
    var candidates: [AccessoryAddress] {
        var candidates = Array(addresses.prefix(configuration.maximumAddresses))
        if let provenAddress, !candidates.contains(provenAddress) { candidates.append(provenAddress) }
        return candidates
    }

    /// Updates the addresses. An open connection is kept. A scheduled attempt is made now; during a round of attempts,
    /// new addresses are tried after it.
    mutating func update(addresses: [AccessoryAddress], at now: NIODeadline) -> [Action] {
        guard !addresses.isEmpty else { return [] }
        self.addresses = AccessoryAddress.sortedByPreference(addresses)
        hasSaidGoodbye = false
        connectNow(at: now)
        return drainActions()
    }

    /// Updates the advertised configuration number. If it changes, a connected session reads the attributes again. If
    /// it changes often, reads are rate-limited and use the latest number.
    mutating func configurationDidChange(number: Int, at now: NIODeadline) -> [Action] {
        announcedNumber = number
        if phase == .ready {
            needsAttributes = announcedNumber != knownNumber
            proceed(at: now)
        }
        return drainActions()
    }

    /// Handles a goodbye from the accessory. An open connection is probed, because the goodbye may be false.
    mutating func didReceiveGoodbye(at now: NIODeadline) -> [Action] {
        hasSaidGoodbye = true
        switch phase {
        case .waiting:
            reportedCause.map { report($0) }
        case .ready where exchange == nil:
            sendProbe(at: now)
        case .idle, .connecting, .verifying, .resubscribing, .readingAttributes, .ready, .stopped:
            break
        }
        return drainActions()
    }

    // MARK: Network events

    /// A connection is open.
    mutating func connected(to address: AccessoryAddress, at now: NIODeadline) -> [Action] {
        guard phase == .connecting else { return [] }
        self.address = address
        untried = Array(untried.drop { $0 != address }.dropFirst())
        phase = .verifying(until: now + TimeAmount(configuration.verifyTimeout))
        enqueue(.verify)
        return drainActions()
    }

    /// No address accepted a connection.
    mutating func connectFailed(_ cause: UnreachableCause, at now: NIODeadline) -> [Action] {
        guard phase == .connecting else { return [] }
        untried = []
        skipAddress(cause, at: now)
        return drainActions()
    }

    /// Pair-verify succeeded and the connection is secured.
    mutating func verified(at now: NIODeadline) -> [Action] {
        guard case .verifying = phase else { return [] }
        lastReceived = now
        provenAddress = address
        phase = .resubscribing
        dueSubscriptions = subscriptions
        subscriptionGroups = []
        needsAttributes = true
        proceed(at: now)
        return drainActions()
    }

    /// Pair-verify failed.
    mutating func verifyFailed(_ cause: UnreachableCause, at now: NIODeadline) -> [Action] {
        guard case .verifying = phase else { return [] }
        enqueue(.disconnect(cause))
        skipAddress(cause, at: now)
        return drainActions()
    }

    /// The response to the pending request was received.
    mutating func answered(_ response: HTTPResponse, at now: NIODeadline) -> [Action] {
        lastReceived = now
        guard let exchange else { return [] }
        self.exchange = nil
        handle(response, to: exchange.kind, at: now)
        return drainActions()
    }

    /// The response to the pending request was received, delimited by the end of the connection.
    mutating func answeredLast(_ response: HTTPResponse, at now: NIODeadline) -> [Action] {
        guard let exchange else { return [] }
        switch exchange.kind {
        case .batch(let batch) where !response.saysNotVerified:
            self.exchange = nil
            handle(response, batch)
        case .batch, .prepare, .resubscribe, .attributes, .probe:
            // These responses are useful only on an open connection.
            break
        }
        return drainActions()
    }

    /// An event was received. Malformed events are ignored.
    mutating func received(_ event: EventMessage, at now: NIODeadline) -> [Action] {
        lastReceived = now
        guard !exceedsEventRate(with: event, at: now) else {
            let cause = UnreachableCause.protocolViolation("it sends too many events")
            enqueue(.disconnect(cause))
            completeExchange(cause)
            scheduleReconnect(after: cause, at: now)
            return drainActions()
        }
        if let entries = try? CharacteristicEvent(decoding: event.body).entries, !entries.isEmpty {
            let changes = entries.map { entry in (entry.id, entry.value.map { index.converted($0, for: entry.id) }) }
            enqueue(.report(.values(changes)))
        }
        return drainActions()
    }

    /// The connection was lost.
    mutating func lost(_ cause: UnreachableCause, at now: NIODeadline) -> [Action] {
        disconnected(cause, at: now)
        return drainActions()
    }

    /// The ``deadline`` was reached.
    mutating func timeReached(at now: NIODeadline) -> [Action] {
        queue.expire(at: now)
        if let exchange, exchange.deadline <= now {
            enqueue(.disconnect(.timedOut))
            disconnected(.timedOut, at: now)
        }
        switch phase {
        case .waiting(let until?) where until <= now:
            connect(at: now)
        case .verifying(let until) where until <= now:
            enqueue(.disconnect(.timedOut))
            skipAddress(.timedOut, at: now)
        case .ready where exchange == nil:
            proceed(at: now)
            if exchange == nil, let probeTime, probeTime <= now { sendProbe(at: now) }
        case .idle, .waiting, .connecting, .verifying, .resubscribing, .readingAttributes, .ready, .stopped:
            break
        }
        return drainActions()
    }
}
