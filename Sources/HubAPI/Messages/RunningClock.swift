import Glibc

/// The clock of a machine that runs since its start, also while it sleeps. It never goes back, unlike the time of day.
package enum RunningClock {
    /// The reading, in milliseconds.
    package static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }
}

/// A reading of a hub's running clock.
package struct ClockReading: Hashable, Sendable, Codable {
    /// The reading, in milliseconds.
    package var clock: Int64

    /// Creates a reading.
    package init(clock: Int64) {
        self.clock = clock
    }
}
