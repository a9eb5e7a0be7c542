/// How long to wait before the next try to connect: twice as long after each failure, within bounds, and scattered so
/// that many accessories do not come back at the same moment.
struct Backoff: Sendable {
    /// The shortest and the longest wait.
    let bounds: ClosedRange<Duration>
    /// Failures since the last ``reset()``.
    private(set) var failures = 0

    private static let doublings = 30

    init(bounds: ClosedRange<Duration>) {
        self.bounds = bounds
    }

    /// Counts a failure and gives the wait after it: from one half to the whole of the doubled wait.
    mutating func next(using generator: inout some RandomNumberGenerator) -> Duration {
        failures += 1
        let doubled = bounds.lowerBound * (1 << min(failures, Self.doublings))
        let scattered = min(doubled, bounds.upperBound) * Double.random(in: 0.5...1, using: &generator)
        return max(scattered, bounds.lowerBound)
    }

    /// Begins anew after a connection that held.
    mutating func reset() {
        failures = 0
    }
}
