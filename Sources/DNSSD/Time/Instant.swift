/// A point in time, relative to a start that only its owner knows. State machines get the time as a parameter and never
/// read a clock.
struct Instant: InstantProtocol {
    /// The time since the start.
    var sinceStart: Duration

    func advanced(by duration: Duration) -> Instant {
        Instant(sinceStart: sinceStart + duration)
    }

    /// Returns the last multiple of a granularity, counted from the start, that isn't later.
    func roundedDown(to grain: Duration) -> Instant {
        Instant(sinceStart: grain * Int((sinceStart / grain).rounded(.down)))
    }

    func duration(to other: Instant) -> Duration {
        other.sinceStart - sinceStart
    }

    static func < (left: Instant, right: Instant) -> Bool {
        left.sinceStart < right.sinceStart
    }
}

extension Optional<Instant> {
    /// Returns the earlier of two deadlines, either of which may be `nil`.
    func earlier(_ other: Instant?) -> Instant? {
        guard let self else { return other }
        return other.map { Swift.min(self, $0) } ?? self
    }
}
