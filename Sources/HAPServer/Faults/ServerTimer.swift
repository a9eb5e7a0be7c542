/// The time by which a server sends events, and holds back what is disturbed, where that is not the system's. With a
/// clock that stands still until it is moved, what a server says depends on nothing but what is asked.
package struct ServerTimer: Sendable {
    /// The present time.
    package let now: @Sendable () -> ContinuousClock.Instant
    /// Does something after a while.
    package let after: @Sendable (Duration, @escaping @Sendable () async -> Void) -> Void

    /// Creates a timer.
    package init(
        now: @escaping @Sendable () -> ContinuousClock.Instant,
        after: @escaping @Sendable (Duration, @escaping @Sendable () async -> Void) -> Void
    ) {
        self.now = now
        self.after = after
    }
}
