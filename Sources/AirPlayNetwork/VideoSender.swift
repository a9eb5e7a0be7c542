package import AirPlay
package import DNSSD
internal import HAP
internal import NIOCore
internal import NIOPosix

/// A sender that has a receiver play an address, which the receiver fetches itself.
///
/// The actor and its socket run on one event loop.
package actor VideoSender {
    private static let resolveLimit = Duration.seconds(10)
    private static let connectLimit = TimeAmount.seconds(5)
    private static let responseLimit = TimeAmount.seconds(10)
    private static let limits = HTTPLimits(startLineLength: 1_024, headerLength: 16_384, bodyLength: 1_048_576)
    private static let pollInterval = Duration.seconds(1)
    /// The number of looks after which a receiver that plays nothing is believed to have ended.
    private static let startAttempts = 10

    private let host: String
    private let port: Int
    private let loop: any EventLoop
    private var channel: (any Channel)?
    private var reader = HTTPResponseReader(limits: limits)
    private var waiter: CheckedContinuation<HTTPResponse?, Never>?
    private var isStopped = false

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        loop.executor.asUnownedSerialExecutor()
    }

    /// Creates a sender to a receiver at an address.
    package init(host: String, port: Int) {
        self.host = host
        self.port = port
        loop = MultiThreadedEventLoopGroup.singleton.next()
    }

    /// Finds a receiver by its name.
    ///
    /// - Throws: ``AirPlayNetworkError/notFound(_:)``.
    package static func find(_ name: String, _ discovery: MulticastDNS) async throws(AirPlayNetworkError) -> VideoSender
    {
        guard let type = try? ServiceType(VideoRecord.serviceType),
            let service = try? await discovery.resolve(ServiceInstance(name: name, type: type), within: resolveLimit),
            let host = service.addresses.first?.description
        else { throw .notFound(name) }
        return VideoSender(host: host, port: Int(service.port))
    }

    /// Plays an address until the receiver has ended.
    ///
    /// - Parameters:
    ///   - address: The address.
    ///   - playing: A closure that is called once the receiver has accepted it.
    /// - Throws: ``AirPlayNetworkError``.
    package func play(_ address: MediaAddress, playing: @Sendable () -> Void) async throws(AirPlayNetworkError) {
        try await connect()
        defer { channel?.close(promise: nil) }
        guard let response = await respond(VideoQuery.play(address, host: host)) else { throw .disconnected }
        switch response.status.rawValue {
        case 200..<300: playing()
        case HTTPStatus.serviceUnavailable.rawValue: throw .failed(.receiverBusy)
        case HTTPStatus.unauthorized.rawValue: throw .failed(.passwordRequired)
        default: throw .failed(.refused(method: VideoQuery.playName, status: response.status.rawValue))
        }
        var attempts = Self.startAttempts
        while !isStopped, attempts > 0 {
            guard let response = await respond(VideoQuery.status(host: host)) else { throw .disconnected }
            if VideoStatus(playbackInfo: response.body) != nil {
                attempts = 1
            } else {
                attempts -= 1
                if attempts == 0 { return }
            }
            for _ in 0..<4 where !isStopped { try? await Task.sleep(for: Self.pollInterval / 4) }
        }
        _ = await respond(VideoQuery.stop(host: host))
    }

    /// Has the receiver stop.
    package func stop() {
        isStopped = true
    }

    private func connect() async throws(AirPlayNetworkError) {
        do {
            channel = try await ClientBootstrap(group: loop)
                .connectTimeout(Self.connectLimit)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let handler = StreamHandler { buffer in
                            self.assumeIsolated { $0.received(buffer) }
                        } close: {
                            self.assumeIsolated { $0.waiter.take()?.resume(returning: nil) }
                        }
                        try channel.pipeline.syncOperations.addHandler(handler)
                    }
                }
                .connect(host: host, port: port).get()
        } catch {
            throw .unreachable("\(host) port \(port)")
        }
    }

    /// Sends a request and returns the response, or `nil` if there is none in time.
    private func respond(_ request: HTTPRequest) async -> HTTPResponse? {
        guard let channel, channel.isActive else { return nil }
        let timeout = loop.scheduleTask(in: Self.responseLimit) { channel.close(promise: nil) }
        defer { timeout.cancel() }
        return await withCheckedContinuation { continuation in
            waiter = continuation
            channel.send(request.encoded())
        }
    }

    private func received(_ buffer: ByteBuffer) {
        reader.receive(buffer.readableBytesView)
        do {
            while let message = try reader.next() {
                if case .response(let response) = message { waiter.take()?.resume(returning: response) }
            }
        } catch {
            channel?.close(promise: nil)
        }
    }
}
