/// The server's end of one connection.
package protocol RPCSession: Sendable {
    /// Handles a request. Each request gets exactly one reply with its ID, immediately or later.
    func receive(_ request: RPCRequest)
    /// Pauses events until ``resumeEvents()``, because the client doesn't read its messages. Replies are still sent.
    func pauseEvents()
    /// Resumes events, because the client has read all of its messages.
    func resumeEvents()
    /// Ends the session, because its connection has ended.
    func end()
}

/// A server that creates a session for each connection.
package protocol RPCSessionAcceptor<Event>: Sendable {
    /// The server's events.
    associatedtype Event: RPCEvent

    /// Creates the session of a new connection.
    ///
    /// - Parameters:
    ///   - executor: An executor that runs tasks on the connection's thread, which they must not block; `nil` if the
    ///     connection has none.
    ///   - deliver: A closure that sends the session's messages. It is safe to call from any thread and keeps their order.
    ///     The connection ends once a `closed` has been sent.
    func acceptConnection(
        on executor: (any TaskExecutor)?,
        deliver: @escaping @Sendable (RPCMessage<Event>) -> Void
    ) -> any RPCSession
}
