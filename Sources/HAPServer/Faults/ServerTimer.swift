/// A replacement for the system clock, with which a server times events and injected delays. With a manual clock, a
/// server's output depends only on its input.
package struct ServerTimer: Sendable {
    /// A closure that returns the current time.
    package let now: @Sendable () -> ContinuousClock.Instant
    /// A closure that performs an action after the given time.
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
