import Foundation
package import HomeHub
package import HubAPI
import LocalRPCSockets
package import Logging
import NIOCore
import NIOPosix
package import WebServer
import Wyoming

/// A listener for voice satellites and Home Assistant, which bring sentences in the Wyoming protocol. It has no
/// authentication: every client that can connect speaks as the listener's user.
package final class WyomingListener: Sendable {
    // This is a class because it is one open socket that is stopped once.

    /// The limits of a listener.
    struct Limits: Sendable {
        /// The maximum number of connections; further ones are closed.
        var connections = 16
        /// The limits of a connection's events.
        var events = WyomingLimits()
        /// The maximum time without a byte in either direction.
        var idleTime = TimeAmount.minutes(10)
        /// The minimum time between log entries for rejected connections.
        var logTime = TimeAmount.seconds(60)
    }

    private typealias Connection = NIOAsyncChannel<ByteBuffer, ByteBuffer>

    /// The address that was requested, with the actual port.
    package let address: HTTPAddress
    private let server: any Channel
    private let open: OpenChannels
    private let conversations: SpokenConversations

    private init(
        address: HTTPAddress,
        server: any Channel,
        open: OpenChannels,
        conversations: SpokenConversations
    ) {
        self.address = address
        self.server = server
        self.open = open
        self.conversations = conversations
    }

    /// Opens the port; once this returns, clients can connect.
    ///
    /// - Parameters:
    ///   - user: The name of the user who speaks; `nil` for the hub's own user.
    ///   - version: The program's version.
    /// - Throws: ``HubError`` with `wyomingRefused` if the port can't be opened.
    package static func start(
        at address: HTTPAddress,
        of hub: HomeHub,
        as user: String?,
        version: String,
        logger: Logger
    ) async throws(HubError) -> WyomingListener {
        try await start(at: address, of: hub, as: user, version: version, limits: Limits(), logger: logger)
    }

    /// Opens the port with other limits.
    static func start(
        at address: HTTPAddress,
        of hub: HomeHub,
        as user: String?,
        version: String,
        limits: Limits,
        logger: Logger
    ) async throws(HubError) -> WyomingListener {
        let conversations = SpokenConversations(with: hub, as: user)
        let program = WyomingProgram(
            name: "Hearth",
            description: "Understands sentences about the home and carries them out.",
            version: version,
            url: "",
            languages: hub.voiceLanguages
        )
        let open = OpenChannels(limit: limits.connections)
        let refusals = RefusalLog()
        let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    guard open.add(channel) else {
                        if let refused = refusals.add(at: .now(), every: limits.logTime) {
                            logger.warning(
                                "Rejected connections of voice satellites: there are too many.",
                                metadata: ["connections": "\(refused)"]
                            )
                        }
                        throw ChannelError.operationUnsupported
                    }
                    try channel.pipeline.syncOperations.addHandlers([
                        IdleStateHandler(allTimeout: limits.idleTime), IdleCloser(),
                    ])
                    let connection = try Connection(wrappingChannelSynchronously: channel)
                    let session = WyomingSession(program, limits: limits.events)
                    Task { await serve(connection, session, conversations) }
                }
            }
        do {
            let server = try await bootstrap.bind(host: address.host, port: address.port).get()
            var address = address
            address.port = server.localAddress?.port ?? address.port
            return WyomingListener(address: address, server: server, open: open, conversations: conversations)
        } catch {
            throw HubError(.wyomingRefused, "Voice satellites can't be served at \(address): \(error)")
        }
    }

    /// Takes the steps of a connection one after another. In the meantime, nothing more is read.
    private static func serve(
        _ connection: Connection,
        _ session: WyomingSession,
        _ conversations: SpokenConversations
    ) async {
        var session = session
        let ownConversation = UUID().uuidString
        try? await connection.executeThenClose { inbound, outbound in
            for try await buffer in inbound {
                for step in session.receive(Array(buffer.readableBytesView)) {
                    switch step {
                    case .send(let bytes):
                        try await outbound.write(ByteBuffer(bytes: bytes))
                    case .say(let sentence):
                        // IDs that clients choose can't be those of connections.
                        let id = sentence.conversation.map { "client \($0)" } ?? ownConversation
                        let answer = await conversations.answer(sentence, in: id)
                        try await outbound.write(ByteBuffer(bytes: session.bytes(for: answer, to: sentence)))
                    case .close:
                        return
                    }
                }
            }
        }
    }

    /// Closes the port and all connections.
    package func stop() async {
        try? await server.close()
        await open.close()
        conversations.stop()
    }
}

/// A channel handler that closes a connection on which nothing has happened for too long.
private final class IdleCloser: ChannelInboundHandler {
    // This is a class because NIO's handlers are.

    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event is IdleStateHandler.IdleStateEvent else { return context.fireUserInboundEventTriggered(event) }
        context.close(promise: nil)
    }
}

extension HubError.Code {
    /// Voice satellites can't be served at the given address.
    package static let wyomingRefused = Self(rawValue: "wyomingRefused")
}
