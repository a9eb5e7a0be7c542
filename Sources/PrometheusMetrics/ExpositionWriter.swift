/// A writer for Prometheus' text format 0.0.4. Source: Prometheus, “Exposition formats”.
struct ExpositionWriter {
    /// The text so far.
    private(set) var text = ""

    /// Begins a metric.
    mutating func begin(_ name: String, _ help: String?, _ kind: MetricKind) {
        if let help {
            let line = help.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
            text += "# HELP \(name) \(line)\n"
        }
        text += "# TYPE \(name) \(kind.rawValue)\n"
    }

    /// Writes a sample of the current metric.
    ///
    /// - Parameter label: An additional label in the form of the text format.
    mutating func sample(_ name: String, _ labels: LabelSet, _ value: String, and label: String = "") {
        let all = [labels.text, label].filter { !$0.isEmpty }.joined(separator: ",")
        text += all.isEmpty ? "\(name) \(value)\n" : "\(name){\(all)} \(value)\n"
    }
}
