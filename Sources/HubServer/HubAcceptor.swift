package import HomeHub
package import HubAPI

/// Serves a hub to connections that all have the same authority.
package struct HubAcceptor: HubSessionAcceptor {
    private let hub: HomeHub
    private let authority: SessionAuthority

    /// Creates an acceptor.
    ///
    /// - Parameters:
    ///   - hub: The hub.
    ///   - authority: Whose connections they are and what they can do. The listener has to refuse everybody else.
    package init(_ hub: HomeHub, as authority: SessionAuthority) {
        self.hub = hub
        self.authority = authority
    }

    /// Creates the session of a new connection.
    package func acceptConnection(deliver: @escaping @Sendable (HubMessage) -> Void) -> any ConnectionSession {
        hub.accept(as: authority, deliver: deliver)
    }
}

extension HubSession: ConnectionSession {
    /// Ends the session, for its connection is over.
    package func end() {
        close()
    }
}
