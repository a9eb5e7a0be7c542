/// Whether a live stream still leads to the relay. It is a value without I/O.
///
/// A network that goes away ends no connection. Whoever has sent something and hears nothing for a time asks the relay for a
/// sign of life, and gives up on the stream if none comes in the same time again. A stream on which nothing is sent costs
/// nothing.
struct StreamWatch: Hashable, Sendable {
    /// What to do when a time is over.
    enum Step: Hashable, Sendable {
        /// Nothing: something has come.
        case rest
        /// Count the same time again.
        case wait
        /// Ask for a sign of life, and count the time again.
        case ask
        /// End the connection.
        case end
    }

    /// Whether something was sent since something came.
    private var isAwaiting = false
    /// Whether a sign of life was asked for since something came.
    private var hasAsked = false
    /// The number of the time that is counted.
    private var number = 0
    private var isCounting = false

    /// Records that something is sent.
    ///
    /// - Returns: The number of the time to count; `nil` if one is counted already.
    mutating func sent() -> Int? {
        isAwaiting = true
        return isCounting ? nil : count()
    }

    /// Records that a sign of life is asked for at once, because somebody waits for what is sent.
    ///
    /// - Returns: The number of the time to count; `nil` if a sign of life was asked for before.
    mutating func asked() -> Int? {
        isAwaiting = true
        guard !isCounting || !hasAsked else { return nil }
        hasAsked = true
        return count()
    }

    private mutating func count() -> Int {
        number += 1
        isCounting = true
        return number
    }

    /// Records that something has come.
    mutating func received() { (isAwaiting, hasAsked) = (false, false) }

    /// Handles the end of a time.
    ///
    /// - Parameter isSent: Whether everything is on its way. What waits for the relay's answers to earlier requests isn't.
    mutating func timeIsOver(_ number: Int, isSent: Bool) -> Step {
        guard number == self.number, isCounting else { return .rest }
        guard isAwaiting else {
            isCounting = false
            return .rest
        }
        guard hasAsked else {
            hasAsked = true
            return .ask
        }
        return isSent ? .end : .wait
    }
}
