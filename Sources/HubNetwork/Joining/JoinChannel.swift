package import HomeIdentity
import LocalRPC
package import NIOCore
import NIOPosix
import TLS

/// The device's side of joining a hub over the network.
package enum JoinChannel {
    /// What the device knows afterwards.
    package struct Joined: Hashable, Sendable {
        /// The hub's key, which the device pins from now on.
        package let hub: PublicKey
        /// What the hub has told.
        package let reply: JoinReply
        /// The digits that a person compares, if the hub waits for it.
        package let digits: CheckDigits
    }

    /// Joins the hub at an address.
    ///
    /// - Parameters:
    ///   - address: The hub's address.
    ///   - key: The device's key for this hub.
    ///   - secret: What the person knows.
    ///   - invitation: The invitation of a link; `nil` for a code.
    ///   - request: What the device tells of itself.
    ///   - time: The maximum duration.
    ///   - connectTime: The maximum time to connect.
    ///   - accepts: A closure that decides whether a key can be that of the hub: for a link, whether it leads there.
    ///   - prepare: A closure that is called with the hub's key before the message after which the hub may let the device
    ///     in. A device that doesn't store its key first can lose it for good.
    package static func join(
        at address: SocketAddress,
        as key: IdentityKey,
        secret: InvitationSecret,
        invitation: InvitationID?,
        request: JoinRequest,
        within time: TimeAmount = .seconds(Int64(JoinLimits.exchangeTime)),
        connectingWithin connectTime: TimeAmount? = nil,
        accepts: @escaping @Sendable (PublicKey) -> Bool = { _ in true },
        prepare: @escaping @Sendable (PublicKey) throws(JoinFailure) -> Void = { _ in }
    ) async throws(JoinFailure) -> Joined {
        let place = "\(address.ipAddress ?? "") port \(address.port ?? 0)"
        let connect: @Sendable (ClientBootstrap, any EventLoop) -> EventLoopFuture<any Channel> = { bootstrap, _ in
            bootstrap.connectTimeout(connectTime ?? time).connect(to: address)
        }
        return try await join(
            at: place,
            as: key,
            secret: secret,
            invitation: invitation,
            request: request,
            within: time,
            accepts: accepts,
            prepare: prepare,
            connect: connect
        )
    }

    private static func join(
        at place: String,
        as key: IdentityKey,
        secret: InvitationSecret,
        invitation: InvitationID?,
        request: JoinRequest,
        within time: TimeAmount,
        accepts: @escaping @Sendable (PublicKey) -> Bool,
        prepare: @escaping @Sendable (PublicKey) throws(JoinFailure) -> Void,
        connect: @escaping @Sendable (ClientBootstrap, any EventLoop) -> EventLoopFuture<any Channel>
    ) async throws(JoinFailure) -> Joined {
        do {
            let context = try TLSContext(pinned: TLSIdentity(ed25519Seed: key.seed))
            let loop = MultiThreadedEventLoopGroup.singleton.next()
            let promise = loop.makePromise(of: Joined.self)
            let bootstrap = ClientBootstrap(group: loop)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let tls = TLSHandler(pinned: context, offering: .hearthJoin, handshakeTime: time) { bytes in
                            PublicKey(bytes).map(accepts) ?? false
                        }
                        try channel.pipeline.syncOperations.addHandler(tls)
                        let handler = JoinClientHandler(completing: promise, prepare: prepare) { hub in
                            JoinClient(
                                secret: secret,
                                invitation: invitation,
                                request: request,
                                hub: hub,
                                device: key.publicKey
                            )
                        }
                        try channel.pipeline.syncOperations.addHandler(handler)
                    }
                }
            let channel = try await connect(bootstrap, loop)
                .flatMapError { error in
                    promise.fail(error)
                    return loop.makeFailedFuture(error)
                }
                .get()
            let timeout = loop.scheduleTask(in: time) { channel.close(promise: nil) }
            defer {
                timeout.cancel()
                channel.close(promise: nil)
            }
            return try await promise.futureResult.get()
        } catch let failure as JoinFailure {
            throw failure
        } catch is TLSError {
            throw .wrongHub
        } catch {
            throw JoinFailure(
                .unreachable,
                "The hub can't be reached at \(place): \(error)."
            )
        }
    }

    /// Joins the hub of a link at an address.
    package static func join(
        _ link: InvitationLink,
        at address: SocketAddress,
        as key: IdentityKey,
        request: JoinRequest,
        within time: TimeAmount = .seconds(Int64(JoinLimits.exchangeTime)),
        connectingWithin connectTime: TimeAmount? = nil,
        prepare: @escaping @Sendable (PublicKey) throws(JoinFailure) -> Void = { _ in }
    ) async throws(JoinFailure) -> Joined {
        try await join(
            at: address,
            as: key,
            secret: .link(link.secret),
            invitation: link.invitation,
            request: request,
            within: time,
            connectingWithin: connectTime,
            accepts: link.leads(to:),
            prepare: prepare
        )
    }

    /// Joins the hub of a link over a connection that somebody else opens, such as through a relay.
    ///
    /// - Parameters:
    ///   - place: Where the connection leads, for errors.
    ///   - explain: A closure that returns why the connection has ended, if that is known.
    ///   - connect: A closure that returns a connected socket, which this closes.
    package static func join(
        _ link: InvitationLink,
        through place: String,
        as key: IdentityKey,
        request: JoinRequest,
        within time: TimeAmount = .seconds(Int64(JoinLimits.exchangeTime)),
        prepare: @escaping @Sendable (PublicKey) throws(JoinFailure) -> Void = { _ in },
        explain: @escaping @Sendable () -> JoinFailure? = { nil },
        connect: @escaping @Sendable () async throws -> CInt
    ) async throws(JoinFailure) -> Joined {
        let socket: CInt
        do {
            socket = try await connect()
        } catch {
            throw explain() ?? JoinFailure(.unreachable, "The hub can't be reached at \(place): \(error).")
        }
        do throws(JoinFailure) {
            return try await join(
                at: place,
                as: key,
                secret: .link(link.secret),
                invitation: link.invitation,
                request: request,
                within: time,
                accepts: link.leads(to:),
                prepare: prepare
            ) { bootstrap, _ in
                bootstrap.withConnectedSocket(socket)
            }
        } catch {
            // A connection that ends before the hub has shown its key says nothing of who was there.
            throw [.wrongHub, .unreachable].contains(error.code) ? explain() ?? error : error
        }
    }
}

/// A channel handler that runs the device's side of an exchange.
private final class JoinClientHandler: ChannelInboundHandler {
    // This is a class because NIO's handlers are. Only its channel's event loop uses it.

    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let promise: EventLoopPromise<JoinChannel.Joined>
    private let prepare: @Sendable (PublicKey) throws(JoinFailure) -> Void
    private let start: (PublicKey) -> JoinClient
    private var client: JoinClient?
    private var hub: PublicKey?
    /// Whether the hub may have let the device in.
    private var hasProved = false
    private var lines = LineDecoder(limit: JoinLimits.maximumMessageBytes)

    init(
        completing promise: EventLoopPromise<JoinChannel.Joined>,
        prepare: @escaping @Sendable (PublicKey) throws(JoinFailure) -> Void,
        start: @escaping (PublicKey) -> JoinClient
    ) {
        self.promise = promise
        self.prepare = prepare
        self.start = start
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case .pinned(_, let bytes)? = event as? TLSEvent, let hub = PublicKey(bytes) else {
            return context.fireUserInboundEventTriggered(event)
        }
        self.hub = hub
        do {
            var client = start(hub)
            send(try client.hello(), context)
            self.client = client
        } catch {
            fail(error, context)
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        for element in unwrapInboundIn(data).withUnsafeReadableBytes({ lines.decode($0) }) {
            do {
                guard case .line(let line) = element, var client, let hub else { throw JoinFailure.malformed }
                let event = try client.receive(Array(line))
                self.client = client
                switch event {
                case .send(let message):
                    try prepare(hub)
                    hasProved = true
                    send(message, context)
                case .joined(let reply, let digits):
                    promise.succeed(JoinChannel.Joined(hub: hub, reply: reply, digits: digits))
                    context.close(promise: nil)
                }
            } catch {
                return fail(error, context)
            }
        }
    }

    private func send(_ message: [UInt8], _ context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: message + [UInt8(ascii: "\n")])), promise: nil)
    }

    private func fail(_ error: any Error, _ context: ChannelHandlerContext) {
        promise.fail(error)
        context.close(promise: nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        fail(hub == nil ? error : cut, context)
    }

    func channelInactive(context: ChannelHandlerContext) {
        promise.fail(hub == nil ? JoinFailure.wrongHub : cut)
    }

    /// Why the connection has ended without an answer.
    private var cut: JoinFailure { hasProved ? .unanswered : .notInviting }
}

extension JoinFailure {
    fileprivate static let malformed = JoinFailure(.malformedMessage, "The hub's message has the wrong form.")

    /// The hub has the device's proof, and may have let the device in.
    fileprivate static let unanswered = JoinFailure(
        .unanswered,
        "The connection to the hub was cut before it answered. If the hub has let this device in, its home appears by itself."
    )

    /// The hub ends the connections of devices that it doesn't know while no invitation is open.
    fileprivate static let notInviting = JoinFailure(
        .invitationEnded,
        "The hub ended the connection: no invitation is open, or it took too long. Ask for an invitation."
    )
}
