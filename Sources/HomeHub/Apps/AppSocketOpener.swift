package import HubAPI

/// Opens sockets at which one app is served. Who carries the hub's methods brings one.
package protocol AppSocketOpener: Sendable {
    /// Opens a socket; once this returns, the app can connect.
    ///
    /// - Parameter acceptSession: Makes the session of each connection. Who connects is not looked at: the socket's mode and
    ///   its folders say who may.
    /// - Throws: ``HubAPI/HubError``, with what is wrong about the place.
    func open(
        _ socket: AppSocket,
        acceptSession: @escaping @Sendable (@escaping @Sendable (HubMessage) -> Void) -> HubSession
    ) async throws(HubError) -> any OpenedSocket
}

/// A socket that is open.
package protocol OpenedSocket: Sendable {
    /// Ends its connections and removes it.
    func close() async
}
