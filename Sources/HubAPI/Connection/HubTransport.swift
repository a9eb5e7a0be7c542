package import Foundation

/// A way to a hub: in-process, or a socket.
///
/// One transport is one connection. `receive` is called serially, in the hub's order, on a thread of the transport's
/// choice; after ``HubMessage/closed(_:)`` it is not called again.
package protocol HubTransport: Sendable {
    /// Opens the connection; call it once, before anything else. A failure to connect arrives as `closed`.
    func open(_ receive: @escaping @Sendable (HubMessage) -> Void)
    /// Sends a request; its reply arrives by `receive`. After the end nothing happens.
    func send(_ request: HubRequest)
    /// Ends the connection. `receive` gets a last `closed`, unless it had one.
    func close()
}

/// A request on its way to the hub.
package struct HubRequest: Hashable, Sendable {
    /// Chosen by the client; the reply carries it.
    package var id: Int
    /// The method's name.
    package var method: String
    /// The parameters as JSON.
    package var parameters: Data
    /// Names the request beyond its connection: a second one with the same key, method and parameters is not carried out
    /// but gets the reply of the first. For clients that lost the connection before the reply. How long a hub knows it
    /// again, ``Method/isDurable`` says.
    package var key: UUID?

    /// Makes a request.
    package init(id: Int, method: String, parameters: Data, key: UUID? = nil) {
        self.id = id
        self.method = method
        self.parameters = parameters
        self.key = key
    }
}

/// A message on its way from the hub.
package enum HubMessage: Sendable {
    /// The reply to a request.
    case reply(id: Int, HubReply)
    /// An event.
    case event(HubEvent)
    /// The connection is over.
    case closed(HubError)
}
