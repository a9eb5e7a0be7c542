import Glibc
package import HomeHub
package import HubAPI
package import Logging

/// Opens the sockets of apps: whoever can open one is that app of that user, whatever they say and whatever their uid.
package struct UnixAppSocketOpener: AppSocketOpener {
    /// One app of one user.
    private struct SingleAppAcceptor: HubSessionAcceptor {
        let acceptSession: @Sendable (@escaping @Sendable (HubMessage) -> Void) -> HubSession

        func acceptConnection(deliver: @escaping @Sendable (HubMessage) -> Void) -> any ConnectionSession {
            acceptSession(deliver)
        }
    }

    private let logger: Logger

    /// Makes it.
    ///
    /// - Parameter logger: Told of connections that were refused or that failed.
    package init(logger: Logger) {
        self.logger = logger
    }

    /// Opens a socket in a folder that only root and the hub's user can change.
    package func open(
        _ socket: AppSocket,
        acceptSession: @escaping @Sendable (@escaping @Sendable (HubMessage) -> Void) -> HubSession
    ) async throws(HubError) -> any OpenedSocket {
        try await HubSocketListener.start(
            path: socket.path,
            for: SocketAccess(mode: mode_t(socket.mode), group: socket.group),
            acceptor: SingleAppAcceptor(acceptSession: acceptSession),
            logger: logger,
            connectionLimit: SocketLimits.appConnections,
            isTrusted: { _ in true }
        )
    }
}

extension HubSocketListener: OpenedSocket {
    /// Ends its connections and removes it.
    package func close() async {
        await stop()
    }
}
