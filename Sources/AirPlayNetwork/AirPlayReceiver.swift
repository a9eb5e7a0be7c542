package import AirPlay
internal import HAP
internal import NIOCore
internal import NIOPosix

/// A receiver of audio on the network: the control connections, and the ports of the stream.
///
/// One sender plays at a time. Others are refused until it ends its stream, disconnects, or is silent for too long.
///
/// The actor and all its sockets run on one event loop.
package actor AirPlayReceiver {
    /// The maximum number of connections. A new one closes the oldest one without a stream.
    package static let connectionLimit = 16
    /// The maximum number of requests that a sender may send without waiting for the answers.
    package static let requestLimit = 32
    /// The usual time that a sender has from its announcement to the start of its stream.
    package static let setupLimit = Duration.seconds(30)
    /// The time after which a connection without a stream is closed if it sends nothing.
    private static let idleLimit = Duration.seconds(60)
    /// The time after which a sender is gone if neither requests nor packets come.
    private static let silenceLimit = Duration.seconds(120)
    /// The time between two looks at missing packets.
    private static let tick = TimeAmount.milliseconds(20)
    private static let sweep = Duration.seconds(5)
    /// The time without packets after which a stream that the sender has ended is over.
    private static let drainTime = Duration.milliseconds(100)

    /// The parameters of a receiver.
    package struct Configuration: Sendable {
        /// The address to listen on, or `nil` for all.
        package var address: String?
        /// The port for control connections, or 0 for any free port.
        package var port: Int
        /// The password, or `nil` if anyone may play.
        package var password: String?
        /// The description and the pairings for AirPlay 2, or `nil` if only classic streams are taken.
        package var airPlay2: (record: ReceiverRecord, pairings: ReceiverPairings)?
        /// The time that a sender has from its announcement to the start of its stream. Others are refused meanwhile.
        package var setupLimit = AirPlayReceiver.setupLimit

        /// Creates parameters.
        package init(
            address: String? = nil,
            port: Int = 0,
            password: String? = nil,
            airPlay2: (record: ReceiverRecord, pairings: ReceiverPairings)? = nil
        ) {
            self.address = address
            self.port = port
            self.password = password
            self.airPlay2 = airPlay2
        }
    }

    /// A control connection. This is a class because it has an identity; only the actor uses it.
    private final class Connection {
        let id: Int
        let channel: any Channel
        var reader = RTSPRequestReader()
        var session: ReceiverSession
        var security: SecureChannel?
        var events: (any Channel)?
        /// Whether a pairing message is being worked on. Requests after it wait.
        var isPairing = false
        var lastActivity = ContinuousClock.now
        /// When the sender announced a stream that hasn't begun to play.
        var setupStart: ContinuousClock.Instant?

        init(id: Int, channel: any Channel, session: ReceiverSession) {
            self.id = id
            self.channel = channel
            self.session = session
        }

        var peer: String { channel.remoteAddress?.ipAddress ?? "?" }

        /// The next request. Only a sender with a stream may send pictures, so that all connections together need little.
        func nextRequest() throws(HTTPError) -> RTSPRequest? {
            reader.limits = session.hasStream ? .rtsp : .rtspSetup
            return try reader.next()
        }

        /// Sends a response, encrypted if the connection is.
        ///
        /// A sender that asks without reading the answers is disconnected.
        func send(_ response: RTSPResponse, closing: Bool = false) {
            guard channel.isWritable else { return channel.close(promise: nil) }
            let bytes = response.encoded()
            // If encryption fails, nothing can be sent any more.
            guard let sealed = security == nil ? bytes : try? security?.seal(bytes) else {
                return channel.close(promise: nil)
            }
            if closing { channel.sendAndClose(sealed) } else { channel.send(sealed) }
        }
    }

    /// The stream that plays.
    private struct Playback {
        let owner: Int
        let sender: SocketAddress
        let ports: StreamTransport
        var stream: ReceivedStream
        var nextTiming = ContinuousClock.now
        var isPlaying = false
        var lastDatagram = ContinuousClock.now
        /// Whether the sender has ended the stream. Packets that it sent before may still be on their way.
        var isEnding = false
    }

    private let configuration: Configuration
    private let handlers: ReceiverHandlers
    private let loop: any EventLoop
    private var listener: (any Channel)?
    private var eventListener: EventListener?
    private let pairings: SharedPairings?
    private var datagramPorts: (audio: DatagramPort, control: DatagramPort, timing: DatagramPort)?
    private var connections: [Int: Connection] = [:]
    private var lastConnection = 0
    private var playback: Playback?
    private var tickTask: RepeatedTask?
    private var sweepTask: RepeatedTask?

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        loop.executor.asUnownedSerialExecutor()
    }

    /// Creates a receiver.
    package init(_ configuration: Configuration, handlers: ReceiverHandlers) {
        self.configuration = configuration
        self.handlers = handlers
        pairings = configuration.airPlay2.map { SharedPairings($0.pairings) }
        loop = MultiThreadedEventLoopGroup.singleton.next()
    }

    /// The sender's remote control service, while one plays.
    package var remoteControl: RemoteControlAddress? {
        playback.flatMap { connections[$0.owner]?.session.remoteControl }
    }

    /// The sender's latest statement of which frame plays when, by its clock, while one plays.
    package var sync: SyncPacket? { playback?.stream.sync }

    /// Which frame plays when, by our clock, while a sender plays whose clock is known.
    package var schedule: PlaybackSchedule? { playback?.stream.schedule }

    // MARK: Start and stop

    /// Opens the ports. Returns the port for control connections.
    ///
    /// - Throws: ``AirPlayNetworkError/portRefused(_:)``.
    package func start() async throws(AirPlayNetworkError) -> Int {
        let listener = try await listen()
        guard let address = listener.localAddress else { throw .portRefused("no address") }
        do {
            datagramPorts = (
                audio: try await open(address) { $0.receiveAudio($1, from: $2) },
                control: try await open(address) { $0.receiveControl($1, from: $2) },
                timing: try await open(address) { $0.receiveTiming($1, from: $2) }
            )
            if configuration.airPlay2 != nil {
                eventListener = try await EventListener(address, on: loop) { channel in
                    try self.assumeIsolated { try $0.acceptEvents(channel) }
                }
            }
        } catch {
            closePorts()
            try? await listener.close()
            throw error
        }
        self.listener = listener
        let sweep = TimeAmount(min(Self.sweep, configuration.setupLimit / 2))
        sweepTask = loop.scheduleRepeatedTask(initialDelay: sweep, delay: sweep) { _ in
            self.assumeIsolated { $0.closeIdleConnections() }
        }
        return address.port ?? 0
    }

    /// Ends the stream, and closes all connections and ports.
    package func stop() async {
        sweepTask?.cancel()
        for connection in connections.values {
            connection.channel.close(promise: nil)
            closed(connection.id)
        }
        endPlayback()
        closePorts()
        try? await listener?.close()
        listener = nil
    }

    private func closePorts() {
        eventListener.take()?.close()
        guard let ports = datagramPorts.take() else { return }
        for port in [ports.audio, ports.control, ports.timing] { port.close() }
    }

    private func listen() async throws(AirPlayNetworkError) -> any Channel {
        let bootstrap = ServerBootstrap(group: loop)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try self.assumeIsolated { try $0.accept(channel) } }
            }
        // Without an address, listen on IPv6 and IPv4, or only on IPv4 if the host has no IPv6.
        let hosts = configuration.address.map { [$0] } ?? ["::", "0.0.0.0"]
        var failure = ""
        for host in hosts {
            do {
                return try await bootstrap.bind(host: host, port: configuration.port).get()
            } catch {
                failure = failure.isEmpty ? "\(host) port \(configuration.port): \(error)" : failure
            }
        }
        throw .portRefused(failure)
    }

    private func open(
        _ address: SocketAddress,
        _ receive: @escaping @Sendable (isolated AirPlayReceiver, [UInt8], SocketAddress) -> Void
    ) async throws(AirPlayNetworkError) -> DatagramPort {
        try await DatagramPort(address.with(port: 0), on: loop) { datagram, source in
            self.assumeIsolated { receive($0, datagram, source) }
        }
    }

    // MARK: Connections

    private func accept(_ channel: any Channel) throws {
        guard let ports = datagramPorts else { throw ChannelError.ioOnClosedChannel }
        let transport = StreamTransport(
            audioPort: ports.audio.port,
            controlPort: ports.control.port,
            timingPort: ports.timing.port
        )
        lastConnection += 1
        let id = lastConnection
        var random = SystemRandomNumberGenerator()
        var parameters = ReceiverSession.Configuration(ports: transport, password: configuration.password)
        if let record = configuration.airPlay2?.record, let eventListener {
            parameters.airPlay2 = (record, eventListener.port)
        }
        let session = ReceiverSession(parameters, using: &random)
        connections[id] = Connection(id: id, channel: channel, session: session)
        let handler = StreamHandler { buffer in
            self.assumeIsolated { $0.received(buffer, on: id) }
        } close: {
            self.assumeIsolated { $0.closed(id) }
        }
        try channel.pipeline.syncOperations.addHandler(handler)
        let idle = connections.values.filter { !$0.session.hasStream && $0.id != id }.sorted { $0.id < $1.id }
        for connection in idle.prefix(max(0, connections.count - Self.connectionLimit)) {
            connection.channel.close(promise: nil)
        }
    }

    private func received(_ buffer: ByteBuffer, on id: Int) {
        guard let connection = connections[id] else { return }
        connection.lastActivity = .now
        // A sender waits for the answer to a pairing message.
        guard !connection.isPairing else { return disconnect(connection, "a request before the answer") }
        do throws(FrameError) {
            if let bytes = try connection.security?.open(buffer.readableBytesView) {
                connection.reader.receive(bytes)
            } else {
                connection.reader.receive(buffer.readableBytesView)
            }
        } catch {
            return disconnect(connection, "encryption: \(error)")
        }
        handleRequests(on: connection)
    }

    private func handleRequests(on connection: Connection) {
        do {
            var count = 0
            while connections[connection.id] != nil, !connection.isPairing,
                let request = try connection.nextRequest()
            {
                count += 1
                guard count <= Self.requestLimit else { return disconnect(connection, "too many requests at once") }
                handle(request, on: connection)
            }
        } catch {
            handlers.event(.malformed(error.description, sender: connection.peer))
            closed(connection.id)
            connection.send(RTSPResponse(error.status), closing: true)
        }
    }

    /// Closes a connection whose bytes can't be trusted any more.
    private func disconnect(_ connection: Connection, _ reason: String) {
        handlers.event(.malformed(reason, sender: connection.peer))
        closed(connection.id)
        connection.channel.close(promise: nil)
    }

    private func handle(_ request: RTSPRequest, on connection: Connection) {
        if let pairings, ReceiverSession.isPairing(request) { return pair(request, pairings, on: connection) }
        let isBusy = connections.values.contains { $0.id != connection.id && $0.session.hasStream }
        apply(connection.session.handle(request, isBusy: isBusy), to: connection)
    }

    private func pair(_ request: RTSPRequest, _ pairings: SharedPairings, on connection: Connection) {
        connection.isPairing = true
        let (id, session) = (connection.id, connection.session)
        PairingQueue.run(thenOn: loop) {
            var session = session
            let (outcome, pairings) = pairings.handle(request, in: &session)
            return (session, outcome, pairings)
        } then: { session, outcome, pairings in
            self.assumeIsolated { receiver in
                guard let connection = receiver.connections[id] else { return }
                connection.isPairing = false
                connection.session = session
                if case .paired = outcome.event {
                    receiver.handlers.pairing(.paired(pairings, sender: connection.peer))
                }
                receiver.apply(outcome, to: connection)
                receiver.handleRequests(on: connection)
            }
        }
    }

    private func apply(_ outcome: ReceiverSession.Outcome, to connection: Connection) {
        if let problem = outcome.problem { handlers.event(.refused(problem, sender: connection.peer)) }
        if let event = outcome.event { handle(event, on: connection) }
        connection.setupStart = connection.session.isHalfOpen ? connection.setupStart ?? .now : nil
        connection.send(outcome.response, closing: outcome.closesConnection)
        if outcome.closesConnection {
            connection.events?.close(promise: nil)
            connections[connection.id] = nil
        } else if let secret = outcome.secret {
            // What came in the clear with the last message isn't the sender's, or not what it meant.
            guard connection.reader.isBetweenMessages else { return disconnect(connection, "data before encryption") }
            connection.security = .receiverControl(secret)
        }
    }

    /// Takes an event channel, unless nobody has a session without one.
    private func acceptEvents(_ channel: any Channel) throws {
        let candidates = connections.values.filter { connection in
            guard connection.session.hasSession, connection.events == nil else { return false }
            guard let here = channel.remoteAddress, let there = connection.channel.remoteAddress else { return false }
            return here.isSameHost(as: there)
        }
        guard let connection = candidates.max(by: { $0.id < $1.id }), let secret = connection.session.secret,
            let record = configuration.airPlay2?.record
        else { throw ChannelError.inappropriateOperationForState }
        connection.events = channel
        let handler = ReceiverEventHandler(.receiverEvents(secret), greeting: record.updateInformation)
        try channel.pipeline.syncOperations.addHandler(handler)
    }

    private func handle(_ event: ReceiverSession.Event, on connection: Connection) {
        switch event {
        case .ready(let description, let ports, let key):
            guard let sender = connection.channel.remoteAddress else { return }
            endPlayback()
            let stream = ReceivedStream(format: description.format, key: key)
            playback = Playback(owner: connection.id, sender: sender, ports: ports, stream: stream)
            startTicking()
        case .started(let position):
            playback?.isPlaying = true
            playback?.stream.start(at: position)
            handlers.event(.started(sender: connection.peer))
        case .flushed(let position):
            playback?.stream.start(at: position)
            handlers.event(.flushed)
        case .nowPlaying(let nowPlaying):
            handlers.event(.nowPlaying(nowPlaying))
        case .ended:
            startEnding(of: connection.id)
        case .pinNeeded(let pin):
            handlers.pairing(.pinNeeded(pin, sender: connection.peer))
        case .paired: break
        }
    }

    private func closed(_ id: Int) {
        guard let connection = connections.removeValue(forKey: id) else { return }
        connection.events?.close(promise: nil)
        if connection.session.close() != nil { startEnding(of: id) }
    }

    private func closeIdleConnections() {
        for connection in connections.values {
            if let start = connection.setupStart, start.duration(to: .now) > configuration.setupLimit {
                disconnect(connection, "a stream that didn't begin")
                continue
            }
            let limit = connection.session.hasStream ? Self.silenceLimit : Self.idleLimit
            if connection.lastActivity.duration(to: .now) > limit { connection.channel.close(promise: nil) }
        }
    }

    // MARK: Stream

    private func startTicking() {
        tickTask?.cancel()
        tickTask = loop.scheduleRepeatedTask(initialDelay: .zero, delay: Self.tick) { _ in
            self.assumeIsolated { $0.maintain() }
        }
    }

    /// Ends the stream once the packets that were sent before its end have been read.
    private func startEnding(of owner: Int) {
        guard playback?.owner == owner else { return }
        playback?.isEnding = true
        playback?.lastDatagram = .now
    }

    private func endPlayback() {
        guard var ended = playback.take() else { return }
        tickTask?.cancel()
        tickTask = nil
        pass(ended.stream.finish(), of: ended.stream)
        if ended.isPlaying { handlers.event(.ended(ended.stream.statistics)) }
    }

    /// Asks for the sender's time and for missing packets, and delivers what is due.
    private func maintain() {
        guard let sender = playback?.sender, let ports = playback?.ports else { return }
        let now = MonotonicClock.now
        if playback?.isEnding == true {
            deliver(at: now)
            if let last = playback?.lastDatagram, last.duration(to: .now) > Self.drainTime { endPlayback() }
            return
        }
        if ports.timingPort > 0, let due = playback?.nextTiming, due <= .now,
            let request = playback?.stream.timingRequest(at: now)
        {
            datagramPorts?.timing.send(request.bytes, to: sender.with(port: ports.timingPort))
            let interval = playback?.stream.timingInterval ?? .zero
            playback?.nextTiming = .now + interval
        }
        for request in playback?.stream.resendRequests(at: now) ?? [] {
            let bytes = ControlPacket.resendRequest(request).bytes
            datagramPorts?.control.send(bytes, to: sender.with(port: ports.controlPort))
        }
        deliver(at: now)
    }

    private func deliver(at now: NTPTime) {
        guard let samples = playback?.stream.samples(at: now), let stream = playback?.stream else { return }
        pass(samples, of: stream)
    }

    private func pass(_ samples: [UInt8], of stream: ReceivedStream) {
        guard !samples.isEmpty else { return }
        handlers.audio(samples)
        handlers.timedAudio(
            TimedSamples(samples: samples, timestamp: stream.timestamp, schedule: stream.schedule)
        )
    }

    /// Whether a datagram comes from the host that plays, which also proves that it is there.
    private func accepts(_ source: SocketAddress) -> Bool {
        guard let playback, playback.isPlaying, source.isSameHost(as: playback.sender) else { return false }
        self.playback?.lastDatagram = .now
        connections[playback.owner]?.lastActivity = .now
        return true
    }

    private func receiveAudio(_ datagram: [UInt8], from source: SocketAddress) {
        guard accepts(source), let packet = AudioPacket(datagram) else { return }
        let now = MonotonicClock.now
        playback?.stream.receive(packet, at: now)
        deliver(at: now)
    }

    private func receiveControl(_ datagram: [UInt8], from source: SocketAddress) {
        guard accepts(source), let packet = ControlPacket(datagram) else { return }
        let now = MonotonicClock.now
        playback?.stream.receive(packet, at: now)
        deliver(at: now)
    }

    private func receiveTiming(_ datagram: [UInt8], from source: SocketAddress) {
        guard let playback, source.isSameHost(as: playback.sender), let packet = TimingPacket(datagram) else { return }
        self.playback?.stream.receive(packet, at: MonotonicClock.now)
    }
}
