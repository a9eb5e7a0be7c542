import RelayClient

/// How a device waits for the next entry of a feed: on the relay's stream, or with requests that wait, because something on the way
/// breaks streams.
struct FeedPace: Sendable {
    /// A way to wait.
    enum Way: Hashable, Sendable {
        /// The relay's live stream.
        case stream
        /// Requests that the relay answers when there is news.
        case poll
    }

    private var broken = 0
    private var polled = 0
    private var delay = ReconnectDelay()

    /// How to wait now.
    var way: Way { broken < AgentLimits.brokenStreams ? .stream : .poll }

    /// Handles that a stream has told something.
    mutating func streamSpoke() {
        broken = 0
        delay.succeeded()
    }

    /// Handles that a stream has ended. Returns whether it is to be given up.
    mutating func streamEnded() -> Bool {
        broken += 1
        polled = 0
        return way == .poll
    }

    /// Handles that a request that waited has ended. After a while, a stream is tried again.
    mutating func requestWaited() {
        delay.succeeded()
        polled += 1
        if polled >= AgentLimits.feedPolls { broken = 0 }
    }

    /// Handles that the relay was reached.
    mutating func reached() { delay.succeeded() }

    /// Returns how long to wait after a relay couldn't be reached.
    ///
    /// - Parameters:
    ///   - seconds: What the relay asks for.
    ///   - random: A random number from 0 to 1.
    mutating func failed(retryAfter seconds: Int?, random: Double) -> Duration {
        let own = delay.failed(random: random)
        let wanted = min(max(0, seconds ?? 0), AgentLimits.relayRetrySeconds)
        return max(own, .seconds(wanted))
    }
}
