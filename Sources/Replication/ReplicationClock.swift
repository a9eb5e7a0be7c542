/// The time of a replicator, on a clock that runs while the machine sleeps. Its zero doesn't matter.
package struct ReplicationClock: Sendable {
    /// Returns the time.
    package var now: @Sendable () -> Duration
    /// Waits until a time. It may return later, and throws if the task is cancelled.
    package var sleep: @Sendable (_ deadline: Duration) async throws -> Void

    /// Creates a clock.
    package init(
        now: @escaping @Sendable () -> Duration,
        sleep: @escaping @Sendable (_ deadline: Duration) async throws -> Void
    ) {
        self.now = now
        self.sleep = sleep
    }

    /// The clock of the machine.
    package static let machine: ReplicationClock = {
        let start = ContinuousClock.now
        return ReplicationClock(
            now: { ContinuousClock.now - start },
            sleep: { try await Task.sleep(until: start + $0, clock: .continuous) }
        )
    }()
}
