package import AirPlay
internal import Foundation
internal import HAP
internal import NIOCore
internal import NIOPosix

/// A sender of audio to one receiver: the control connection, and the ports of the stream.
///
/// The actor and all its sockets run on one event loop.
package actor AirPlaySender {
    /// The time that the receiver has to respond.
    private static let responseLimit = TimeAmount.seconds(20)
    /// The time that the receiver has to respond once the caller has ended the stream.
    private static let stopLimit = TimeAmount.seconds(2)
    /// The time to connect. Only a host that is overloaded or gone needs longer than a moment.
    static let connectLimit = TimeAmount.seconds(15)
    /// The time between two signs of life.
    private static let keepAliveInterval = TimeAmount.seconds(2)
    /// The time that the receiver has to respond to a sign of life.
    private static let silenceLimit = TimeAmount.seconds(10)
    private static let name = "Hearth"
    /// The number of packets that are sent together, the first of them when its time has come, because a wake-up costs more than a
    /// packet. The others are 56 ms early at most, which is little next to the latency.
    private static let packetsTogether = 8
    /// The maximum number of packets that are sent at once to catch up.
    private static let burstLimit = 16
    /// The pause of a sender that is behind, in which its event loop reads what has arrived. Tasks that are due come first.
    private static let readingPause: Int64 = 1_000_000
    /// The time between the receiver's consent and the first packet.
    static let leadTime: Int64 = 20_000_000
    /// The time after which the last packets are repeated, in nanoseconds.
    private static let tailDelay: Int64 = 100_000_000

    /// The parameters of a stream.
    package struct Configuration: Sendable {
        /// The receiver's address or host name.
        package var host: String
        /// The receiver's port.
        package var port: Int
        /// The format.
        package var format: AudioFormat
        /// Whether Apple Lossless packets are compressed.
        package var isCompressing = true
        /// The password, or `nil` if there is none.
        package var password: String?
        /// What plays, and the volume. The progress is computed.
        package var nowPlaying = NowPlaying()
        /// The number of frames, or `nil` if it isn't known.
        package var frameCount: Int?
        /// The number of frames between sending and playing.
        package var latency = SentStream.usualLatency
        /// The position of the audio's first packet, or `nil` for any.
        package var first: StreamPosition?
        /// The first packet to send, or `nil` for the audio's first one.
        package var start: StreamPosition?
        /// The encoder that the senders of a group share, or `nil` for one of its own.
        var encoder: SharedEncoder?

        /// Handles the receiver's commands, or `nil` if the sender's events are enough. The receiver gets the result.
        package var command: (@Sendable (RemoteCommand) async -> RemoteCommand.Result)?

        /// The means of pairing for AirPlay 2, or `nil` for a classic stream.
        package var access: SenderAccess?

        /// Creates parameters.
        package init(host: String, port: Int, format: AudioFormat) {
            self.host = host
            self.port = port
            self.format = format
        }
    }

    /// An event of a sender.
    package enum Event: Hashable, Sendable {
        /// The receiver accepts the stream, and audio begins.
        case playing
        /// The receiver sent a command.
        case command(RemoteCommand)
    }

    /// Returns the next samples, interleaved: 352 frames, fewer at the end, then none.
    package typealias Source = @Sendable () -> [Int16]

    let configuration: Configuration
    private let source: Source
    private let event: @Sendable (Event) -> Void
    let loop: any EventLoop
    private let remoteControl: RemoteControlAddress
    private let first: StreamPosition
    /// The first packet to send.
    var start: StreamPosition
    private let number: UInt32
    var channel: (any Channel)?
    private var datagramPorts: (control: DatagramPort, timing: DatagramPort)?
    private var remoteControlServer: RemoteControlServer?
    var reader = RTSPResponseReader()
    var session: SenderSession?
    var pairing: SenderPairing?
    /// Whether a pairing message is being worked on.
    var isComputing = false
    var security: SecureChannel?
    var secret: SessionSecret?
    var events: (any Channel)?
    private let key: FrameKey?
    private var receiver: (address: SocketAddress, ports: StreamTransport)?
    var stream: SentStream?
    private var deadline: Scheduled<Void>?
    var pump: Scheduled<Void>?
    private var timers: [RepeatedTask] = []
    private var completion: CheckedContinuation<Result<Void, AirPlayNetworkError>, Never>?
    var result: Result<Void, AirPlayNetworkError>?
    var isEnding = false
    /// Whether the caller ended the stream. How the receiver takes that is no error then.
    private var isStopped = false
    /// Whether the stream is paused. Nothing is sent then except signs of life.
    var isPaused = false
    private var isAwaitingResponse = false
    /// The calls that wait for the responses to all requests.
    private var idleWaiters: [CheckedContinuation<Void, Never>] = []

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        loop.executor.asUnownedSerialExecutor()
    }

    /// Creates a sender.
    ///
    /// - Parameters:
    ///   - configuration: The parameters.
    ///   - source: A closure that returns the next samples, called on the event loop.
    ///   - event: A closure that takes events, called on the event loop.
    package init(_ configuration: Configuration, source: @escaping Source, event: @escaping @Sendable (Event) -> Void) {
        self.configuration = configuration
        self.source = source
        self.event = event
        loop = MultiThreadedEventLoopGroup.singleton.next()
        var random = SystemRandomNumberGenerator()
        let id: UInt64 = random.next()
        let token: UInt32 = random.next()
        remoteControl = RemoteControlAddress(id: String(id, radix: 16, uppercase: true), token: "\(token)")
        let first = configuration.first ?? StreamPosition(sequence: random.next(), timestamp: random.next())
        self.first = first
        start = configuration.start ?? first
        number = random.next()
        key = configuration.access == nil ? nil : FrameKey(random.bytes(FrameKey.length))
    }

    /// The sender's remote control service, to be advertised with ``remoteControlPort``.
    package nonisolated var remoteControlAddress: RemoteControlAddress { remoteControl }

    /// The port of the remote control service, once ``connect()`` has returned.
    package var remoteControlPort: Int? { remoteControlServer?.port }

    /// The number of packets that the receiver asked for again.
    package var resentCount: Int { stream?.resentCount ?? 0 }

    // MARK: Connection

    /// Connects to the receiver and opens the ports.
    ///
    /// - Throws: ``AirPlayNetworkError``.
    package func connect() async throws(AirPlayNetworkError) {
        let channel: any Channel
        do {
            channel = try await ClientBootstrap(group: loop)
                .connectTimeout(Self.connectLimit)
                .channelOption(.tcpOption(.tcp_nodelay), value: 1)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let handler = StreamHandler { buffer in
                            self.assumeIsolated { $0.received(buffer) }
                        } close: {
                            self.assumeIsolated { $0.finish(.failure(.disconnected)) }
                        }
                        try channel.pipeline.syncOperations.addHandler(handler)
                    }
                }
                .connect(host: configuration.host, port: configuration.port).get()
        } catch {
            throw .unreachable("\(configuration.host) port \(configuration.port)")
        }
        guard result == nil else {
            channel.close(promise: nil)
            throw .disconnected
        }
        self.channel = channel
        guard let local = channel.localAddress, let remote = channel.remoteAddress else { throw .disconnected }
        do throws(AirPlayNetworkError) {
            try await openPorts(local)
        } catch {
            finish(.failure(error))
            throw error
        }
        receiver = (remote, StreamTransport(controlPort: 0, timingPort: 0))
    }

    private func openPorts(_ local: SocketAddress) async throws(AirPlayNetworkError) {
        let control = try await DatagramPort(local.with(port: 0), on: loop) { datagram, source in
            self.assumeIsolated { $0.receiveControl(datagram, from: source) }
        }
        do throws(AirPlayNetworkError) {
            let timing = try await DatagramPort(local.with(port: 0), on: loop) { datagram, source in
                self.assumeIsolated { $0.receiveTiming(datagram, from: source) }
            }
            datagramPorts = (control, timing)
        } catch {
            control.close()
            throw error
        }
        remoteControlServer = try await RemoteControlServer(local, token: remoteControl.token, on: loop) { command in
            self.event(.command(command))
            return await self.configuration.command?(command) ?? .success
        }
    }

    /// Sets the stream up, so that the receiver waits for audio. Call it once, after ``connect()``.
    ///
    /// - Throws: ``AirPlayNetworkError``.
    package func prepare() async throws(AirPlayNetworkError) {
        guard channel != nil, datagramPorts != nil, result == nil else { throw .disconnected }
        if let access = configuration.access { startPairing(access) } else { startSession() }
        try await nextStep()
    }

    /// Plays the source to its end. Call it once, after ``connect()``.
    ///
    /// - Parameter timeline: The timeline that the stream shares with others, or `nil` for one of its own.
    /// - Throws: ``AirPlayNetworkError``.
    package func play(on timeline: StreamTimeline? = nil) async throws(AirPlayNetworkError) {
        if session == nil { try await prepare() }
        begin(timeline)
        try await nextStep()
    }

    /// Waits until the stream is set up, or until it has ended.
    private func nextStep() async throws(AirPlayNetworkError) {
        let outcome: Result<Void, AirPlayNetworkError> = await withCheckedContinuation { continuation in
            if let result { continuation.resume(returning: result) } else { completion = continuation }
        }
        try outcome.get()
    }

    func startSession(after sequence: Int = 0) {
        guard let channel, let ports = datagramPorts else { return }
        var parameters = SenderSession.Configuration(
            description: SessionDescription(format: configuration.format),
            number: number,
            addresses: (channel.localAddress?.ipAddress ?? "", channel.remoteAddress?.ipAddress ?? ""),
            ports: StreamTransport(controlPort: ports.control.port, timingPort: ports.timing.port),
            start: start,
            password: configuration.password,
            remoteControl: remoteControl
        )
        parameters.nowPlaying = nowPlaying
        parameters.sequence = sequence
        parameters.encryption = key.map { key in
            SenderSession.Encryption(
                key: key,
                deviceID: DeviceID.random().description,
                sessionID: UUID().uuidString,
                name: Self.name
            )
        }
        session = SenderSession(parameters)
        sendNext()
    }

    /// Ends the stream. What the receiver hasn't played is discarded.
    package func stop() {
        isStopped = true
        guard let stream, !isEnding else { return finish(.success(())) }
        session?.flush(to: stream.position)
        setDeadline()
        tearDown()
    }

    private var nowPlaying: NowPlaying {
        var nowPlaying = configuration.nowPlaying
        if let count = configuration.frameCount {
            let end = first.timestamp &+ UInt32(truncatingIfNeeded: count)
            nowPlaying.progress = PlaybackProgress(start: first.timestamp, current: start.timestamp, end: end)
        }
        return nowPlaying
    }

    // MARK: Requests

    func sendNext() {
        guard let request = session?.next() else { return }
        send(request)
    }

    func send(_ request: RTSPRequest) {
        isAwaitingResponse = true
        let bytes = request.encoded()
        // If encryption fails, nothing can be sent any more.
        guard let sealed = security == nil ? bytes : try? security?.seal(bytes) else {
            return finish(.failure(.disconnected))
        }
        channel?.send(sealed)
        setDeadline()
    }

    /// Waits until the receiver has responded to all requests, or the stream has ended.
    func waitForResponses() async {
        guard isAwaitingResponse, result == nil else { return }
        await withCheckedContinuation { idleWaiters.append($0) }
    }

    private func resumeWaiters() {
        let waiters = idleWaiters
        idleWaiters = []
        for waiter in waiters { waiter.resume() }
    }

    private func setDeadline() {
        deadline?.cancel()
        let limit = stream == nil ? Self.responseLimit : Self.silenceLimit
        deadline = loop.scheduleTask(in: isStopped ? Self.stopLimit : limit) {
            self.assumeIsolated { $0.finish(.failure(.disconnected)) }
        }
    }

    private func received(_ buffer: ByteBuffer) {
        // A receiver has nothing to add to its answer.
        guard !isComputing else { return finish(.failure(.failed(.unexpectedResponse))) }
        do {
            if let bytes = try security?.open(buffer.readableBytesView) {
                reader.receive(bytes)
            } else {
                reader.receive(buffer.readableBytesView)
            }
            while result == nil, !isComputing, let response = try reader.next() {
                deadline?.cancel()
                try handle(response)
            }
        } catch let failure as SenderFailure {
            finish(.failure(.failed(failure)))
        } catch {
            finish(.failure(.disconnected))
        }
    }

    private func handle(_ response: RTSPResponse) throws(SenderFailure) {
        isAwaitingResponse = false
        if let pairing { return continuePairing(pairing, response) }
        switch try session?.receive(response) {
        case .openEvents(let port) where port > 0:
            Task { await openEvents(port) }
            return
        case .openEvents: break
        case .play(let ports):
            if let address = receiver?.address { receiver = (address, ports) }
            completion.take()?.resume(returning: .success(()))
        case .ended: finish(.success(()))
        case nil: break
        }
        sendNext()
        if !isAwaitingResponse { resumeWaiters() }
    }

    private func tearDown() {
        guard !isEnding else { return }
        isEnding = true
        pump?.cancel()
        session?.tearDown()
        sendNext()
    }

    /// Ends everything.
    func finish(_ result: Result<Void, AirPlayNetworkError>) {
        guard self.result == nil else { return }
        let result = isStopped ? .success(()) : result
        self.result = result
        deadline?.cancel()
        pump?.cancel()
        for timer in timers { timer.cancel() }
        timers = []
        channel?.close(promise: nil)
        events?.close(promise: nil)
        remoteControlServer?.close()
        if let ports = datagramPorts.take() {
            ports.control.close()
            ports.timing.close()
        }
        completion.take()?.resume(returning: result)
        resumeWaiters()
    }

    // MARK: Stream

    private func begin(_ timeline: StreamTimeline?) {
        guard result == nil, stream == nil else { return }
        let startTime = MonotonicClock.now.advanced(byNanoseconds: Self.leadTime)
        stream = SentStream(
            configuration.format,
            isCompressing: configuration.isCompressing,
            at: start,
            source: number,
            latency: configuration.latency,
            on: timeline ?? StreamTimeline(first: start, start: startTime),
            key: key,
            encoder: configuration.encoder
        )
        sendSync(isFirst: true)
        let interval = TimeAmount(SentStream.syncInterval)
        timers = [
            loop.scheduleRepeatedTask(initialDelay: interval, delay: interval) { _ in
                self.assumeIsolated { $0.sendSync(isFirst: false) }
            },
            loop.scheduleRepeatedTask(initialDelay: Self.keepAliveInterval, delay: Self.keepAliveInterval) { _ in
                self.assumeIsolated { $0.keepAlive() }
            },
        ]
        event(.playing)
        sendDuePackets()
    }

    private func keepAlive() {
        session?.keepAlive()
        sendNext()
    }

    func sendSync(isFirst: Bool) {
        guard let stream, let receiver, !isPaused else { return }
        let sync = stream.sync(at: MonotonicClock.now, isFirst: isFirst)
        datagramPorts?.control.send(
            ControlPacket.sync(sync).bytes,
            to: receiver.address.with(port: receiver.ports.controlPort)
        )
    }

    /// Sends the packets whose time has come with those that follow at once, and waits for the next one's time.
    func sendDuePackets() {
        guard let receiver, let audioPort = receiver.ports.audioPort, !isEnding, !isPaused else { return }
        let address = receiver.address.with(port: audioPort)
        let now = MonotonicClock.now
        var count = 0
        while let next = stream?.nextTime, count < (next <= now ? Self.burstLimit : Self.packetsTogether) {
            let samples = source()
            guard !samples.isEmpty, let packet = stream?.packet(samples) else {
                return waitForEnd(now)
            }
            // Audio comes from the control port, so that receivers that check the source accept it.
            datagramPorts?.control.send(packet, to: address)
            count += 1
        }
        guard let next = stream?.nextTime else { return }
        schedule(at: next) { $0.sendDuePackets() }
    }

    /// Repeats the last packets, and ends the stream when they have been played.
    private func waitForEnd(_ now: NTPTime) {
        guard let stream else { return }
        let end = stream.endTime(from: now)
        schedule(at: min(end, now.advanced(byNanoseconds: Self.tailDelay))) { sender in
            guard let receiver = sender.receiver, let port = receiver.ports.audioPort else { return }
            for packet in sender.stream?.tail ?? [] {
                sender.datagramPorts?.control.send(packet, to: receiver.address.with(port: port))
            }
            sender.schedule(at: end) { $0.tearDown() }
        }
    }

    private func schedule(at time: NTPTime, _ action: @escaping @Sendable (isolated AirPlaySender) -> Void) {
        let delay = max(Self.readingPause, time.nanoseconds(since: MonotonicClock.now))
        pump = loop.scheduleTask(in: .nanoseconds(delay)) { self.assumeIsolated { action($0) } }
    }

    private func receiveControl(_ datagram: [UInt8], from source: SocketAddress) {
        guard let receiver, source.isSameHost(as: receiver.address),
            case .resendRequest(let request) = ControlPacket(datagram)
        else { return }
        for datagram in stream?.resend(request, at: MonotonicClock.now) ?? [] {
            datagramPorts?.control.send(datagram, to: receiver.address.with(port: receiver.ports.controlPort))
        }
    }

    private func receiveTiming(_ datagram: [UInt8], from source: SocketAddress) {
        let now = MonotonicClock.now
        guard let receiver, source.isSameHost(as: receiver.address), let request = TimingPacket(datagram),
            !request.isReply
        else { return }
        datagramPorts?.timing.send(request.reply(received: now, sent: MonotonicClock.now).bytes, to: source)
    }
}
