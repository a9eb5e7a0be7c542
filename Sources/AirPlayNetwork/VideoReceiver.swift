internal import AirPlay
internal import HAP
internal import NIOCore
internal import NIOPosix

/// A receiver of the addresses of films, which it passes to a player.
///
/// One host plays at a time. Others are refused until nothing plays. The actor and its sockets run on one event loop.
package actor VideoReceiver {
    /// The maximum number of connections. A new one closes the oldest one of a host that plays nothing.
    package static let connectionLimit = 16
    /// The limits of requests.
    private static let limits = HTTPLimits(
        startLineLength: 1_024,
        headerLength: 16_384,
        bodyLength: VideoRequest.bodyLimit
    )
    /// The time after which a connection that sends nothing is closed, if nothing plays.
    private static let idleLimit = TimeAmount.seconds(60)
    /// The time between two looks at the player.
    private static let pollInterval = TimeAmount.milliseconds(250)

    /// A connection. This is a class because it has an identity; only the actor uses it.
    private final class Connection {
        let channel: any Channel
        var reader = RTSPRequestReader(limits: limits)
        var isReversed = false
        var lastActivity = NIODeadline.now()

        init(_ channel: any Channel) {
            self.channel = channel
        }

        var host: String { channel.remoteAddress?.ipAddress ?? "?" }
    }

    private let name: String
    private let player: any VideoPlayer
    private let event: @Sendable (VideoEvent) -> Void
    private let loop: any EventLoop
    private var listener: (any Channel)?
    private var connections: [Int: Connection] = [:]
    private var lastConnection = 0
    private var owner: String?
    private var lastState = VideoStatus.State.stopped
    private var poll: RepeatedTask?

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        loop.executor.asUnownedSerialExecutor()
    }

    /// Creates a receiver.
    package init(name: String, player: any VideoPlayer, event: @escaping @Sendable (VideoEvent) -> Void) {
        self.name = name
        self.player = player
        self.event = event
        loop = MultiThreadedEventLoopGroup.singleton.next()
    }

    /// Opens the port. Returns its number.
    ///
    /// - Throws: ``AirPlayNetworkError/portRefused(_:)``.
    package func start(address: String?, port: Int) async throws(AirPlayNetworkError) -> Int {
        let bootstrap = ServerBootstrap(group: loop)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try self.assumeIsolated { try $0.accept(channel) } }
            }
        var failure = ""
        for host in address.map({ [$0] }) ?? ["::", "0.0.0.0"] {
            do {
                let listener = try await bootstrap.bind(host: host, port: port).get()
                self.listener = listener
                poll = loop.scheduleRepeatedTask(initialDelay: Self.pollInterval, delay: Self.pollInterval) { _ in
                    self.assumeIsolated { $0.look() }
                }
                return listener.localAddress?.port ?? 0
            } catch {
                failure = "\(host) port \(port): \(error)"
            }
        }
        throw .portRefused(failure)
    }

    /// Stops the player, and closes all connections and the port.
    package func stop() async {
        poll?.cancel()
        player.stop()
        for connection in connections.values { connection.channel.close(promise: nil) }
        try? await listener?.close()
        listener = nil
    }

    // MARK: Connections

    private func accept(_ channel: any Channel) throws {
        if connections.count >= Self.connectionLimit {
            let player = self.player.status.state == .stopped ? nil : owner
            guard let oldest = connections.filter({ $0.value.host != player }).keys.min() else {
                throw ChannelError.ioOnClosedChannel
            }
            connections.removeValue(forKey: oldest)?.channel.close(promise: nil)
        }
        lastConnection += 1
        let id = lastConnection
        connections[id] = Connection(channel)
        let handler = StreamHandler { buffer in
            self.assumeIsolated { $0.received(buffer, on: id) }
        } close: {
            self.assumeIsolated { $0.connections[id] = nil }
        }
        try channel.pipeline.syncOperations.addHandler(handler)
    }

    private func received(_ buffer: ByteBuffer, on id: Int) {
        // On a connection that was turned around, only the responses to events arrive.
        guard let connection = connections[id], !connection.isReversed else { return }
        connection.lastActivity = .now()
        connection.reader.receive(buffer.readableBytesView)
        do {
            while connections[id] != nil, !connection.isReversed, let request = try connection.reader.next() {
                let response = respond(to: VideoRequest(request), on: connection)
                connection.channel.send(response.encoded())
                look()
            }
        } catch {
            connections[id] = nil
            connection.channel.sendAndClose(HTTPResponse(status: error.status).encoded())
        }
    }

    private func respond(to request: VideoRequest, on connection: Connection) -> HTTPResponse {
        switch request {
        case .serverInfo:
            return VideoResponse.serverInfo(name: name)
        case .status: return VideoResponse.playbackInfo(player.status)
        case .position: return VideoResponse.position(player.status)
        case .property: return VideoResponse.property
        case .reverse:
            connection.isReversed = true
            return VideoResponse.reversed
        case .refusal(let status): return HTTPResponse(status: status)
        case .play, .seek, .pause, .stop:
            // A film that another host plays isn't interrupted.
            guard player.status.state == .stopped || owner == connection.host else {
                event(.refused(sender: connection.host))
                return HTTPResponse(status: .serviceUnavailable)
            }
            return control(request, on: connection)
        }
    }

    private func control(_ request: VideoRequest, on connection: Connection) -> HTTPResponse {
        switch request {
        case .play(let address, let start):
            guard player.play(address, from: start) else { return HTTPResponse(status: .notImplemented) }
            owner = connection.host
            event(.started(address, sender: connection.host))
        case .seek(let seconds):
            guard player.seek(to: seconds) else { return HTTPResponse(status: .notImplemented) }
        case .pause(let isPaused): player.pause(isPaused)
        default: player.stop()
        }
        return HTTPResponse(status: .ok)
    }

    /// Tells senders of changes, and closes idle connections.
    private func look() {
        let status = player.status
        if status.state != lastState {
            lastState = status.state
            event(.changed(status))
            for connection in connections.values where connection.isReversed {
                connection.channel.send(VideoResponse.event(status))
            }
        }
        guard status.state == .stopped else { return }
        for connection in connections.values where NIODeadline.now() - connection.lastActivity > Self.idleLimit {
            connection.channel.close(promise: nil)
        }
    }
}
