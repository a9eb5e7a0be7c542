/// The labels of a series, by name.
struct LabelSet: Hashable, Sendable {
    /// As they stand in the exposition, without braces; empty for none.
    let text: String

    /// Takes labels; of two with one name the last counts.
    init(_ dimensions: [(String, String)] = []) {
        let labels = Dictionary(dimensions.map { ($0.asLabelName, $1) }, uniquingKeysWith: { $1 })
        text = labels.sorted { $0.key < $1.key }.map { "\($0)=\"\($1.asLabelValue)\"" }.joined(separator: ",")
    }
}

extension String {
    /// The text as the name of a metric: other characters become underscores.
    var asMetricName: String { named(orColon: true) }

    /// The text as the name of a label. Names that begin with two underscores are Prometheus' own, and `le` is that of
    /// histograms.
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
