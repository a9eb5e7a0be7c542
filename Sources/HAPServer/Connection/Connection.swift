internal import HAP
internal import NIOCore

/// A TCP connection of an ``AccessoryServer``: what was received and not served yet, who the controller is, and what it
/// wants to hear of. A class, as the server and its timers mean the same one; only the server's actor touches it.
final class Connection {
    let id: ConnectionID
    private let channel: any Channel
    /// The requests received, in the clear.
    var requests = HTTPRequestReader(limits: .pairing)
    private var limits = HTTPLimits.pairing
    var verification: PairVerifyAccessory
    /// The controller, once its pair-verify has succeeded.
    private(set) var controller: PairingID?
    var subscriptions: Set<CharacteristicID> = []
    var events = EventQueue()
    var timedWrite = TimedWrite()
    /// The port at the controller's end, 0 if it is not known.
    let remotePort: Int
    /// What is to become of the next message that is sent.
    var corruption: MessageCorruption?
    /// Whether nothing that comes is taken any more.
    var ignoresInput = false
    /// Whether a request is being served elsewhere, so that nothing may be sent or served before its response.
    var isAwaitingAnswer = false
    /// When pair-setup or pair-verify was first under way.
    private var pairingStart: ContinuousClock.Instant?
    /// Whether the last message of pair-setup or pair-verify was taken, so that another is to come.
    private var isPairingInProgress = false
    /// Whether a message of pair-setup was taken, so that the registry has to hear of the connection's end.
    var hasSetUp = false
    /// Whether the session is that of a transient pair-setup: secured, but of no controller.
    private(set) var isTransient = false
    /// Whether only what was sent before is still delivered.
    private(set) var isClosing = false
    private(set) var lastActivity: ContinuousClock.Instant

    private var opener: FrameOpener?
    private var sealer: FrameSealer?
    private var requestTimer: Scheduled<Void>?
    private var eventTimer: Scheduled<Void>?
    private var isWaitingForEvents = false

    init(id: ConnectionID, channel: any Channel, identity: AccessoryIdentity, at now: ContinuousClock.Instant) {
        self.id = id
        self.channel = channel
        remotePort = channel.remoteAddress?.port ?? 0
        verification = PairVerifyAccessory(identity: identity)
        lastActivity = now
    }

    /// Whether every byte travels in frames.
    var isSecured: Bool { sealer != nil }

    /// Completes once the connection has ended.
    var closed: EventLoopFuture<Void> { channel.closeFuture }

    /// Whether the next request can be served and its response sent.
    var isReady: Bool {
        !isAwaitingAnswer && !isClosing && !ignoresInput && channel.isWritable
    }

    /// Whether more was received and not served than the longest request has.
    var exceedsBufferLimit: Bool {
        requests.bufferedLength > limits.total
    }

    /// Whether no request is being served or received: an event may be sent.
    var isBetweenRequests: Bool {
        isReady && isBetweenMessages
    }

    /// Whether every byte received belongs to a request that was taken.
    private var isBetweenMessages: Bool {
        requests.isBetweenMessages && opener?.isBetweenFrames ?? true
    }
}

// MARK: Pairing

extension Connection {
    /// Takes note of what a message of pair-setup or pair-verify has led to.
    func recordPairing(isInProgress: Bool, at now: ContinuousClock.Instant) {
        isPairingInProgress = isInProgress
        if isInProgress, pairingStart == nil { pairingStart = now }
    }

    /// Whether the controller owes the next message of an exchange and may take its time. Beginning anew does not
    /// prolong that time.
    func isPairing(at now: ContinuousClock.Instant, within time: Duration) -> Bool {
        guard isPairingInProgress, let pairingStart else { return false }
        return now - pairingStart < time
    }
}

// MARK: Bytes

extension Connection {
    /// Takes bytes from the network.
    ///
    /// - Throws: If they are no frames of the session. Close the connection.
    func receive(_ buffer: ByteBuffer, at now: ContinuousClock.Instant) throws(FrameError) {
        guard !isClosing else { return }
        lastActivity = now
        guard opener != nil else {
            requests.receive(buffer.readableBytesView)
            return
        }
        requests.receive(try opener?.open(buffer.readableBytesView) ?? [])
    }

    /// Sends a response or an event; frames go out in the order of the calls.
    func send(_ bytes: [UInt8]) {
        guard !isClosing else { return }
        guard sealer != nil else {
            write(ByteBuffer(bytes: bytes))
            return
        }
        var frames = channel.allocator.buffer(capacity: FrameSealer.sealedLength(of: bytes.count))
        do {
            try sealer?.seal(bytes) { frames.writeBytes($0) }
            write(frames)
        } catch {
            close()
        }
    }

    private func write(_ message: ByteBuffer) {
        guard let corruption = corruption.take() else {
            channel.writeAndFlush(message, promise: nil)
            return
        }
        channel.writeAndFlush(corruption.applied(to: message), promise: nil)
        if corruption == .half { closeAfterSending() }
    }

    /// Frames everything from now on, both ways.
    ///
    /// - Parameter controller: The one that has verified; `nil` after a transient pair-setup.
    /// - Returns: Whether that is safe: bytes that came in the clear after the exchange's last message must not be taken
    ///   for the controller's.
    func secure(_ keys: SessionKeys, for controller: PairingID?) -> Bool {
        guard requests.isBetweenMessages else { return false }
        limits = .request
        requests = HTTPRequestReader(limits: limits)
        opener = FrameOpener(key: keys.controllerToAccessory)
        sealer = FrameSealer(key: keys.accessoryToController)
        self.controller = controller
        isTransient = controller == nil
        return true
    }

    /// Forgets a subscription, and what was not sent of it.
    func unsubscribe(_ id: CharacteristicID) {
        subscriptions.remove(id)
        events.drop(id)
    }

    /// Takes up reading again after it was held back.
    func read() {
        channel.read()
    }
}

// MARK: Timers

extension Connection {
    /// Calls `action` on the event loop if the request that has begun is not whole in time.
    ///
    /// - Parameter isAnother: Whether a former request was taken since the last call: the time of the next one begins.
    func watchRequest(isAnother: Bool, _ time: Duration, _ action: @escaping @Sendable () -> Void) {
        let isWaiting = !isAwaitingAnswer && !isClosing && !isBetweenMessages
        if isAnother || !isWaiting {
            requestTimer?.cancel()
            requestTimer = nil
        }
        guard isWaiting, requestTimer == nil else { return }
        requestTimer = channel.eventLoop.scheduleTask(in: TimeAmount(time), action)
    }

    /// Calls `action` when the events that wait are due.
    ///
    /// - Parameter timer: By which to wait; `nil` waits by the event loop, on which `action` is called then.
    func watchEvents(
        at now: ContinuousClock.Instant,
        by timer: ServerTimer?,
        _ action: @escaping @Sendable () async -> Void,
        orOnLoop actionOnLoop: @escaping @Sendable () -> Void
    ) {
        guard !isWaitingForEvents, let wait = events.wait(at: now) else { return }
        isWaitingForEvents = true
        if let timer {
            timer.after(wait, action)
        } else {
            eventTimer = schedule(in: wait, actionOnLoop)
        }
    }

    /// Lets ``watchEvents(at:by:_:orOnLoop:)`` set a timer again.
    func eventTimerFired() {
        isWaitingForEvents = false
        eventTimer = nil
    }

    /// Calls `action` on the event loop after a while.
    @discardableResult
    func schedule(in time: Duration, _ action: @escaping @Sendable () -> Void) -> Scheduled<Void> {
        channel.eventLoop.scheduleTask(in: TimeAmount(time), action)
    }
}

// MARK: The end

extension Connection {
    /// Closes the connection at once.
    func close() {
        end()
        channel.close(promise: nil)
    }

    /// Closes the connection once what was sent is delivered, or after ``ServerLimits/closingTime``. What still comes
    /// is read and dropped: closing over unread bytes would take the response back.
    func closeAfterSending() {
        guard !isClosing else { return }
        end()
        channel.close(mode: .output, promise: nil)
        let channel = channel
        let timer = channel.eventLoop.scheduleTask(in: TimeAmount(ServerLimits.closingTime)) {
            channel.close(promise: nil)
        }
        channel.closeFuture.whenComplete { _ in timer.cancel() }
        channel.read()
    }

    private func end() {
        isClosing = true
        subscriptions = []
        timedWrite = TimedWrite()
        requestTimer?.cancel()
        requestTimer = nil
        eventTimer?.cancel()
        eventTimer = nil
    }
}
