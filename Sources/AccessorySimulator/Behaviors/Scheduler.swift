/// Where what happens later is kept: what accessories do after a while, and faults that come and go.
protocol Scheduler: Sendable {
    /// The time since the beginning.
    var now: Duration { get }
    /// Does something after a while.
    @discardableResult
    func after(_ delay: Duration, _ action: @escaping @Sendable () async -> Void) -> ScheduledAction
}

/// Something that is to happen later.
struct ScheduledAction: Sendable {
    /// Lets it not happen, if it has not begun.
    let cancel: @Sendable () -> Void
}

/// A timeline by a clock.
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
