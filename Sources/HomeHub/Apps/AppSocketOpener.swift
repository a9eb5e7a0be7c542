package import HubAPI

/// Opens sockets that serve one app each. The hub's listener provides one.
package protocol AppSocketOpener: Sendable {
    /// A closure that creates the session of a connection, with the arguments of ``HomeHub/accept(as:on:deliver:)``.
    typealias SessionAcceptor = @Sendable ((any TaskExecutor)?, @escaping @Sendable (HubMessage) -> Void) -> HubSession

    /// Opens a socket. When this method returns, the app can connect.
    ///
    /// - Parameter acceptSession: A closure that creates the session of a connection. The peer isn't checked: the
    ///   permissions of the socket and its folders decide who can connect.
    ///
    /// - Throws: ``HubAPI/HubError`` if the path is unsuitable.
    func open(
        _ socket: AppSocket,
        acceptSession: @escaping SessionAcceptor
    ) async throws(HubError) -> any OpenedSocket
}

/// An open socket.
package protocol OpenedSocket: Sendable {
    /// Closes the socket's connections and removes it.
    func close() async
}
