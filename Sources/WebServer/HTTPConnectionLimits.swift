package import NIOCore

/// The limits of the connections to a port that serves HTTP. `Documentation/Limits.md` lists them.
package struct HTTPConnectionLimits: Sendable {
    /// The maximum number of connections.
    package var connections = 512
    /// The maximum number of connections from one address.
    package var connectionsPerAddress = 64
    /// The maximum number of connections from this machine; `nil` for as many as from another address.
    package var localConnections: Int?
    /// The maximum size of all header fields of a request, in bytes.
    package var headerBytes = 16_384
    /// The maximum number of header fields of a request.
    package var headerFields = 64
    /// The maximum time between two requests on a connection, and to the first.
    package var idleTime = TimeAmount.seconds(60)
    /// The maximum time that a client reads nothing of a response.
    package var stallTime = TimeAmount.seconds(30)
    /// The maximum time from the start of a connection to the end of the TLS handshake.
    package var handshakeTime = TimeAmount.seconds(15)
    /// The maximum number of open requests of a connection over HTTP/2.
    package var concurrentRequests = 64
    /// The maximum number of requests over HTTP/2 that a client resets or that are erroneous in 30 seconds.
    package var resetRequests = 200
    /// The maximum number of control frames that a client sends over HTTP/2 in 30 seconds.
    package var controlFrames = 200
    /// The maximum number of control frames that wait for a client that doesn't read over HTTP/2.
    package var unsentControlFrames = 200

    /// Creates the default limits.
    package init() {}
}
