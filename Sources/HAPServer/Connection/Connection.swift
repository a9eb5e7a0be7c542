internal import ChannelSockets
internal import HAP
internal import NIOCore

/// A TCP connection of an ``AccessoryServer``, with its pending requests, its controller and its subscriptions. It is a
/// class because the server and its timers share it. Only the server's actor accesses it.
final class Connection {
    let id: ConnectionID
    private let channel: any Channel
    /// What writes the messages; `nil` while the connection has no handler.
    var writer: SocketWriter?
    /// Whether the channel takes more to send. The handler keeps it, because asking the channel takes longer.
    var isWritable = true
    /// The received bytes that aren't handled yet.
    var input = ConnectionInput()
    /// The messages to send.
    var output = ConnectionOutput()
    var verification: PairVerifyAccessory
    /// The controller, once its pair-verify has succeeded.
    private(set) var controller: PairingID?
    var subscriptions: Set<CharacteristicID> = []
    var events = EventQueue()
    var timedWrite = TimedWrite()
    /// The controller's port, or 0 if unknown.
    let remotePort: Int
    /// The corruption to apply to the next message.
    var corruption: MessageCorruption?
    /// Returns the bytes to write in place of a message.
    var rewrite: ((_ bytes: [UInt8]) -> TrafficRewriter.Output?)?
    private var pieces = OutputPieces()
    /// The newest request, if a rewriter needs it.
    var lastRequest: HTTPRequest?
    /// Whether all further input is discarded.
    var ignoresInput = false
    /// Whether a request is being handled asynchronously. Nothing may be sent or handled before its response.
    var isAwaitingAnswer = false
    /// The time at which pair-setup or pair-verify first started.
    private var pairingStart: ContinuousClock.Instant?
    /// Whether an exchange of pair-setup or pair-verify is waiting for its next message.
    private var isPairingInProgress = false
    /// Whether a pair-setup message was handled. The registry must then be notified when the connection closes.
    var hasSetUp = false
    /// Whether the session comes from a transient pair-setup: secured, but without a controller.
    private(set) var isTransient = false
    /// Whether the connection is closing and only delivers what was already sent.
    private(set) var isClosing = false
    private(set) var lastActivity: ContinuousClock.Instant

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

    /// The event loop of the connection and its server.
    var eventLoop: any EventLoop { channel.eventLoop }

    /// A future that completes when the connection is closed.
    var closed: EventLoopFuture<Void> { channel.closeFuture }

    /// Whether the next request can be handled and its response sent.
    var isReady: Bool {
        !isAwaitingAnswer && !isClosing && !ignoresInput && isWritable
    }

    /// Whether all bytes are framed.
    var isSecured: Bool { output.isSecured }

    /// Whether the next bytes may be read from the network.
    var canRead: Bool {
        isReady || isClosing || ignoresInput
    }

    /// Whether no request is being received or handled, so that an event may be sent.
    var isBetweenRequests: Bool {
        isReady && input.isBetweenRequests
    }
}

// MARK: Pairing

extension Connection {
    /// Records whether a message left an exchange of pair-setup or pair-verify in progress.
    func recordPairing(isInProgress: Bool, at now: ContinuousClock.Instant) {
        isPairingInProgress = isInProgress
        if isInProgress, pairingStart == nil { pairingStart = now }
    }

    /// Returns whether an exchange is waiting for the controller within its time limit. Restarting the exchange doesn't
    /// extend the limit.
    func isPairing(at now: ContinuousClock.Instant, within time: Duration) -> Bool {
        guard isPairingInProgress, let pairingStart else { return false }
        return now - pairingStart < time
    }
}

// MARK: Bytes

extension Connection {
    /// Handles bytes from the network.
    ///
    /// - Throws: ``FrameError`` if the bytes aren't frames of the session. Close the connection.
    func receive(_ buffer: ByteBuffer, at now: ContinuousClock.Instant) throws(FrameError) {
        guard !isClosing else { return }
        lastActivity = now
        try input.receive(buffer)
    }

    /// Sends a response. Messages are sent in the order of the calls.
    func send(_ response: HTTPResponse) {
        guard !isClosing else { return }
        guard let message = output.bytes(for: response) else { return close() }
        write(message)
    }

    /// Sends the bytes of a response or an event.
    func send(_ bytes: [UInt8]) {
        guard !isClosing else { return }
        guard let message = output.bytes(for: bytes) else { return close() }
        write(message)
    }

    private func write(_ message: [UInt8]) {
        if let rewrite {
            if let output = rewrite(message) {
                pieces.add(output)
            } else if !pieces.isEmpty {
                pieces.add(TrafficRewriter.Output([message]))
            }
            if !pieces.isEmpty { return writePieces() }
        }
        guard let corruption = corruption.take() else {
            writer?.write(message)
            return
        }
        writer?.write(corruption.applied(to: message))
        if corruption == .half { closeAfterSending() }
    }

    /// Writes the pending pieces one by one.
    private func writePieces() {
        guard !pieces.isScheduled else { return }
        switch pieces.next() {
        case nil: return
        case .piece(let piece): writer?.write(piece)
        case .close: return closeAfterSending()
        }
        guard !pieces.isEmpty else { return }
        pieces.isScheduled = true
        let box = NIOLoopBound(self, eventLoop: channel.eventLoop)
        channel.eventLoop.scheduleTask(in: OutputPieces.pause) {
            let connection = box.value
            connection.pieces.isScheduled = false
            if connection.channel.isActive { connection.writePieces() }
        }
    }

    /// Frames all further messages in both directions.
    ///
    /// - Parameter controller: The verified controller, or `nil` after a transient pair-setup.
    /// - Returns: `false` if bytes in the clear followed the exchange's last message. They can't be attributed to the
    ///   controller.
    func secure(_ keys: SessionKeys, for controller: PairingID?) -> Bool {
        guard input.secure(keys.controllerToAccessory) else { return false }
        output.secure(keys.accessoryToController)
        self.controller = controller
        isTransient = controller == nil
        return true
    }

    /// Removes a subscription and its pending events.
    func unsubscribe(_ id: CharacteristicID) {
        subscriptions.remove(id)
        events.drop(id)
    }

    /// Resumes reading.
    func read() {
        channel.read()
    }
}

// MARK: Timers

extension Connection {
    /// Returns whether the request being received needs a timer, and cancels that of the request before.
    ///
    /// - Parameter isAnother: Whether a request was handled since the last call, so that the time limit of the next one
    ///   starts.
    func needsRequestTimer(isAnother: Bool) -> Bool {
        let isWaiting = !isAwaitingAnswer && !isClosing && !input.isBetweenRequests
        if isAnother || !isWaiting {
            requestTimer?.cancel()
            requestTimer = nil
        }
        return isWaiting && requestTimer == nil
    }

    /// Calls `action` on the event loop if the request being received isn't complete in time.
    func watchRequest(_ time: Duration, _ action: @escaping @Sendable () -> Void) {
        requestTimer = channel.eventLoop.scheduleTask(in: TimeAmount(time), action)
    }

    /// Calls `action` when pending events are due.
    ///
    /// - Parameter timer: The timer to use, or `nil` to use the event loop, on which `actionOnLoop` is then called.
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

    /// Allows ``watchEvents(at:by:_:orOnLoop:)`` to set a timer again.
    func eventTimerFired() {
        isWaitingForEvents = false
        eventTimer = nil
    }

    /// Calls `action` on the event loop after the given time.
    @discardableResult
    func schedule(in time: Duration, _ action: @escaping @Sendable () -> Void) -> Scheduled<Void> {
        channel.eventLoop.scheduleTask(in: TimeAmount(time), action)
    }
}

// MARK: Closing

extension Connection {
    /// Closes the connection immediately.
    func close() {
        markClosing()
        channel.close(promise: nil)
    }

    /// Closes the connection once pending output is delivered, or after ``ServerLimits/closingTime``. Further input is
    /// read and discarded, because closing a socket with unread bytes would discard the response.
    func closeAfterSending() {
        guard !isClosing else { return }
        guard pieces.isEmpty else {
            pieces.add(TrafficRewriter.Output([], closes: true))
            return
        }
        markClosing()
        channel.close(mode: .output, promise: nil)
        let channel = channel
        let timer = channel.eventLoop.scheduleTask(in: TimeAmount(ServerLimits.closingTime)) {
            channel.close(promise: nil)
        }
        channel.closeFuture.whenComplete { _ in timer.cancel() }
        channel.read()
    }

    private func markClosing() {
        isClosing = true
        subscriptions = []
        timedWrite = TimedWrite()
        requestTimer?.cancel()
        requestTimer = nil
        eventTimer?.cancel()
        eventTimer = nil
    }
}
