/// One connection to a server: in-process, or over a socket.
///
/// `receive` is called serially, in the server's order, on a thread that the transport chooses. After
/// ``RPCMessage/closed(_:)`` it is not called again.
package protocol RPCTransport<Event>: Sendable {
    /// The server's events.
    associatedtype Event: RPCEvent

    /// Opens the connection; call it once, before anything else. A failure to connect arrives as `closed`.
    func open(_ receive: @escaping @Sendable (RPCMessage<Event>) -> Void)
    /// Sends a request; its reply arrives through `receive`. Does nothing after the connection has ended.
    func send(_ request: RPCRequest)
    /// Ends the connection. `receive` gets a final `closed`, unless it already got one.
    func close()
}
