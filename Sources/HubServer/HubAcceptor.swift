package import HomeHub
package import HubAPI

/// An acceptor that serves a hub to connections with the same authority.
package struct HubAcceptor: RPCSessionAcceptor {
    private let hub: HomeHub
    private let authority: SessionAuthority

    /// Creates an acceptor.
    ///
    /// - Parameters:
    ///   - hub: The hub.
    ///   - authority: The user and the permissions of the connections. The listener must reject all others.
    package init(_ hub: HomeHub, as authority: SessionAuthority) {
        self.hub = hub
        self.authority = authority
    }

    /// Creates the session of a new connection.
    package func acceptConnection(
        on executor: (any TaskExecutor)?,
        deliver: @escaping @Sendable (HubMessage) -> Void
    ) -> any RPCSession {
        hub.accept(as: authority, on: executor, deliver: deliver)
    }
}

extension HubSession: RPCSession {
    /// Ends the session, because its connection has ended.
    package func end() {
        close()
    }
}
