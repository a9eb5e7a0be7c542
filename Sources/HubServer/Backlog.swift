/// What a client has left unread of what it was sent, and what follows from it.
struct Backlog {
    /// How much a client may leave unread, in bytes, beside a reset.
    struct Limits: Hashable, Sendable {
        /// With more, events are held back until the client has read all.
        var events = SocketLimits.unreadEventBytes
        /// With more, the connection is ended when anything is to be sent.
        var total = SocketLimits.unreadBytes
    }

    private let limits: Limits
    /// A reset is as large as the homes are; whoever is about to read one is not behind.
    private var resetBytes = 0
    /// Whether events are held back.
    private(set) var isBehind = false

    init(limits: Limits) {
        self.limits = limits
    }

    /// Whether a message may be sent.
    ///
    /// - Parameter unread: The bytes that wait already.
    func allows(unread: Int) -> Bool {
        unread - resetBytes <= limits.total
    }

    /// Notes that a message was sent.
    ///
    /// - Parameter unread: The bytes that wait, the message's included.
    /// - Returns: Whether events are to be held back from here on.
    mutating func sent(bytes: Int, isReset: Bool, unread: Int) -> Bool {
        if isReset { resetBytes += bytes }
        guard !isBehind, unread - resetBytes > limits.events else { return false }
        isBehind = true
        return true
    }

    /// Notes that the client has read all.
    ///
    /// - Returns: Whether events were held back, and flow again.
    mutating func drained() -> Bool {
        resetBytes = 0
        defer { isBehind = false }
        return isBehind
    }
}
