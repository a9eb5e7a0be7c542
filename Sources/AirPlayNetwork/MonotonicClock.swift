package import AirPlay
internal import Foundation

/// The clock of streams: the system's time when the program started, continued without jumps.
package enum MonotonicClock {
    private static let reference = ContinuousClock.now
    /// The wall time at ``reference``, since 1900.
    private static let start: NTPTime = {
        let sinceUnix = Date().timeIntervalSince1970
        let seconds = UInt64(sinceUnix) + 2_208_988_800
        return NTPTime(rawValue: seconds << 32)
    }()

    /// The time.
    package static var now: NTPTime {
        let start = start
        let (seconds, attoseconds) = (ContinuousClock.now - reference).components
        return start.advanced(byNanoseconds: seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    }
}
