package import HomeIdentity
package import HubAPI
package import LocalRPC

/// What serves the sessions of a device.
package struct LinkPeer: Sendable {
    /// Creates the device's sessions.
    package var acceptor: any RPCSessionAcceptor<HubEvent>
    /// Whether the person is a guest everywhere, who has lower limits.
    package var isGuest: Bool

    /// Creates it.
    package init(_ acceptor: any RPCSessionAcceptor<HubEvent>, isGuest: Bool = false) {
        self.acceptor = acceptor
        self.isGuest = isGuest
    }

    /// Returns what serves the device with a key, or throws what the device is told in place of it: that it was removed,
    /// or that somebody must confirm it first.
    ///
    /// The second argument is the device's address, for people.
    package typealias Lookup = @Sendable (PublicKey, String) throws(HubError) -> LinkPeer
}
