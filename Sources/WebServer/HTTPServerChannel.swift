package import HummingbirdCore
package import Logging
package import NIOCore
package import NIOHTTP2
import NIOHTTPTypes
import NIOHTTPTypesHTTP2
import TLS

/// Sets up the connections of a port: HTTP/1.1 without a certificate; with one, HTTP/2 or HTTP/1.1 over TLS, as the client
/// chooses.
package struct HTTPServerChannel: ServerChildChannel {
    /// A closure that responds to requests.
    package typealias Respond = @Sendable (Request, consuming ResponseWriter, RequestConnection) async throws -> Void

    /// What a connection turned out to be.
    package enum Opened: Sendable {
        /// HTTP/1.1, encrypted if the server has a certificate.
        case http1(HTTP1Channel.Value)
        /// HTTP/1.1 without encryption, though the server has a certificate.
        case plain(HTTP1Channel.Value)
        /// HTTP/2.
        case http2(NIOHTTP2Handler.AsyncStreamMultiplexer<HTTP1Channel.Value>)
    }

    /// A connection that is being opened.
    package struct Value: ServerChildChannelValue {
        package let channel: any Channel
        package let opened: EventLoopFuture<Opened>
    }

    private let limits: HTTPConnectionLimits
    private let counter: ConnectionCounter
    /// The settings of new connections; `nil` for HTTP without encryption.
    private let context: (@Sendable () -> TLSContext)?
    private let http1: HTTP1Channel
    private let plain: HTTP1Channel
    /// The same responder for the streams of HTTP/2.
    private let http2: HTTP1Channel

    /// - Parameters:
    ///   - context: A closure that returns the settings of new connections; `nil` for HTTP without encryption.
    ///   - respond: A closure that responds to requests.
    ///   - respondPlainly: A closure that responds to requests without encryption if the server has a certificate.
    init(
        limits: HTTPConnectionLimits,
        counter: ConnectionCounter,
        context: (@Sendable () -> TLSContext)?,
        respond: @escaping Respond,
        respondPlainly: @escaping Respond
    ) {
        self.limits = limits
        self.counter = counter
        self.context = context
        let isEncrypted = context != nil
        let configuration = HTTP1Channel.Configuration(
            idleTimeout: limits.idleTime,
            httpDecoderConfiguration: HTTP1Channel.Configuration.DecoderConfiguration(
                maxHeaderFieldSize: limits.headerBytes,
                maxHeaderListSize: limits.headerBytes,
                maxHeaderFieldCount: limits.headerFields
            )
        )
        func channel(_ respond: @escaping Respond, isEncrypted: Bool, isMultiplexed: Bool) -> HTTP1Channel {
            HTTP1Channel(
                responder: { request, writer, channel in
                    let connection = RequestConnection(
                        channel: channel,
                        isEncrypted: isEncrypted,
                        isMultiplexed: isMultiplexed
                    )
                    try await respond(request, writer, connection)
                },
                configuration: configuration
            )
        }
        http1 = channel(respond, isEncrypted: isEncrypted, isMultiplexed: false)
        plain = channel(respondPlainly, isEncrypted: false, isMultiplexed: false)
        http2 = channel(respond, isEncrypted: isEncrypted, isMultiplexed: true)
    }

    // MARK: Setup

    package func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        do {
            let counting = ConnectionGuard(counter, stallTime: limits.stallTime)
            try channel.pipeline.syncOperations.addHandler(counting)
            guard let context else {
                return http1.setup(channel: channel, logger: logger).map {
                    Value(channel: channel, opened: channel.eventLoop.makeSucceededFuture(.http1($0)))
                }
            }
            let tls = TLSHandler(context(), handshakeTime: limits.handshakeTime)
            try channel.pipeline.syncOperations.addHandler(tls)
            let opener = ConnectionOpener(on: channel.eventLoop) { event in
                switch event {
                case .plain: plain.setup(channel: channel, logger: logger).map(Opened.plain)
                case .encrypted(.http2): setUpHTTP2(channel, logger)
                case .encrypted, .pinned: http1.setup(channel: channel, logger: logger).map(Opened.http1)
                }
            }
            try channel.pipeline.syncOperations.addHandler(opener)
            return channel.eventLoop.makeSucceededFuture(Value(channel: channel, opened: opener.opened))
        } catch {
            return channel.eventLoop.makeFailedFuture(error)
        }
    }

    private func setUpHTTP2(_ channel: any Channel, _ logger: Logger) -> EventLoopFuture<Opened> {
        var handler = NIOHTTP2Handler.Configuration()
        handler.connection.initialSettings = [
            HTTP2Setting(parameter: .maxConcurrentStreams, value: limits.concurrentRequests),
            HTTP2Setting(parameter: .maxHeaderListSize, value: limits.headerBytes),
        ]
        handler.connection.maximumBufferedControlFrames = limits.unsentControlFrames
        handler.connection.controlFrameRateLimit.maximumCount = limits.controlFrames
        handler.stream.streamResetFrameRateLimit.maximumCount = limits.resetRequests
        handler.stream.streamErrorRateLimit.maximumCount = limits.resetRequests
        let management = NIOHTTP2ServerConnectionManagementHandler.Configuration(
            maxIdleTime: limits.idleTime,
            maxAge: nil,
            maxGraceTime: limits.stallTime,
            keepalive: .init(pingInterval: limits.idleTime, ackTimeout: limits.stallTime)
        )
        let counting = HTTP2Guard(idleTime: limits.idleTime + limits.idleTime, limit: limits.concurrentRequests)
        let counter = NIOLoopBound(counting, eventLoop: channel.eventLoop)
        return channel.eventLoop.makeCompletedFuture {
            let multiplexer = try channel.pipeline.syncOperations.configureAsyncHTTP2Pipeline(
                mode: .server,
                connectionManagerConfiguration: management,
                http2HandlerConfiguration: handler
            ) { stream in
                stream.eventLoop.makeCompletedFuture {
                    counter.value.add(stream)
                    let pipeline = stream.pipeline.syncOperations
                    try pipeline.addHandler(ConnectionGuard(nil, stallTime: limits.stallTime))
                    try pipeline.addHandler(HTTP2FramePayloadToHTTPServerCodec())
                    let idleTime = Duration(limits.idleTime)
                    try pipeline.addHandler(HTTPConnectionStateHandler(idleTimeout: idleTime, logger: logger))
                    return try HTTP1Channel.Value(wrappingChannelSynchronously: stream)
                }
            }
            try channel.pipeline.syncOperations.addHandler(counting)
            return multiplexer
        }
        .map(Opened.http2)
    }

    // MARK: Requests

    package func handle(value: Value, logger: Logger) async {
        switch try? await value.opened.get() {
        case .http1(let connection): await http1.handle(value: connection, logger: logger)
        case .plain(let connection): await plain.handle(value: connection, logger: logger)
        case .http2(let connection):
            try? await withThrowingDiscardingTaskGroup { group in
                for try await stream in connection.inbound {
                    group.addTask { await http2.handle(value: stream, logger: logger) }
                }
            }
        case nil: value.channel.close(promise: nil)
        }
    }
}

/// A channel handler that sets up the rest of the pipeline once it is clear what a connection is.
private final class ConnectionOpener: ChannelInboundHandler, RemovableChannelHandler {
    // This is a class because NIO's handlers are. Only its channel's event loop uses it.

    typealias InboundIn = Any
    typealias InboundOut = Any

    private let promise: EventLoopPromise<HTTPServerChannel.Opened>
    private let setUp: (TLSEvent) -> EventLoopFuture<HTTPServerChannel.Opened>
    private var isSetUp = false

    /// The outcome. It fails if the connection ends before.
    var opened: EventLoopFuture<HTTPServerChannel.Opened> { promise.futureResult }

    init(on eventLoop: any EventLoop, setUp: @escaping (TLSEvent) -> EventLoopFuture<HTTPServerChannel.Opened>) {
        promise = eventLoop.makePromise()
        self.setUp = setUp
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case let event as TLSEvent:
            // The handlers are added before this returns, so they see all data.
            isSetUp = true
            setUp(event).cascade(to: promise)
            context.pipeline.syncOperations.removeHandler(self, promise: nil)
        case is ChannelShouldQuiesceEvent: context.close(promise: nil)
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        if !isSetUp { promise.fail(ChannelError.ioOnClosedChannel) }
    }
}
