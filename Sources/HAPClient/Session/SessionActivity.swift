package import HAP

/// A network activity of an accessory session, for logs and metrics. It never contains the content of messages.
package enum SessionActivity: Hashable, Sendable {
    /// The session is trying the accessory server's addresses.
    case connecting
    /// All addresses failed.
    case notConnected(UnreachableCause)
    /// The session connected to an address.
    case connected(AccessoryAddress)
    /// Pair-verify succeeded.
    case verified
    /// A connection ended before pair-verify succeeded.
    case notVerified(UnreachableCause)
    /// A request was answered.
    case answered(WireExchange)
    /// An event was received.
    case event(bytes: Int)
    /// A verified connection was lost or closed.
    case lost(UnreachableCause)
}

/// A request to an accessory server and its response, without their content.
package struct WireExchange: Hashable, Sendable {
    /// The request's method.
    package var method: HTTPMethod
    /// The request's path, without its query.
    package var path: String
    /// The response's status.
    package var status: HTTPStatus
    /// The length of the request's body.
    package var requestBytes: Int
    /// The length of the response's body.
    package var responseBytes: Int
    /// The time from the request to its response.
    package var duration: Duration
}
