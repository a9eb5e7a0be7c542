/// The limits of an accessory server.
struct ServerLimits: Hashable, Sendable {
    /// The maximum number of connections without a verified session. When it is exceeded, the connection that has been
    /// idle longest is closed, so that idle connections never lock a controller out.
    var unverifiedConnections = 64
    /// The time, from the start of its first exchange of pair-setup or pair-verify, for which a connection takes
    /// precedence when others are closed.
    var pairingTime = Duration.seconds(30)
    /// The maximum number of connections with a verified session. When it is exceeded, the connection that has been
    /// idle longest is closed.
    var verifiedConnections = 64
    /// The maximum number of bytes of strings, and of data in base64, in one response to `GET /characteristics`. Values
    /// beyond it are answered with ``HAPStatus/outOfResources``. A single value of maximum length fits.
    var readLength = 4_194_304
    /// The maximum time from the first byte of a request to its last.
    var requestTime = Duration.seconds(30)

    /// The length of the system's queue of pending connections.
    static let backlog: Int32 = 128
    /// The maximum time for delivering pending output to a closing connection.
    static let closingTime = Duration.seconds(5)
    /// The maximum time to live of a prepared write. Longer ones are capped.
    static let timedWriteLifetime = Duration.seconds(3600)
    /// The minimum time between two events to one connection. The first is sent immediately; those that follow within
    /// this time are coalesced.
    static let eventWindow = Duration.milliseconds(250)
    /// The maximum number of pending button events for one connection that doesn't read. When it is exceeded, the
    /// connection is closed.
    static let waitingPresses = 256
}
