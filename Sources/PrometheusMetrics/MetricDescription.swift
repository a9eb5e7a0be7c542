/// What a metric counts, for those who read the exposition.
package struct MetricDescription: Hashable, Sendable {
    /// The metric's name, in Prometheus' way of writing: `hearth_questions_open`.
    package var name: String
    /// What it counts, in which unit.
    package var help: String

    /// Describes a metric.
    package init(_ name: String, _ help: String) {
        self.name = name
        self.help = help
    }
}
