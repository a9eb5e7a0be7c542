/// How often something may happen.
package struct PeerRate: Hashable, Sendable {
    /// How often a second.
    package var perSecond: Double
    /// How often at once, after a pause.
    package var burst: Double

    /// Creates a rate.
    package init(perSecond: Double, burst: Double) {
        self.perSecond = perSecond
        self.burst = burst
    }
}

/// What is left of a ``PeerRate``: tokens, which return with time.
struct TokenBucket {
    private let rate: PeerRate
    private var tokens: Double
    /// When the tokens were counted, in seconds of any clock that doesn't stop.
    private var counted: Double

    init(_ rate: PeerRate, at now: Double) {
        self.rate = rate
        tokens = rate.burst
        counted = now
    }

    /// Takes a token.
    ///
    /// - Returns: `nil` if there was one, or else the number of seconds until there is.
    mutating func take(at now: Double) -> Double? {
        refill(at: now)
        guard tokens >= 1 else { return (1 - tokens) / rate.perSecond }
        tokens -= 1
        return nil
    }

    /// Whether all tokens have returned, so that nothing needs to be remembered.
    mutating func isFull(at now: Double) -> Bool {
        refill(at: now)
        return tokens >= rate.burst
    }

    private mutating func refill(at now: Double) {
        tokens = min(rate.burst, tokens + max(0, now - counted) * rate.perSecond)
        counted = max(counted, now)
    }
}
