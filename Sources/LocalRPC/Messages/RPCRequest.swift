package import Foundation

/// A request from a client to its server.
package struct RPCRequest: Hashable, Sendable {
    /// The client's number for the request; the reply has the same.
    package var id: Int
    /// The method's name.
    package var method: String
    /// The parameters as JSON.
    package var parameters: Data
    /// The idempotency key, which identifies the request across connections.
    ///
    /// The server doesn't carry out a second request with the same key, method and parameters; it repeats the first reply.
    /// A client uses it if the connection was lost before the reply. ``Method/isDurable`` determines how long a server
    /// recognizes a key.
    package var key: UUID?
    /// When the server must not begin to carry the request out any more, by its own running clock in milliseconds; `nil` if
    /// there is no such time. A client from away sets it, because somebody on the way may deliver the request late.
    package var until: Int64?

    /// Creates a request.
    package init(id: Int, method: String, parameters: Data, key: UUID? = nil, until: Int64? = nil) {
        self.id = id
        self.method = method
        self.parameters = parameters
        self.key = key
        self.until = until
    }
}
