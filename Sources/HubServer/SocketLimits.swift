/// What a listener grants each connection.
enum SocketLimits {
    /// The most connections at a time; a further one is told so and ended.
    static let connections = 4_096
    /// The most connections at a time at the socket of one app.
    static let appConnections = 64
    /// With this many requests unanswered, a connection is read no further until some are answered.
    static let unansweredRequests = 1_000
    /// With this many bytes of requests unanswered, likewise. One more request may go beyond it.
    static let unansweredBytes = 4 << 20
    /// How long a stopping listener waits for what it has sent to be read.
    static let stopSeconds: Int64 = 1
    /// How often, and how far apart, a hub that starts tries to be the only one that does.
    static let lockTries = 250
    /// See ``lockTries``.
    static let lockPause = Duration.milliseconds(20)
    /// Connections that may wait to be accepted.
    static let backlog: Int32 = 256
}
