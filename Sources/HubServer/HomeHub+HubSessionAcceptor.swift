public import HomeHub
public import HubAPI

extension HomeHub: HubSessionAcceptor {
    /// Makes the session of a new connection of the hub's own user.
    public func acceptConnection(deliver: @escaping @Sendable (HubMessage) -> Void) -> any ConnectionSession {
        accept(deliver: deliver)
    }
}

extension HubSession: ConnectionSession {
    /// The connection is over.
    public func end() {
        close()
    }
}
