/// The labels of a series, sorted by name.
struct LabelSet: Hashable, Sendable {
    /// The labels in the text format, without braces; empty for none.
    let text: String

    /// Creates a set from labels. If two have the same name, the last one counts.
    init(_ dimensions: [(String, String)] = []) {
        let labels = Dictionary(dimensions.map { ($0.asLabelName, $1) }, uniquingKeysWith: { $1 })
        text = labels.sorted { $0.key < $1.key }.map { "\($0)=\"\($1.asLabelValue)\"" }.joined(separator: ",")
    }
}

extension String {
    /// The text as a metric name. Invalid characters become underscores.
    var asMetricName: String { named(orColon: true) }

    /// The text as a label name. Prometheus reserves names that begin with two underscores, and `le` for histograms.
    fileprivate var asLabelName: String {
        let name = named(orColon: false)
        return name.hasPrefix("__") || name == "le" ? "label_" + name : name
    }

    fileprivate var asLabelValue: String {
        replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }

    private func named(orColon: Bool) -> String {
        var name = ""
        for character in unicodeScalars {
            switch character {
            case "a"..."z", "A"..."Z", "_": name.unicodeScalars.append(character)
            case "0"..."9" where !name.isEmpty: name.unicodeScalars.append(character)
            case ":" where orColon: name.unicodeScalars.append(character)
            default: name += "_"
            }
        }
        return name.isEmpty ? "_" : name
    }
}
