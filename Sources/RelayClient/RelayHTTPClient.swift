import Foundation
import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix
import RelayAPI
import Synchronization
import TLS

/// Sends requests to a relay over HTTP/1.1, and keeps a few connections for the next ones.
final class RelayHTTPClient: Sendable {
    // This is a class because it owns the connections.

    /// The maximum number of connections that wait for the next request.
    private static let keptConnections = 4
    private static let connectTime = TimeAmount.seconds(10)
    private static let handshakeTime = TimeAmount.seconds(10)
    /// The maximum time in milliseconds for which the relay's machine doesn't acknowledge what was sent. A request that only waits
    /// for its answer was acknowledged, and isn't affected. One that is larger than the machine's buffer is affected if the
    /// relay doesn't read for so long.
    private static let unacknowledgedTime = 1_000 * RelayLimits.unacknowledgedSeconds

    let location: RelayLocation
    private let context: TLSContext?
    private let idle = Mutex<[any Channel]>([])
    private let isClosed = Mutex(false)

    private let pins: Set<RelayPin>?

    /// Creates a client.
    ///
    /// - Parameter pins: By what to recognize the relay, one of them; `nil` for whom `trust` names.
    init(_ location: RelayLocation, trust: RelayTrust, pins: Set<RelayPin>?) throws(RelayClientError) {
        self.location = location
        self.pins = pins
        guard location.isEncrypted else {
            context = nil
            return
        }
        do throws(TLSError) {
            switch trust {
            case _ where pins != nil: context = try .pinningServers()
            case .system: context = try TLSContext(trusting: nil)
            case .certificates(let certificates): context = try TLSContext(trusting: certificates)
            }
        } catch {
            throw .unreachable(error.description)
        }
    }

    /// Closes the connections that wait. Those in use close after their answers.
    func close() {
        isClosed.withLock { $0 = true }
        closeIdle()
    }

    /// Closes the connections that wait, because they may lead nowhere any more.
    func closeIdle() {
        let channels = idle.withLock { idle in
            defer { idle = [] }
            return idle
        }
        for channel in channels { channel.close(promise: nil) }
    }

    // MARK: Requests

    /// Sends a request. All requests to a relay can be repeated, so one that fails on a connection that was kept is sent
    /// again on a new one. The others that were kept are closed then: if this machine's address has changed, none of them leads
    /// to the relay.
    func send(_ request: RelayHTTPRequest) async throws(RelayClientError) -> RelayHTTPResponse {
        if let channel = idle.withLock({ $0.popLast() }), channel.isActive {
            if let response = try? await send(request, on: channel) { return response }
            // A request that was canceled says nothing of the network.
            if !Task.isCancelled { closeIdle() }
        }
        return try await send(request, on: try await connect())
    }

    private func send(
        _ request: RelayHTTPRequest,
        on channel: any Channel
    ) async throws(RelayClientError) -> RelayHTTPResponse {
        try await exchange(request, on: channel) { handler, complete in
            handler.expectAnswer { answer in
                // Before the caller goes on, who may have the next request.
                if case .success = answer { self.keep(channel, isReusable: handler.isReusable) }
                complete(answer)
            }
        }
    }

    /// Opens a stream.
    ///
    /// - Parameter deliver: A closure that gets the bytes on the channel's event loop.
    /// - Returns: The head of the answer, and the channel, which the caller closes. A stream whose status isn't 200 has
    ///   ended, and its head has the body.
    func stream(
        _ request: RelayHTTPRequest,
        deliver: @escaping @Sendable (Data) -> Void
    ) async throws(RelayClientError) -> (RelayHTTPResponse, any Channel) {
        let channel = try await connect()
        do throws(RelayClientError) {
            let response = try await exchange(request, on: channel) { handler, complete in
                handler.expectStream(complete, deliver: deliver)
            }
            return (response, channel)
        } catch {
            channel.close(promise: nil)
            throw error
        }
    }

    /// Sends a request on a connection, and waits for the answer. All of it is one task of the connection's event loop,
    /// because each task that comes from another thread may wake it.
    ///
    /// - Parameter expect: A closure that begins to wait for the answer, on the event loop.
    private func exchange(
        _ request: RelayHTTPRequest,
        on channel: any Channel,
        expect: @escaping @Sendable (ExchangeHandler, @escaping ExchangeHandler.Completion) -> Void
    ) async throws(RelayClientError) -> RelayHTTPResponse {
        let head = head(of: request)
        // Once it is, another request may have the connection.
        let isOver = Mutex(false)
        let answer = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                channel.eventLoop.execute {
                    // A connection that has ended reports it once, which may be over.
                    guard channel.isActive,
                        let handler = try? channel.pipeline.syncOperations.handler(type: ExchangeHandler.self)
                    else {
                        let error = RelayClientError.unreachable("The connection has ended.")
                        return continuation.resume(returning: Result<RelayHTTPResponse, _>.failure(error))
                    }
                    let time = TimeAmount.nanoseconds(Int64(request.time / .nanoseconds(1)))
                    let limit = channel.eventLoop.scheduleTask(in: time) { channel.close(promise: nil) }
                    expect(handler) {
                        limit.cancel()
                        isOver.withLock { $0 = true }
                        continuation.resume(returning: $0)
                    }
                    Self.write(head, request.body, on: channel)
                }
            }
        } onCancel: {
            channel.eventLoop.execute {
                if !isOver.withLock({ $0 }) { channel.close(promise: nil) }
            }
        }
        return try answer.get()
    }

    private func head(of request: RelayHTTPRequest) -> HTTPRequestHead {
        var headers = HTTPHeaders(request.headers)
        headers.add(name: "Host", value: location.authority)
        if !request.body.isEmpty || request.method == .POST || request.method == .PUT {
            headers.add(name: "Content-Length", value: "\(request.body.count)")
        }
        return HTTPRequestHead(version: .http1_1, method: request.method, uri: request.path, headers: headers)
    }

    /// Writes a request. If that fails, the channel becomes inactive, which its handler reports.
    private static func write(_ head: HTTPRequestHead, _ body: Data, on channel: any Channel) {
        channel.write(HTTPClientRequestPart.head(head), promise: nil)
        if !body.isEmpty {
            channel.write(HTTPClientRequestPart.body(.byteBuffer(ByteBuffer(bytes: body))), promise: nil)
        }
        channel.writeAndFlush(HTTPClientRequestPart.end(nil), promise: nil)
    }

    /// Keeps a connection for the next request, unless it ends or there are enough.
    private func keep(_ channel: any Channel, isReusable: Bool) {
        let isKept = idle.withLock { idle in
            idle.removeAll { !$0.isActive }
            guard isReusable, idle.count < Self.keptConnections, !isClosed.withLock({ $0 }) else { return false }
            idle.append(channel)
            return true
        }
        if !isKept { channel.close(promise: nil) }
    }

    // MARK: Connections

    private func connect() async throws(RelayClientError) -> any Channel {
        let (context, host, pins) = (context, location.host, pins)
        let other = Mutex<RelayPin?>(nil)
        // Of each address that is tried. A handshake that fails takes its handlers away with the connection, and the outcome
        // tells why.
        let handshakes = Mutex<[ObjectIdentifier: EventLoopFuture<Void>]>([:])
        do {
            let opening = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connectTimeout(Self.connectTime)
                .channelOption(.socketOption(.tcp_nodelay), value: 1)
                .channelOption(.tcpOption(.init(rawValue: TCP_USER_TIMEOUT)), value: Self.unacknowledgedTime)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let pipeline = channel.pipeline.syncOperations
                        guard let context else { return try Self.addHTTP(to: pipeline) }
                        let tls = TLSHandler(
                            client: context,
                            host: host,
                            handshakeTime: Self.handshakeTime,
                            accepts: pins.map { pins in
                                { digest in
                                    let found = RelayPin(keyDigest: digest)
                                    guard !pins.contains(found) else { return true }
                                    other.withLock { $0 = found }
                                    return false
                                }
                            }
                        )
                        let opened = channel.eventLoop.makePromise(of: Void.self)
                        handshakes.withLock { $0[ObjectIdentifier(channel)] = opened.futureResult }
                        try pipeline.addHandlers([tls, HandshakeAwaiter(opened)])
                    }
                }
                .connect(host: host, port: location.port)
            let channel = try await Self.channel(of: opening)
            guard let handshake = handshakes.withLock({ $0[ObjectIdentifier(channel)] }) else { return channel }
            try await withTaskCancellationHandler {
                try await handshake.get()
            } onCancel: {
                channel.close(promise: nil)
            }
            return channel
        } catch {
            throw .unreachable(reason(for: error, other.withLock { $0 }))
        }
    }

    /// Returns why there is no connection, for people.
    private func reason(for error: any Error, _ other: RelayPin?) -> String {
        if let pins, let other {
            let expected = pins.map(\.description).sorted().joined(separator: ", ")
            return
                "\(location.authority) shows a certificate with another key (\(other)) than the relay's (\(expected)). Either somebody is "
                + "in between, or the relay has a new key: then get its address again, and use it with “hearth sync on” at the hub."
        }
        let reason = "\(location.authority) can't be reached: \(error)"
        guard error is TLSError, pins == nil else { return reason }
        return reason
            + ". If the relay has a certificate of its own, use its address with #pin=, as “hearth relay” prints it."
    }

    /// Waits for a connection, unless the task is canceled.
    private static func channel(of opening: EventLoopFuture<any Channel>) async throws -> any Channel {
        let promise = opening.eventLoop.makePromise(of: (any Channel).self)
        opening.whenComplete { result in
            promise.completeWith(result)
            // Nobody waits for it any longer.
            promise.futureResult.whenFailure { _ in
                if case .success(let channel) = result { channel.close(promise: nil) }
            }
        }
        return try await withTaskCancellationHandler {
            try await promise.futureResult.get()
        } onCancel: {
            promise.fail(CancellationError())
        }
    }

    fileprivate static func addHTTP(to pipeline: ChannelPipeline.SynchronousOperations) throws {
        try pipeline.addHTTPClientHandlers()
        try pipeline.addHandler(ExchangeHandler())
    }
}

/// A channel handler that adds HTTP once the connection is encrypted.
private final class HandshakeAwaiter: ChannelInboundHandler, RemovableChannelHandler {
    // This is a class because NIO's handlers are. Only its channel's event loop uses it.

    typealias InboundIn = Any
    typealias InboundOut = Any

    private let promise: EventLoopPromise<Void>
    private var isDone = false

    /// Creates a handler that keeps a promise, which fails if the connection ends before.
    init(_ promise: EventLoopPromise<Void>) {
        self.promise = promise
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case .encrypted? = event as? TLSEvent, !isDone else {
            return context.fireUserInboundEventTriggered(event)
        }
        isDone = true
        do {
            try RelayHTTPClient.addHTTP(to: context.pipeline.syncOperations)
            promise.succeed()
        } catch {
            promise.fail(error)
            context.close(promise: nil)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        end(error)
        context.fireErrorCaught(error)
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        end(ChannelError.ioOnClosedChannel)
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        // A connection that is given up before it is there was never active.
        end(ChannelError.ioOnClosedChannel)
    }

    private func end(_ error: any Error) {
        guard !isDone else { return }
        isDone = true
        promise.fail(error)
    }
}
