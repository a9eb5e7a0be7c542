import Glibc

/// The processor time that a process has used, to the nanosecond: of all its threads, those that have ended included.
struct ProcessorClock {
    private let clock: clockid_t

    /// Between two looks at a process that shall have become idle.
    private static let pause: useconds_t = 3_000
    /// What an idle process may use between two looks.
    private static let noise = Duration.microseconds(15)
    /// A process that is not idle by then never will be.
    private static let looks = 200

    init(of process: Int32) throws {
        var clock = clockid_t()
        guard clock_getcpuclockid(process, &clock) == 0 else { throw BenchFailure("there is no process \(process)") }
        self.clock = clock
    }

    /// What the process has used until now.
    var now: Duration {
        var time = timespec()
        clock_gettime(clock, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    /// What the process has used once it has nothing more to do.
    func settled() -> Duration {
        var last = now
        for _ in 0..<Self.looks {
            usleep(Self.pause)
            let next = now
            if next - last < Self.noise { return next }
            last = next
        }
        return last
    }

    /// What the process uses for some work, its aftermath included.
    func time(_ work: () throws -> Void) rethrows -> Duration {
        let before = settled()
        try work()
        return settled() - before
    }
}

extension Duration {
    var microseconds: Double { self / .microseconds(1) }
    var milliseconds: Double { self / .milliseconds(1) }
}
