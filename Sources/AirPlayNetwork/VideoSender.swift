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
    private static let pausesPerPoll = 10
    /// The number of looks after which a receiver that plays nothing is believed to have ended.
    private static let startAttempts = 10

    private let host: String
    private let port: Int
    private let loop: any EventLoop
    private var channel: (any Channel)?
    private var events: (any Channel)?
    private var reader = HTTPResponseReader(limits: limits)
    private var eventReader = VideoEventReader()
    private var requests: [(request: HTTPRequest, waiter: CheckedContinuation<HTTPResponse?, Never>)] = []
    private var waiter: CheckedContinuation<HTTPResponse?, Never>?
    private var timeout: Scheduled<Void>?
    private var isStopped = false
    /// Whether the receiver has told that something has changed.
    private var hasChanged = false

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
    ///   - seconds: The position to start at.
    ///   - status: A closure that takes what the receiver does, once a second and when it changes.
    ///   - playing: A closure that is called once the receiver has accepted it.
    /// - Throws: ``AirPlayNetworkError``.
    package func play(
        _ address: MediaAddress,
        from seconds: Double = 0,
        status: @Sendable (VideoStatus) -> Void = { _ in },
        playing: @Sendable () -> Void
    ) async throws(AirPlayNetworkError) {
        channel = try await connect {
            $0.received($1)
        } close: {
            $0.complete(nil)
        }
        defer {
            channel?.close(promise: nil)
            events?.close(promise: nil)
        }
        guard let response = await respond(VideoQuery.play(address, from: seconds, host: host)) else {
            throw .disconnected
        }
        switch response.status.rawValue {
        case 200..<300: playing()
        case HTTPStatus.serviceUnavailable.rawValue: throw .failed(.receiverBusy)
        case HTTPStatus.unauthorized.rawValue: throw .failed(.passwordRequired)
        default: throw .failed(.refused(method: VideoQuery.playName, status: response.status.rawValue))
        }
        await followEvents()
        var attempts = Self.startAttempts
        while !isStopped, attempts > 0 {
            hasChanged = false
            guard let response = await respond(VideoQuery.status(host: host)) else { throw .disconnected }
            if let current = VideoStatus(playbackInfo: response.body) {
                status(current)
                attempts = 1
            } else {
                attempts -= 1
                if attempts == 0 { return }
            }
            for _ in 0..<Self.pausesPerPoll where !isStopped && !hasChanged {
                try? await Task.sleep(for: Self.pollInterval / Self.pausesPerPoll)
            }
        }
        _ = await respond(VideoQuery.stop(host: host))
    }

    /// Pauses, or continues. Returns whether the receiver has done so.
    package func pause(_ isPaused: Bool) async -> Bool {
        await change(VideoQuery.pause(isPaused, host: host))
    }

    /// Continues at a position in seconds. Returns whether the receiver can.
    package func seek(to seconds: Double) async -> Bool {
        await change(VideoQuery.seek(to: seconds, host: host))
    }

    private func change(_ request: HTTPRequest) async -> Bool {
        let response = await respond(request)
        hasChanged = true
        return response.map { (200..<300).contains($0.status.rawValue) } ?? false
    }

    /// Has the receiver stop.
    package func stop() {
        isStopped = true
    }

    // MARK: Connections

    private func connect(
        receive: @escaping @Sendable (isolated VideoSender, ByteBuffer) -> Void,
        close: @escaping @Sendable (isolated VideoSender) -> Void
    ) async throws(AirPlayNetworkError) -> any Channel {
        do {
            return try await ClientBootstrap(group: loop)
                .connectTimeout(Self.connectLimit)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let handler = StreamHandler { buffer in
                            self.assumeIsolated { receive($0, buffer) }
                        } close: {
                            self.assumeIsolated { close($0) }
                        }
                        try channel.pipeline.syncOperations.addHandler(handler)
                    }
                }
                .connect(host: host, port: port).get()
        } catch {
            throw .unreachable("\(host) port \(port)")
        }
    }

    /// Has the receiver tell of changes on a second connection. Without it, they are noticed at the next look.
    private func followEvents() async {
        events = try? await connect { sender, buffer in
            sender.receivedEvents(buffer)
        } close: { _ in
        }
        events?.send(VideoQuery.reverse(host: host).encoded())
    }

    private func receivedEvents(_ buffer: ByteBuffer) {
        eventReader.receive(buffer.readableBytesView)
        do throws(HTTPError) {
            while try eventReader.next() != nil {
                // A receiver that doesn't read the answers is disconnected.
                guard events?.isWritable == true else { return events?.close(promise: nil) ?? () }
                events?.send(HTTPResponse(status: .ok).encoded())
                hasChanged = true
            }
        } catch {
            events?.close(promise: nil)
        }
    }

    /// Sends a request after those before it, and returns the response, or `nil` if there is none in time.
    private func respond(_ request: HTTPRequest) async -> HTTPResponse? {
        guard let channel, channel.isActive else { return nil }
        return await withCheckedContinuation { continuation in
            requests.append((request, continuation))
            sendNext()
        }
    }

    private func sendNext() {
        guard waiter == nil, !requests.isEmpty, let channel else { return }
        let next = requests.removeFirst()
        waiter = next.waiter
        timeout = loop.scheduleTask(in: Self.responseLimit) { channel.close(promise: nil) }
        channel.send(next.request.encoded())
    }

    /// Ends the current request, or all if the connection has ended.
    private func complete(_ response: HTTPResponse?) {
        timeout?.cancel()
        waiter.take()?.resume(returning: response)
        guard response == nil else { return sendNext() }
        for (_, waiter) in requests { waiter.resume(returning: nil) }
        requests = []
    }

    private func received(_ buffer: ByteBuffer) {
        reader.receive(buffer.readableBytesView)
        do {
            while let message = try reader.next() {
                if case .response(let response) = message { complete(response) }
            }
        } catch {
            channel?.close(promise: nil)
        }
    }
}
