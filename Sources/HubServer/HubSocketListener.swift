import Foundation
package import HubAPI
package import Logging
import NIOCore
import NIOPosix
import Synchronization

/// Serves a hub on a Unix socket to the processes of its own user and of root.
///
/// The socket is made with mode 0600 in a folder that only its owner can change, and each process that connects is asked
/// for its uid by way of the kernel. The socket of an app (``UnixAppSocketOpener``) is for others too.
package final class HubSocketListener: Sendable {
    // A class, because it is one open socket that is stopped once.

    /// The socket's path.
    package let path: String
    private let server: any Channel
    private let file: SocketFile
    private let connections: Connections

    private init(path: String, server: any Channel, file: SocketFile, connections: Connections) {
        self.path = path
        self.server = server
        self.file = file
        self.connections = connections
    }

    /// Opens the socket; once this returns, clients can connect.
    ///
    /// - Parameters:
    ///   - path: Where; the folder is made where it is missing.
    ///   - acceptor: Makes a session for each connection.
    ///   - logger: Told of connections that were refused or that failed.
    /// - Throws: `alreadyRunning` when a hub answers at `path` already, `socketRefused` when no socket can be made there or
    ///   the folder is open to other users. The socket of a hub that is dead is replaced.
    package static func start(
        path: String,
        acceptor: any HubSessionAcceptor,
        logger: Logger = Logger(label: "hearth.socket")
    ) async throws(HubError) -> HubSocketListener {
        try await start(path: path, for: .owner, acceptor: acceptor, logger: logger, isTrusted: { $0.isTrusted() })
    }

    /// Opens the socket with other limits and another rule for who may connect.
    static func start(
        path: String,
        for access: SocketAccess = .owner,
        acceptor: any HubSessionAcceptor,
        logger: Logger = Logger(label: "hearth.socket"),
        limits: Backlog.Limits = Backlog.Limits(),
        connectionLimit: Int = SocketLimits.connections,
        isTrusted: @escaping @Sendable (SocketPeer) -> Bool
    ) async throws(HubError) -> HubSocketListener {
        let place = SocketLocation(path: path, access: access)
        try place.prepareFolder()
        let lock = try await place.lock()
        defer { lock.release() }
        try await place.removeStaleSocket()

        let connections = Connections(limit: connectionLimit)
        let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelInitializer { channel in
                channel.socketPeer().flatMapThrowing { peer in
                    guard isTrusted(peer) else {
                        logger.warning(
                            "Refused a connection by another user.",
                            metadata: ["uid": "\(peer.userID)", "pid": "\(peer.processID)"]
                        )
                        throw ChannelError.operationUnsupported
                    }
                    guard connections.add(channel) else {
                        logger.warning(
                            "Refused a connection: there are too many.",
                            metadata: ["pid": "\(peer.processID)"]
                        )
                        try channel.pipeline.syncOperations.addHandler(ConnectionLimitHandler(connectionLimit))
                        return
                    }
                    let handler = SessionHandler(acceptor: acceptor, limits: limits, logger: logger)
                    try channel.pipeline.syncOperations.addHandler(handler)
                }
            }
        // Not by NIO, which on closing removes whatever is at the path by then.
        let socket = try place.open()
        do {
            let server = try await bootstrap.withBoundSocket(socket.descriptor).get()
            return HubSocketListener(path: path, server: server, file: socket.file, connections: connections)
        } catch {
            socket.file.remove()
            throw place.refusal("\(error)")
        }
    }

    /// Tells every client that the hub stops, ends the connections and removes the socket.
    package func stop() async {
        try? await server.close()
        file.remove()
        await connections.end(with: HubError(.connectionLost, "The hub is stopping."))
    }
}

/// The connections that are open.
private final class Connections: Sendable {
    // A class, because the listener and each connection's initializer share it.

    private struct State {
        var channels: [ObjectIdentifier: any Channel] = [:]
        var isOver = false
    }

    private let limit: Int
    private let state = Mutex(State())

    init(limit: Int) {
        self.limit = limit
    }

    /// Adds a connection; false when there are too many.
    func add(_ channel: any Channel) -> Bool {
        let (isOver, isAdded) = state.withLock { state in
            let isAdded = state.channels.count < limit
            if !state.isOver, isAdded { state.channels[ObjectIdentifier(channel)] = channel }
            return (state.isOver, isAdded)
        }
        if isOver { channel.close(promise: nil) }
        channel.closeFuture.whenComplete { _ in
            self.state.withLock { $0.channels[ObjectIdentifier(channel)] = nil }
        }
        return isAdded
    }

    func end(with error: HubError) async {
        let channels = state.withLock { state in
            state.isOver = true
            return Array(state.channels.values)
        }
        let limits = channels.map { channel in
            channel.writeAndFlush(HubMessage.closed(error), promise: nil)
            return channel.eventLoop.scheduleTask(in: .seconds(SocketLimits.stopSeconds)) {
                channel.close(promise: nil)
            }
        }
        for (channel, limit) in zip(channels, limits) {
            try? await channel.closeFuture.get()
            limit.cancel()
        }
    }
}
