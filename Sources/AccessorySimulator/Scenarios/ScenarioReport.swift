/// What came of a scenario.
public struct ScenarioReport: Hashable, Sendable {
    /// An expectation that failed.
    public struct Failure: Hashable, Sendable, CustomStringConvertible {
        /// The step, such as `steps[3]`.
        public let place: String
        /// The line of the scenario file where it begins.
        public let line: Int
        /// What was expected, and what came instead.
        public let reason: String

        /// Place, line and reason.
        public var description: String { "line \(line): \(place): \(reason)" }
    }

    /// The expectations that failed, in the order of the steps.
    public let failures: [Failure]
    /// How many expectations there were.
    public let expectations: Int
    /// Everything that passed between accessories and apps, a line each.
    public let transcript: String
}
