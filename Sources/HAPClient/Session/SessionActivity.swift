package import HAP

/// What an accessory session does on the network, for logs and measurements: never what a message says.
package enum SessionActivity: Hashable, Sendable {
    /// It tries the addresses where the accessory server may be.
    case connecting
    /// None of them could be connected to.
    case notConnected(UnreachableCause)
    /// One of them could be connected to.
    case connected(AccessoryAddress)
    /// Both sides have proved who they are.
    case verified
    /// A connection ended before both sides had proved who they are.
    case notVerified(UnreachableCause)
    /// A request was answered.
    case answered(WireExchange)
    /// An event came.
    case event(bytes: Int)
    /// A connection on which they had is gone, or was given up.
    case lost(UnreachableCause)
}

/// A request to an accessory server and its answer, as they look from outside.
package struct WireExchange: Hashable, Sendable {
    /// The request's method.
    package var method: HTTPMethod
    /// The request's path, without what it asked for.
    package var path: String
    /// The answer's status.
    package var status: HTTPStatus
    /// The bytes of the request's body.
    package var requestBytes: Int
    /// The bytes of the answer's body.
    package var responseBytes: Int
    /// From the request's being sent to its answer.
    package var duration: Duration
}
