/// A scheduler of delayed actions: accessories' delayed changes, and recurring faults.
protocol Scheduler: Sendable {
    /// The time since the scheduler was created.
    var now: Duration { get }
    /// Schedules an action after a delay.
    @discardableResult
    func after(_ delay: Duration, _ action: @escaping @Sendable () async -> Void) -> ScheduledAction
}

/// A scheduled action.
struct ScheduledAction: Sendable {
    /// Cancels the action if it hasn't started.
    let cancel: @Sendable () -> Void
}

/// A scheduler that uses a clock.
struct ClockScheduler<Time: Clock<Duration>>: Scheduler {
    private let clock: Time
    private let beginning: Time.Instant

    init(_ clock: Time) {
        self.clock = clock
        beginning = clock.now
    }

    var now: Duration { beginning.duration(to: clock.now) }

    func after(_ delay: Duration, _ action: @escaping @Sendable () async -> Void) -> ScheduledAction {
        let task = Task { [clock] in
            guard (try? await clock.sleep(for: delay)) != nil else { return }
            await action()
        }
        return ScheduledAction { task.cancel() }
    }
}
