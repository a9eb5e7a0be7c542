import Glibc
package import HomeHub
package import HubAPI
package import LocalRPCSockets
package import Logging

/// An opener of apps' sockets. Every process that can open a socket acts as its app and user, regardless of its uid.
package struct UnixAppSocketOpener: AppSocketOpener {
    /// An acceptor for one app of one user.
    private struct SingleAppAcceptor: RPCSessionAcceptor {
        let acceptSession: SessionAcceptor

        func acceptConnection(
            on executor: (any TaskExecutor)?,
            deliver: @escaping @Sendable (HubMessage) -> Void
        ) -> any RPCSession {
            acceptSession(executor, deliver)
        }
    }

    private let logger: Logger

    /// Creates an opener.
    ///
    /// - Parameter logger: A logger for connections that were rejected or failed.
    package init(logger: Logger) {
        self.logger = logger
    }

    /// Opens a socket in a folder that only root and the hub's user can change.
    package func open(
        _ socket: AppSocket,
        acceptSession: @escaping SessionAcceptor
    ) async throws(HubError) -> any OpenedSocket {
        try await UnixSocketListener.start(
            path: socket.path,
            of: "hub",
            for: SocketAccess(mode: mode_t(socket.mode), group: socket.group),
            acceptor: SingleAppAcceptor(acceptSession: acceptSession),
            logger: logger,
            connectionLimit: SocketLimits.appConnections,
            isTrusted: { _ in true }
        )
    }
}

extension UnixSocketListener: OpenedSocket {
    /// Ends the socket's connections and removes it.
    package func close() async {
        await stop()
    }
}
