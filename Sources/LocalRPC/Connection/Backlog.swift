/// The bytes that a client has not read yet, and the resulting flow control.
package struct Backlog: Sendable {
    /// The number of bytes that a client can leave unread, in addition to a reset.
    package struct Limits: Hashable, Sendable {
        /// Beyond this, events pause until the client has read everything.
        package var events: Int
        /// Beyond this, the next message ends the connection.
        package var total: Int

        /// Creates limits.
        package init(events: Int = 4 << 20, total: Int = 64 << 20) {
            self.events = events
            self.total = total
        }
    }

    private let limits: Limits
    /// The size of the largest reset that the client may not have read yet.
    ///
    /// A reset is as large as the homes. A client with one unread reset isn't behind; a client with several is.
    private var resetBytes = 0
    /// Whether events are paused.
    package private(set) var isPaused = false

    /// Creates the state of a client that has read everything.
    package init(limits: Limits = Limits()) {
        self.limits = limits
    }

    /// Returns whether another message can be sent.
    ///
    /// - Parameter unread: The number of bytes that the client has not read.
    package func allows(unread: Int) -> Bool {
        unread - min(resetBytes, unread) <= limits.total
    }

    /// Records that a message was sent.
    ///
    /// - Parameters:
    ///   - bytes: The message's size.
    ///   - isReset: Whether the message replaces everything before it.
    ///   - unread: The number of bytes that the client has not read, including the message.
    /// - Returns: Whether events must pause from now on.
    package mutating func sent(bytes: Int, isReset: Bool, unread: Int) -> Bool {
        // At most the bytes that were unread before this message belong to an earlier reset.
        resetBytes = min(resetBytes, max(0, unread - bytes))
        if isReset { resetBytes = max(resetBytes, bytes) }
        guard !isPaused, unread - resetBytes > limits.events else { return false }
        isPaused = true
        return true
    }

    /// Records that the client has read everything.
    ///
    /// - Returns: Whether events were paused and resume.
    package mutating func drained() -> Bool {
        resetBytes = 0
        defer { isPaused = false }
        return isPaused
    }
}
