package import HomeModel

extension Condition {
    /// The result of an evaluation.
    package struct Result: Hashable, Sendable {
        /// Whether the condition is true.
        package var isTrue: Bool
        /// The terms that contain no other terms, in their order.
        package var observations: [Observation]
    }

    /// Evaluates the condition.
    ///
    /// A term is neither true nor false if it is unknown to this version, a value or place that it needs isn't known, or
    /// the sun doesn't rise or set. The opposite of such a term isn't true either.
    ///
    /// - Calendar: a moment with a time of day is a point in time, and from its beginning on, the time is after it. Any other
    ///   moment takes whole days. `betweenCalendar` includes its beginning and the last of whole days, and wraps around.
    /// - Sun: `before` and `after` compare with the event of today in the home's time zone. `betweenSun` is true from a
    ///   first event until the second event that follows it, also over midnight.
    /// - Presence: users whose presence was never reported don't count; if it was reported for none, the term is unknown.
    package func evaluate(in circumstances: Circumstances) -> Result {
        var observations: [Observation] = []
        let truth = truth(in: circumstances, &observations)
        return Result(isTrue: truth == .yes, observations: observations)
    }

    private func truth(in circumstances: Circumstances, _ observations: inout [Observation]) -> Truth {
        switch self {
        case .all(let terms) where !terms.isEmpty:
            return .all(terms.map { $0.truth(in: circumstances, &observations) })
        case .any(let terms) where !terms.isEmpty:
            return .any(terms.map { $0.truth(in: circumstances, &observations) })
        case .not(let term):
            return term.truth(in: circumstances, &observations).opposite
        default:
            let (truth, observation) = circumstances.observe(self)
            observations.append(observation)
            return truth
        }
    }
}
