/// A description of a metric for readers of the exposition.
package struct MetricDescription: Hashable, Sendable {
    /// The metric's name in Prometheus' form: `hearth_questions_open`.
    package var name: String
    /// The meaning of the metric, with its unit.
    package var help: String

    /// Creates a description of a metric.
    package init(_ name: String, _ help: String) {
        self.name = name
        self.help = help
    }
}
