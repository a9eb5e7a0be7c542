/// How much an accessory server takes from the network before it lets go.
struct ServerLimits: Hashable, Sendable {
    /// The most connections without a verified session. When another comes the one that was silent longest is closed,
    /// so that idle connections never keep a controller out.
    var unverifiedConnections = 64
    /// How long a connection is kept for an exchange of pair-setup or pair-verify, from the first one's beginning on,
    /// when others are closed to make room.
    var pairingTime = Duration.seconds(30)
    /// The most connections with a verified session. When another verifies the one that was silent longest is closed.
    var verifiedConnections = 64
    /// The most bytes of strings, and of data in base64, that one response to `GET /characteristics` holds. Whatever is
    /// asked for past it is answered with ``HAPStatus/outOfResources``. The longest value fits in by itself.
    var readLength = 4_194_304
    /// How long a request may take to arrive, from its first byte to its last.
    var requestTime = Duration.seconds(30)

    /// The connections that the system keeps waiting.
    static let backlog: Int32 = 128
    /// How long a connection that is to be closed may take to receive what was sent before.
    static let closingTime = Duration.seconds(5)
    /// The longest time to live of a prepared write; longer ones are cut.
    static let timedWriteLifetime = Duration.seconds(3600)
    /// The time between two events to one connection. The first comes at once, what follows within it is merged.
    static let eventWindow = Duration.milliseconds(250)
    /// The most events of buttons that wait for one connection that does not read; with another it is closed.
    static let waitingPresses = 256
}
