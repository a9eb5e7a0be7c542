import Glibc
package import HomeIdentity
package import HubAPI
package import LocalRPC
import LocalRPCSockets
package import NIOCore
import NIOPosix
import Synchronization
import TLS

/// A device's connection to a hub on the network: the lines of the Unix socket over TLS 1.3, in which the hub proves that
/// it has the key that the device pinned when it joined.
package final class LinkTransport: HubTransport {
    // This is a class because it is one connection.

    /// The maximum time to connect and to agree on keys.
    private static let connectTime = TimeAmount.seconds(10)

    /// The maximum time in milliseconds that the hub's machine lets what was sent without a sign of life. A device that leaves
    /// the network notices so as soon as it is used.
    private static let unansweredTime = 3_000

    private let transport: ChannelTransport<HubEvent>

    /// Creates a transport.
    ///
    /// - Parameters:
    ///   - address: Where the hub may be.
    ///   - identity: The device's identity.
    ///   - hubs: The keys of the hubs that keep the homes. Whoever has another is none, wherever it was found.
    ///   - onOpen: A closure that is called once the hub has proved that it is the hub.
    package convenience init(
        to address: SocketAddress,
        as identity: LinkIdentity,
        hubs: [PublicKey],
        onOpen: @escaping @Sendable () -> Void = {}
    ) {
        let place = "\(address.ipAddress ?? "") port \(address.port ?? 0)"
        self.init(at: place, as: identity, hubs: hubs, onOpen, { nil }) { bootstrap, loop in
            bootstrap.channelOption(.socketOption(.tcp_nodelay), value: 1)
                .channelOption(.tcpOption(.init(rawValue: TCP_USER_TIMEOUT)), value: Self.unansweredTime)
                .connect(to: address)
        }
    }

    /// Creates a transport over a connection that somebody else opens, such as through a relay.
    ///
    /// - Parameters:
    ///   - place: Where the connection leads, for errors.
    ///   - identity: The device's identity.
    ///   - hubs: The keys of the hubs that keep the homes.
    ///   - onOpen: A closure that is called once the hub has proved that it is the hub.
    ///   - explain: A closure that returns why the connection has ended before that, if somebody has said so.
    ///   - connect: A closure that returns a connected socket, which the transport closes.
    package convenience init(
        through place: String,
        as identity: LinkIdentity,
        hubs: [PublicKey],
        onOpen: @escaping @Sendable () -> Void = {},
        explain: @escaping @Sendable () -> HubError? = { nil },
        connect: @escaping @Sendable () async throws -> CInt
    ) {
        self.init(at: place, as: identity, hubs: hubs, onOpen, explain) { bootstrap, loop in
            loop.makeFutureWithTask { try await connect() }.assumeIsolated()
                .flatMap { bootstrap.withConnectedSocket($0) }.nonisolated()
        }
    }

    private init(
        at place: String,
        as identity: LinkIdentity,
        hubs: [PublicKey],
        _ onOpen: @escaping @Sendable () -> Void,
        _ explain: @escaping @Sendable () -> HubError?,
        connect: @escaping @Sendable (ClientBootstrap, any EventLoop) -> EventLoopFuture<any Channel>
    ) {
        transport = ChannelTransport(to: "hub") { error in
            explain() ?? Self.explanation(of: error, at: place)
        } connect: { loop, addHandler in
            let opened = loop.makePromise(of: Void.self)
            let bootstrap = ClientBootstrap(group: loop)
                .connectTimeout(Self.connectTime)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let pipeline = channel.pipeline.syncOperations
                        let tls = TLSHandler(
                            pinned: identity.context,
                            offering: .hearth,
                            handshakeTime: Self.connectTime
                        ) { bytes in hubs.contains { $0.bytes == bytes } }
                        try pipeline.addHandler(tls)
                        try pipeline.addHandler(HandshakeHandler(completing: opened))
                        try addHandler(channel)
                    }
                }
            opened.futureResult.whenSuccess(onOpen)
            return connect(bootstrap, loop)
                .flatMapError { error in
                    opened.fail(error)
                    return loop.makeFailedFuture(error)
                }
                .flatMap { channel in opened.futureResult.map { channel } }
        }
    }

    /// Connects. Failures arrive as `closed`: `noHub` if nobody responds, `untrustedHub` if somebody else does.
    package func open(_ receive: @escaping @Sendable (HubMessage) -> Void) {
        transport.open(receive)
    }

    /// Sends a request as soon as the connection is open.
    package func send(_ request: RPCRequest) {
        transport.send(request)
    }

    /// Ends the connection.
    package func close() {
        transport.close()
    }

    private static func explanation(of error: any Error, at place: String) -> HubError {
        switch error {
        case let error as TLSError:
            return HubError(.untrustedHub, "The program at \(place) isn't the hub that this device joined: \(error).")
        default:
            return HubError(.noHub, "No hub answers at \(place): \(error).")
        }
    }
}

/// A channel handler that says when the two ends have agreed on keys.
private final class HandshakeHandler: ChannelInboundHandler, RemovableChannelHandler {
    // This is a class because NIO's handlers are. Only its channel's event loop uses it.

    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let promise: EventLoopPromise<Void>

    init(completing promise: EventLoopPromise<Void>) {
        self.promise = promise
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case .pinned? = event as? TLSEvent else { return context.fireUserInboundEventTriggered(event) }
        promise.succeed()
        context.pipeline.syncOperations.removeHandler(self, promise: nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        promise.fail(error)
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        promise.fail(ChannelError.eof)
        context.fireChannelInactive()
    }
}
