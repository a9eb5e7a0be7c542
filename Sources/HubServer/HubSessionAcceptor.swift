package import HubAPI

/// What a listener serves: something that has a session for each connection.
package protocol HubSessionAcceptor: Sendable {
    /// Makes the session of a new connection.
    ///
    /// - Parameter deliver: Takes the session's messages, from any thread, and keeps their order. A `closed` ends the
    ///   connection after it was sent.
    func acceptConnection(deliver: @escaping @Sendable (HubMessage) -> Void) -> any ConnectionSession
}

/// The hub's end of one connection.
package protocol ConnectionSession: Sendable {
    /// Takes a request. Each one is answered by exactly one reply with its id, at once or later.
    func receive(_ request: HubRequest)
    /// What was sent is not read: no event is delivered until ``catchUp()``, replies are.
    func fallBehind()
    /// All that was sent has been read.
    func catchUp()
    /// The connection is over.
    func end()
}
