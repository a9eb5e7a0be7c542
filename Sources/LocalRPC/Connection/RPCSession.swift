/// The server's end of one connection.
package protocol RPCSession: Sendable {
    /// Handles a request. Each request gets exactly one reply with its ID, immediately or later.
    func receive(_ request: RPCRequest)
    /// Pauses events until ``resumeEvents()``, because the client doesn't read what it was sent. Replies still leave.
    func pauseEvents()
    /// Resumes events: the client has read everything that it was sent.
    func resumeEvents()
    /// Ends the session, because its connection has ended.
    func end()
}

/// A server that has a session for each connection.
package protocol RPCSessionAcceptor<Event>: Sendable {
    /// The server's events.
    associatedtype Event: RPCEvent

    /// Creates the session of a new connection.
    ///
    /// - Parameter deliver: A closure that sends the session's messages. It is safe to call from any thread and keeps their
    ///   order. A `closed` ends the connection once it was sent.
    func acceptConnection(deliver: @escaping @Sendable (RPCMessage<Event>) -> Void) -> any RPCSession
}
