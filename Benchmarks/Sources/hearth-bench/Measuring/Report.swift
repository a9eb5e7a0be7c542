import Foundation

/// The results of a run.
struct Report: Encodable {
    let machine: Machine
    let rows: [Row]

    /// The results as a Markdown table, below the description of the machine.
    var table: String {
        let header = ["", "unit", "goal", "reference kit", "HAP-python", "ours", "worst", "n", ""]
        let lines = [header] + rows.map(Self.cells)
        let widths = header.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
        func line(_ cells: [String]) -> String {
            let padded = zip(cells, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
            return "| " + padded.joined(separator: " | ") + " |"
        }
        let rule = "|" + widths.map { String(repeating: "-", count: $0 + 2) }.joined(separator: "|") + "|"
        return ([machine.description, "", line(lines[0]), rule] + lines.dropFirst().map(line)).joined(separator: "\n")
    }

    private static func cells(of row: Row) -> [String] {
        let goal =
            switch row.goal {
            case .atMost(let limit): "≤ \(number(limit))"
            case .atLeast(let limit): "≥ \(number(limit))"
            case .low, .high: ""
            }
        return [
            row.what, row.unit, goal, row.kit, row.theirs.map { number($0.median) } ?? "", number(row.ours.median),
            number(row.goal.worst(of: row.ours)), String(row.ours.count), row.isMissed ? "MISSED" : "",
        ]
    }

    /// Formats a number with three significant digits, and without a fraction above a hundred.
    private static func number(_ value: Double) -> String {
        let digits = abs(value) >= 100 ? 0 : abs(value) >= 10 ? 1 : 2
        return String(format: "%.\(digits)f", value)
    }
}

extension Row: Encodable {
    private enum CodingKeys: CodingKey {
        case what, unit, goal, isMissed, hapPython, ours
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(what, forKey: .what)
        try container.encode(unit, forKey: .unit)
        switch goal {
        case .atMost(let limit), .atLeast(let limit): try container.encode(limit, forKey: .goal)
        case .low, .high: break
        }
        try container.encode(isMissed, forKey: .isMissed)
        try container.encodeIfPresent(theirs?.values, forKey: .hapPython)
        try container.encode(ours.values, forKey: .ours)
    }
}
