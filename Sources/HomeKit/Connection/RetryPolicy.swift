import Dispatch

/// When to look for a hub again after the connection failed or ended.
package struct RetryPolicy: Sendable {
    /// How long to wait before the next try, after so many failures in a row (0 after the first).
    package var delay: @Sendable (_ failures: Int) -> Duration
    /// Runs some work after a time.
    package var wait: @Sendable (Duration, @escaping @Sendable () -> Void) -> Void

    /// Makes a schedule.
    package init(
        delay: @escaping @Sendable (_ failures: Int) -> Duration,
        wait: @escaping @Sendable (Duration, @escaping @Sendable () -> Void) -> Void
    ) {
        self.delay = delay
        self.wait = wait
    }

    /// A tenth of a second at first, twice as long after each failure, never more than three seconds.
    package static let standard = RetryPolicy(
        delay: { .milliseconds(min(100 << min($0, 5), 3000)) },
        wait: { duration, work in
            let (seconds, attoseconds) = duration.components
            let nanoseconds = Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
            DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(nanoseconds), execute: work)
        }
    )
}
