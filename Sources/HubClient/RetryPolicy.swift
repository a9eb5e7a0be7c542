import Dispatch

/// The times at which a client reconnects after its connection failed or ended.
package struct RetryPolicy: Sendable {
    /// Returns the delay before the next attempt, after the given number of failures in a row (0 after the first).
    package var delay: @Sendable (_ failures: Int) -> Duration
    /// Runs a closure after a delay.
    package var wait: @Sendable (Duration, @escaping @Sendable () -> Void) -> Void

    /// Creates a policy.
    package init(
        delay: @escaping @Sendable (_ failures: Int) -> Duration,
        wait: @escaping @Sendable (Duration, @escaping @Sendable () -> Void) -> Void
    ) {
        self.delay = delay
        self.wait = wait
    }

    /// A tenth of a second at first, then twice as long after each failure, up to three seconds.
    package static let standard = RetryPolicy(
        delay: { .milliseconds(min(100 << min($0, 5), 3000)) },
        wait: { duration, work in
            let (seconds, attoseconds) = duration.components
            let nanoseconds = Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
            DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(nanoseconds), execute: work)
        }
    )
}
