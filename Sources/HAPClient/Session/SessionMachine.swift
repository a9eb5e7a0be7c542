internal import HAP
internal import HAPCatalog
internal import NIOCore

/// The supervision of one accessory server: when to connect, what to send next, what an answer, a loss or the passing
/// of time means. A value without I/O: each method is an event and returns what to do, in order.
///
/// Its way is `waiting` → `connecting` → `verifying` → `resubscribing` → `readingAttributes` → `ready`. Subscriptions
/// come before the attributes, so that no change falls between the values that are read and the first event.
struct SessionMachine: Sendable {
    /// Where the session stands.
    enum Phase: Hashable, Sendable {
        /// Not started.
        case idle
        /// Not connected; the next try is due at this time, or once an address is known.
        case waiting(until: NIODeadline?)
        case connecting
        case verifying(until: NIODeadline)
        case resubscribing
        case readingAttributes
        case ready
        /// For good.
        case stopped
    }

    /// What the owner of the machine has to do.
    enum Action: Sendable {
        /// Connect to the first of these that accepts; then ``connected(to:at:)`` or ``connectFailed(_:at:)``.
        case connect([AccessoryAddress])
        /// Pair-verify on the new connection; then ``verified(at:)`` or ``verifyFailed(_:at:)``.
        case verify
        /// Send a request; then ``answered(_:at:)``, or ``lost(_:at:)`` if the connection ends before.
        case send(HTTPRequest)
        /// Close the connection, or give up connecting. Nothing of it counts any more. With the cause, unless it is that the
        /// session ends.
        case disconnect(UnreachableCause?)
        /// Tell the user of the session.
        case report(AccessorySessionEvent)
        /// Give a submission its outcomes.
        case finish(RequestQueue.Finished)
    }

    /// The request that waits for its answer.
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
    /// Where the accessory was heard of last.
    var addresses: [AccessoryAddress]
    /// Where it last proved who it is: tried after the others, for what is heard may be false.
    var provenAddress: AccessoryAddress?
    /// Where it is still to be tried before this round of tries has failed.
    var untried: [AccessoryAddress] = []
    /// What this round of tries began with.
    var round: Set<AccessoryAddress> = []
    /// Why an earlier address of this round was of no use.
    var roundCause: UnreachableCause?
    /// Where the connection leads.
    var address: AccessoryAddress?
    var queue = RequestQueue()
    var exchange: Exchange?
    var generator: any RandomNumberGenerator & Sendable

    /// What the user was told since the accessory was last ready; `nil` while it may still prove reachable.
    var reportedCause: UnreachableCause?
    /// Whether the accessory took leave of the network and has not been seen since.
    var hasSaidGoodbye = false
    var backoff: Backoff
    var lastAttempt: NIODeadline?
    /// When the connection became ready, `nil` before.
    var readySince: NIODeadline?
    /// Whether a loss was followed by a try at once; not again before a connection has held.
    var hasRetriedImmediately = false
    /// Events, and the bytes of their bodies, since the beginning of a second.
    var eventCount: (since: NIODeadline, events: Int, bytes: Int) = (.uptimeNanoseconds(0), 0, 0)
    /// When the accessory last sent anything.
    var lastReceived = NIODeadline.uptimeNanoseconds(0)

    var index = AttributeIndex([])
    var subscriptions: Set<CharacteristicID> = []
    /// Where the accessory was told otherwise on this connection than the user wants by now.
    var dueSubscriptions: Set<CharacteristicID> = []
    /// Due subscriptions that go into one request each, the next one last. Some may not be due any more.
    var subscriptionGroups: [[CharacteristicID]] = []
    var needsAttributes = false
    /// When the attributes were last read because the configuration number had changed.
    var lastReread: NIODeadline?
    /// The configuration number announced last, and the one under which the attributes were read.
    var announcedNumber: Int?
    var knownNumber: Int?

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

    /// When ``timeReached(at:)`` is due, `nil` if nothing waits for time to pass.
    var deadline: NIODeadline? {
        var deadlines = [queue.deadline, exchange?.deadline]
        switch phase {
        case .waiting(let until): deadlines.append(until)
        case .verifying(let until): deadlines.append(until)
        case .ready where exchange == nil:
            deadlines.append(probeTime)
            if needsAttributes { deadlines.append(rereadTime) }
        case .idle, .connecting, .resubscribing, .readingAttributes, .ready, .stopped: break
        }
        return deadlines.compactMap { $0 }.min()
    }

    var probeTime: NIODeadline? {
        index.probe.map { _ in lastReceived + TimeAmount(configuration.probeAfter) }
    }

    /// The earliest time at which a ready session reads the attributes again, `nil` if it may do so at any time.
    var rereadTime: NIODeadline? { lastReread.map { $0 + TimeAmount(configuration.rereadInterval) } }

    /// What requests name as their host.
    var host: String { address?.authority ?? "" }

    /// Notes something to do.
    mutating func enqueue(_ action: Action) {
        actions.append(action)
    }

    /// What has to be done now.
    mutating func drainActions() -> [Action] {
        defer { actions = [] }
        return actions + queue.drainFinished().map { .finish($0) }
    }

    // MARK: What the user asks for

    /// Begins to connect, and to keep the connection.
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

    /// Ends for good. What waits fails.
    mutating func stop() -> [Action] {
        terminate()
        return drainActions()
    }

    /// Takes a submission.
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

    /// Where the accessory was heard of, and where it proved who it is.
    var candidates: [AccessoryAddress] {
        var candidates = Array(addresses.prefix(configuration.maximumAddresses))
        if let provenAddress, !candidates.contains(provenAddress) { candidates.append(provenAddress) }
        return candidates
    }

    /// Takes addresses that were heard of. A connection that stands is left alone; a try that waits is made now, and
    /// what the tries under way leave out follows them.
    mutating func update(addresses: [AccessoryAddress], at now: NIODeadline) -> [Action] {
        guard !addresses.isEmpty else { return [] }
        self.addresses = AccessoryAddress.sortedByPreference(addresses)
        hasSaidGoodbye = false
        connectNow(at: now)
        return drainActions()
    }

    /// Takes the configuration number that the accessory announces: another one makes a connected session read the
    /// attributes again. Numbers that change quickly make it read once in a while, under the newest.
    mutating func configurationDidChange(number: Int, at now: NIODeadline) -> [Action] {
        announcedNumber = number
        if phase == .ready {
            needsAttributes = announcedNumber != knownNumber
            proceed(at: now)
        }
        return drainActions()
    }

    /// Takes the accessory's leave from the network, which may be false: a connection that stands is tried.
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

    // MARK: What happens on the network

    /// A connection stands.
    mutating func connected(to address: AccessoryAddress, at now: NIODeadline) -> [Action] {
        guard phase == .connecting else { return [] }
        self.address = address
        untried = Array(untried.drop { $0 != address }.dropFirst())
        phase = .verifying(until: now + TimeAmount(configuration.verifyTimeout))
        enqueue(.verify)
        return drainActions()
    }

    /// No address accepted.
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

    /// Pair-verify failed; the connection is of no use.
    mutating func verifyFailed(_ cause: UnreachableCause, at now: NIODeadline) -> [Action] {
        guard case .verifying = phase else { return [] }
        enqueue(.disconnect(cause))
        skipAddress(cause, at: now)
        return drainActions()
    }

    /// The answer to the request that was sent last.
    mutating func answered(_ response: HTTPResponse, at now: NIODeadline) -> [Action] {
        lastReceived = now
        guard let exchange else { return [] }
        self.exchange = nil
        handle(response, to: exchange.kind, at: now)
        return drainActions()
    }

    /// The answer to the request that was sent last, which the end of the connection ended.
    mutating func answeredLast(_ response: HTTPResponse, at now: NIODeadline) -> [Action] {
        guard let exchange else { return [] }
        switch exchange.kind {
        case .batch(let batch) where !response.saysNotVerified:
            self.exchange = nil
            handle(response, batch)
        case .batch, .prepare, .resubscribe, .attributes, .probe:
            // What it is good for needs a connection that stands.
            break
        }
        return drainActions()
    }

    /// An event came. One that can't be read is passed over.
    mutating func received(_ event: EventMessage, at now: NIODeadline) -> [Action] {
        lastReceived = now
        guard !exceedsEventRate(with: event, at: now) else {
            let cause = UnreachableCause.protocolViolation("it sends too many events")
            enqueue(.disconnect(cause))
            scheduleReconnect(after: cause, at: now)
            return drainActions()
        }
        if let entries = try? CharacteristicEvent(decoding: event.body).entries, !entries.isEmpty {
            let changes = entries.map { entry in (entry.id, entry.value.map { index.converted($0, for: entry.id) }) }
            enqueue(.report(.values(changes)))
        }
        return drainActions()
    }

    /// The connection is over.
    mutating func lost(_ cause: UnreachableCause, at now: NIODeadline) -> [Action] {
        disconnected(cause, at: now)
        return drainActions()
    }

    /// Time has come to ``deadline``.
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
