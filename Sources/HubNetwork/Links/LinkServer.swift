import HomeIdentity
import HubAPI
import LocalRPC
import LocalRPCSockets
import Logging
import NIOCore
import Synchronization
import TLS

/// What the connections to the hub's port share.
final class LinkServer: Sendable {
    // This is a class because the listener and the initializer of each connection share it.

    private let context: TLSContext
    private let key: PublicKey
    private let door: any NetworkDoor
    private let scope: NetworkScope
    let limits: NetworkLimits
    private let logger: Logger
    private let peer: LinkPeer.Lookup
    private let hub: HubLink.Lookup
    private let usage: Mutex<PeerLimits<PublicKey>>
    private let joining: JoinService
    private let events = EventLines<HubEvent>()
    let connections = LinkConnections()
    /// All connections, for the end of the listener.
    private let channels = Mutex<[ObjectIdentifier: any Channel]>([:])

    /// - Throws: `TLSError` if the key can't be used.
    init(
        key: IdentityKey,
        door: any NetworkDoor,
        scope: NetworkScope,
        limits: NetworkLimits,
        logger: Logger,
        peer: @escaping LinkPeer.Lookup,
        hub: @escaping HubLink.Lookup
    ) throws(TLSError) {
        context = try TLSContext(pinned: TLSIdentity(ed25519Seed: key.seed))
        self.key = key.publicKey
        self.door = door
        self.scope = scope
        self.limits = limits
        self.logger = logger
        self.peer = peer
        self.hub = hub
        usage = Mutex(PeerLimits(limits, at: Self.now()))
        joining = JoinService(hub: key.publicKey, door: door, logger: logger)
    }

    private static func now() -> Double {
        Double(NIODeadline.now().uptimeNanoseconds) / 1e9
    }

    // MARK: A new connection

    /// Where a connection comes from.
    struct Source: Sendable {
        /// What the limits of strangers count.
        var network: String
        /// The address, for people.
        var address: String
        /// Decides about a key that the hub knows.
        var accepts: @Sendable (PublicKey) -> Bool = { _ in true }
        /// Returns the only invitation with which a device can join; `nil` for any.
        var invitation: (@Sendable (PublicKey) -> InvitationID?)?
    }

    /// Sets up a connection from the network, or refuses it.
    func accept(_ channel: any Channel) throws {
        guard let address = channel.remoteAddress, scope.contains(address) else {
            logger.debug("Refused a connection from a public address.")
            throw ChannelError.operationUnsupported
        }
        try accept(channel, from: Source(network: address.network, address: address.ipAddress ?? ""))
    }

    /// Sets up a connection, or refuses it.
    func accept(_ channel: any Channel, from source: Source) throws {
        let network = source.network
        if let refusal = usage.withLock({ $0.connect(from: network, at: Self.now()) }) {
            logger.debug("Refused a connection.", metadata: ["address": "\(network)", "reason": "\(refusal)"])
            throw ChannelError.operationUnsupported
        }
        let deadline = NIODeadline.now() + limits.greeting
        let stranger = StrangerHandler(until: deadline) { self.usage.withLock { $0.greeted(from: network) } }
        let tls = TLSHandler(pinned: context, handshakeTime: limits.greeting) { bytes in
            PublicKey(bytes).map { self.door.standing(of: $0) != .unknown && source.accepts($0) } ?? false
        }
        channels.withLock { $0[ObjectIdentifier(channel)] = channel }
        channel.closeFuture.whenComplete { _ in
            self.channels.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(channel)) }
        }
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(tls)
        try pipeline.addHandler(stranger)
        try pipeline.addHandler(
            LinkOpener { channel, name, key in try self.open(channel, name, key, from: source) }
        )
    }

    /// Adds the handlers of a connection whose key and protocol are known.
    private func open(_ channel: any Channel, _ name: ApplicationProtocol?, _ key: PublicKey, from source: Source)
        throws
    {
        connections.add(channel, of: key)
        let network = source.network
        switch (door.standing(of: key), name) {
        case (.device, .hearth), (.removed, .hearth):
            let served: LinkPeer
            do {
                served = try peer(key, source.address)
            } catch {
                return try refuse(channel, error)
            }
            guard usage.withLock({ $0.begin(of: key) }) else {
                let reason = "This device has the maximum of \(limits.connections) connections. Close some."
                return try refuse(channel, HubError(.tooManyConnections, reason))
            }
            channel.closeFuture.whenComplete { _ in self.usage.withLock { $0.end(of: key) } }
            let acceptor = RequestLimiter(served.acceptor) {
                self.usage.withLock { $0.request(of: key, isGuest: served.isGuest, at: Self.now()) }
            }
            let handler = SessionHandler(
                acceptor: acceptor,
                events: events,
                limits: limits.backlog,
                isNextToSocket: false,
                logger: logger
            )
            try channel.pipeline.syncOperations.addHandler(handler)
            connections.setHasSession(channel, of: key)
        case (.joining, .hearthJoin), (.device, .hearthJoin), (.removed, .hearthJoin):
            let only = source.invitation?(key)
            // The door may have closed since the handshake.
            guard source.invitation == nil || only != nil else { return channel.close(promise: nil) }
            // A device can join again: it lost the reply, or it was removed and is invited anew.
            let handler = JoinHandler(
                joining,
                device: key,
                only: only,
                within: .seconds(Int64(limits.joinTime))
            ) {
                self.usage.withLock { $0.beginJoin(from: network, at: Self.now()) }
            } end: {
                self.usage.withLock { $0.endJoin() }
            }
            try channel.pipeline.syncOperations.addHandler(handler)
        case (.hub, .hearthHub):
            guard let link = hub(key) else { return channel.close(promise: nil) }
            connections.setIsHub(channel, of: key)
            try link.accept(channel)
        default:
            channel.close(promise: nil)
        }
    }

    /// Tells a device why it isn't served, and closes the connection.
    private func refuse(_ channel: any Channel, _ error: HubError) throws {
        try channel.pipeline.syncOperations.addHandler(RefusalHandler(error))
        channel.close(after: limits.farewell)
    }

    // MARK: End

    /// Ends the connections of a device.
    func close(connectionsOf key: PublicKey, because error: HubError) {
        for connection in connections.connections(of: key) {
            connection.end(because: error, within: limits.farewell)
        }
    }

    /// Ends all connections and waits until they are closed.
    func stop() async {
        connections.endSessions(because: HubError(.connectionLost, "The hub is stopping."), within: limits.farewell)
        let channels = channels.withLock { Array($0.values) }
        for channel in channels {
            channel.eventLoop.execute { channel.close(after: self.limits.farewell) }
        }
        for channel in channels { try? await channel.closeFuture.get() }
    }
}

/// A channel handler that sets up the rest of the pipeline once the key and the protocol are known.
private final class LinkOpener: ChannelInboundHandler, RemovableChannelHandler {
    // This is a class because NIO's handlers are. Only its channel's event loop uses it.

    typealias InboundIn = ByteBuffer

    private let open: (any Channel, ApplicationProtocol?, PublicKey) throws -> Void

    init(open: @escaping (any Channel, ApplicationProtocol?, PublicKey) throws -> Void) {
        self.open = open
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case .pinned(let name, let bytes)? = event as? TLSEvent else {
            return context.fireUserInboundEventTriggered(event)
        }
        guard let key = PublicKey(bytes) else { return context.close(promise: nil) }
        do {
            // The handlers are added before this returns, so they see all data.
            try open(context.channel, name, key)
            context.pipeline.syncOperations.removeHandler(self, promise: nil)
        } catch {
            context.close(promise: nil)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}

/// A channel handler that sends an error and closes the connection.
private final class RefusalHandler: ChannelInboundHandler {
    // This is a class because NIO's handlers are.

    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let error: HubError

    init(_ error: HubError) {
        self.error = error
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let line = context.channel.allocator.buffer(bytes: WireMessage.line(replyTo: nil, .failure(error)))
        let channel = context.channel
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.whenComplete { _ in channel.close(promise: nil) }
        context.writeAndFlush(wrapOutboundOut(line), promise: written)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // Whatever the device sends is too late.
    }
}
