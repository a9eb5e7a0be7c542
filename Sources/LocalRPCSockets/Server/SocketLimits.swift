/// The limits of a listener and of each connection.
package enum SocketLimits {
    /// The maximum number of connections. Further clients get an error and are disconnected.
    package static let connections = 4_096
    /// The maximum number of connections to the socket of one app.
    package static let appConnections = 64
    /// The number of unanswered requests at which a connection is not read until the server has replied to some.
    package static let unansweredRequests = 1_000
    /// The bytes of unanswered requests at which a connection is not read. One more request may exceed it.
    package static let unansweredBytes = 4 << 20
    /// The number of seconds that a stopping listener waits for clients to read what it sent.
    static let stopSeconds: Int64 = 1
    /// The number of attempts of a starting server to lock its socket's path.
    static let lockTries = 250
    /// The pause between attempts to lock the path.
    static let lockPause = Duration.milliseconds(20)
    /// The number of connections that can wait to be accepted.
    static let backlog: Int32 = 256
}
