/// What a metric counts, for those who read the exposition.
public struct MetricDescription: Hashable, Sendable {
    /// The metric's name, in Prometheus' way of writing: `hearth_questions_open`.
    public var name: String
    /// What it counts, in which unit.
    public var help: String

    /// Describes a metric.
    public init(_ name: String, _ help: String) {
        self.name = name
        self.help = help
    }
}
