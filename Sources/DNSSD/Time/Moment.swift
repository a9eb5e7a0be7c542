/// A point in time, counted from a start that only its owner knows. State machines are told the moment, they never look.
struct Moment: InstantProtocol {
    /// The time since the start.
    var sinceStart: Duration

    func advanced(by duration: Duration) -> Moment {
        Moment(sinceStart: sinceStart + duration)
    }

    /// The last multiple of a grain, counted from the start, that is not later.
    func roundedDown(to grain: Duration) -> Moment {
        Moment(sinceStart: grain * Int((sinceStart / grain).rounded(.down)))
    }

    func duration(to other: Moment) -> Duration {
        other.sinceStart - sinceStart
    }

    static func < (left: Moment, right: Moment) -> Bool {
        left.sinceStart < right.sinceStart
    }
}

extension Optional<Moment> {
    /// The earlier of two deadlines, either of which may be absent.
    func earlier(_ other: Moment?) -> Moment? {
        guard let self else { return other }
        return other.map { Swift.min(self, $0) } ?? self
    }
}
