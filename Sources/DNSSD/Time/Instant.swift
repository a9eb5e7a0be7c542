/// A point in time, counted from a start that only its owner knows. State machines are told the moment, they never look.
struct Instant: InstantProtocol {
    /// The time since the start.
    var sinceStart: Duration

    func advanced(by duration: Duration) -> Instant {
        Instant(sinceStart: sinceStart + duration)
    }

    /// The last multiple of a grain, counted from the start, that is not later.
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
    /// The earlier of two deadlines, either of which may be absent.
    func earlier(_ other: Instant?) -> Instant? {
        guard let self else { return other }
        return other.map { Swift.min(self, $0) } ?? self
    }
}
