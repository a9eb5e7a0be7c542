package import LocalRPC
package import Logging
import NIOCore
import NIOPosix

/// A listener that serves JSON-RPC on a Unix socket, by default to the processes of its own user and of root.
///
/// The socket has mode 0600 and lies in a folder that only its owner can change. The kernel reports the user of each
/// process that connects. A ``SocketAccess`` can open the socket to other users.
package final class UnixSocketListener: Sendable {
    // This is a class because it is one open socket that is stopped once.

    /// The socket's path.
    package let path: String
    private let server: any Channel
    private let file: SocketFile
    private let connections: OpenChannels
    private let name: String

    private init(path: String, name: String, server: any Channel, file: SocketFile, connections: OpenChannels) {
        self.path = path
        self.name = name
        self.server = server
        self.file = file
        self.connections = connections
    }

    /// Opens the socket; once this returns, clients can connect.
    ///
    /// - Parameters:
    ///   - path: The socket's path. Missing folders are created.
    ///   - name: The server's name without an article, for errors: "hub".
    ///   - access: The users that can connect, by the socket's permissions.
    ///   - acceptor: The server.
    ///   - logger: A logger for connections that were rejected or failed.
    ///   - limits: The number of bytes that a client can leave unread.
    ///   - connectionLimit: The maximum number of connections.
    ///   - isTrusted: A closure that decides whether a peer can connect.
    /// - Throws: ``RPCError`` with `alreadyRunning` if a server runs at `path`, or `socketRefused` if the socket can't be
    ///   created or its folder is open to other users. The socket of a server that has ended is replaced.
    package static func start<Event: RPCEvent>(
        path: String,
        of name: String,
        for access: SocketAccess = .owner,
        acceptor: any RPCSessionAcceptor<Event>,
        logger: Logger = Logger(label: "hearth.socket"),
        limits: Backlog.Limits = Backlog.Limits(),
        connectionLimit: Int = SocketLimits.connections,
        isTrusted: @escaping @Sendable (SocketPeer) -> Bool = { $0.isTrusted() }
    ) async throws(RPCError) -> UnixSocketListener {
        let events = EventLines<Event>()
        return try await start(path, of: name, for: access, logger, connectionLimit, isTrusted) {
            SessionHandler(
                acceptor: acceptor,
                events: events,
                limits: limits,
                isNextToSocket: true,
                logger: logger
            )
        }
    }

    /// Opens the socket.
    ///
    /// - Parameter makeHandler: A closure that creates the handler of a connection.
    private static func start(
        _ path: String,
        of name: String,
        for access: SocketAccess,
        _ logger: Logger,
        _ connectionLimit: Int,
        _ isTrusted: @escaping @Sendable (SocketPeer) -> Bool,
        _ makeHandler: @escaping @Sendable () -> SessionHandler
    ) async throws(RPCError) -> UnixSocketListener {
        let location = SocketLocation(path: path, server: name, access: access)
        try location.prepareFolder()
        let lock = try await location.lock()
        defer { lock.release() }
        try await location.removeStaleSocket()

        let connections = OpenChannels(limit: connectionLimit)
        let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelInitializer { channel in
                channel.socketPeer().flatMapThrowing { peer in
                    guard isTrusted(peer) else {
                        logger.warning(
                            "Rejected a connection from another user.",
                            metadata: ["uid": "\(peer.userID)", "pid": "\(peer.processID)"]
                        )
                        throw ChannelError.operationUnsupported
                    }
                    guard connections.add(channel) else {
                        logger.warning(
                            "Rejected a connection: there are too many.",
                            metadata: ["pid": "\(peer.processID)"]
                        )
                        try channel.pipeline.syncOperations.addHandler(
                            ConnectionLimitHandler(of: name, limit: connectionLimit)
                        )
                        return
                    }
                    try channel.pipeline.syncOperations.addHandler(makeHandler())
                }
            }
        // NIO doesn't bind the socket, because on closing it would remove any file that is at the path by then.
        let socket = try location.open()
        do {
            let server = try await bootstrap.withBoundSocket(socket.descriptor).get()
            return UnixSocketListener(
                path: path,
                name: name,
                server: server,
                file: socket.file,
                connections: connections
            )
        } catch {
            socket.file.remove()
            throw location.refusal("\(error)")
        }
    }

    /// Notifies every client, ends the connections and removes the socket.
    package func stop() async {
        try? await server.close()
        file.remove()
        let message = SessionMessage.closed(RPCError(.connectionLost, "The \(name) is stopping."))
        await connections.end(sending: message, within: .seconds(SocketLimits.stopSeconds))
    }
}
