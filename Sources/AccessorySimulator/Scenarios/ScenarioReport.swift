/// The result of a scenario.
public struct ScenarioReport: Hashable, Sendable {
    /// An expectation that failed.
    public struct Failure: Hashable, Sendable, CustomStringConvertible {
        /// The path of the step, such as `steps[3]`.
        public let path: String
        /// The line of the step in the scenario file.
        public let line: Int
        /// The expected and the actual result.
        public let reason: String

        /// The line, the path and the reason.
        public var description: String { "line \(line): \(path): \(reason)" }
    }

    /// The expectations that failed, in the order of the steps.
    public let failures: [Failure]
    /// The number of expectations.
    public let expectations: Int
    /// The messages between accessories and apps, one per line.
    public let transcript: String
}
