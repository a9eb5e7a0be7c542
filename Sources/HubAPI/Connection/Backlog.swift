/// What a client has left unread of what it was sent, and what follows from it. For carriers.
package struct Backlog: Sendable {
    /// How much a client may leave unread, in bytes, beside a reset.
    package struct Limits: Hashable, Sendable {
        /// With more, events are held back until the client has read all.
        package var events: Int
        /// With more, the connection is ended when anything is to be sent.
        package var total: Int

        /// Creates limits.
        package init(events: Int = 4 << 20, total: Int = 64 << 20) {
            self.events = events
            self.total = total
        }
    }

    private let limits: Limits
    /// The largest reset that may be unread. A reset is as large as the homes are: whoever is about to read one isn't behind,
    /// but whoever leaves several unread is.
    private var resetBytes = 0
    /// Whether events are held back.
    package private(set) var isBehind = false

    /// Creates the state of a client that has read all.
    package init(limits: Limits = Limits()) {
        self.limits = limits
    }

    /// Whether a message may be sent.
    ///
    /// - Parameter unread: The bytes that wait already.
    package func allows(unread: Int) -> Bool {
        unread - min(resetBytes, unread) <= limits.total
    }

    /// Notes that a message was sent.
    ///
    /// - Parameter unread: The bytes that wait, the message's included.
    /// - Returns: Whether events are to be held back from here on.
    package mutating func sent(bytes: Int, isReset: Bool, unread: Int) -> Bool {
        // No more of an earlier reset is unread than there was to read before this message.
        resetBytes = min(resetBytes, max(0, unread - bytes))
        if isReset { resetBytes = max(resetBytes, bytes) }
        guard !isBehind, unread - resetBytes > limits.events else { return false }
        isBehind = true
        return true
    }

    /// Notes that the client has read all.
    ///
    /// - Returns: Whether events were held back, and flow again.
    package mutating func drained() -> Bool {
        resetBytes = 0
        defer { isBehind = false }
        return isBehind
    }
}
