/// How long to wait before the next connection: from half a second, twice as long each time, to 15 seconds; less a random
/// part, so that the clients of a relay that restarts don't all come at once.
package struct ReconnectDelay: Sendable {
    /// The shortest delay.
    static let first = Duration.milliseconds(500)
    private static let longest = Duration.seconds(15)
    /// The part of the delay that is random.
    private static let jitter = 0.5

    private var next = Self.first

    /// Begins with the shortest delay.
    package init() {}

    /// Returns the time to wait after a connection that failed or ended.
    ///
    /// - Parameter random: A random number from 0 to 1.
    package mutating func failed(random: Double) -> Duration {
        defer { next = min(Self.longest, next * 2) }
        return max(Self.first, next * (1 - Self.jitter * random))
    }

    /// Begins again with the shortest delay, because a connection works.
    package mutating func succeeded() { next = Self.first }
}
