import Glibc

/// The processor time of a process in nanoseconds, including all its threads, running and ended.
struct ProcessorClock {
    private let clock: clockid_t

    /// The interval between two samples of a process that should become idle.
    private static let pause: useconds_t = 3_000
    /// The processor time that an idle process may use in an interval.
    private static let noise = Duration.microseconds(15)
    /// The timeout for becoming idle.
    private static let looks = 200

    init(of process: Int32) throws {
        var clock = clockid_t()
        guard clock_getcpuclockid(process, &clock) == 0 else { throw BenchFailure("process \(process) doesn't exist") }
        self.clock = clock
    }

    /// The processor time used so far.
    var now: Duration {
        var time = timespec()
        clock_gettime(clock, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    /// Returns the processor time used, once the process is idle.
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

    /// Returns the processor time of an operation, including work that continues after it.
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
