/// The delay before the next attempt to connect. It doubles after each failure, within bounds, with jitter so that many
/// accessories don't reconnect at the same time.
struct Backoff: Sendable {
    /// The minimum and maximum delay.
    let bounds: ClosedRange<Duration>
    /// The number of failures since the last ``reset()``.
    private(set) var failures = 0

    private static let doublings = 30

    init(bounds: ClosedRange<Duration>) {
        self.bounds = bounds
    }

    /// Counts a failure and returns the delay after it: between half and all of the doubled delay.
    mutating func next(using generator: inout some RandomNumberGenerator) -> Duration {
        failures += 1
        let doubled = bounds.lowerBound * (1 << min(failures, Self.doublings))
        let jittered = min(doubled, bounds.upperBound) * Double.random(in: 0.5...1, using: &generator)
        return max(jittered, bounds.lowerBound)
    }

    /// Resets the delay after a stable connection.
    mutating func reset() {
        failures = 0
    }
}
