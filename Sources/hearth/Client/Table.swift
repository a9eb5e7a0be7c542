import Foundation

/// A table with aligned columns.
struct Table {
    private var rows: [[String]] = []

    mutating func add(_ cells: String...) {
        rows.append(cells)
    }

    /// Prints the rows. Each column is as wide as its widest cell.
    func print(indented: Bool = false) {
        let columns = rows.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in
            rows.compactMap { $0.indices.contains(column) ? $0[column].count : nil }.max() ?? 0
        }
        for row in rows {
            var line = ""
            for (cell, width) in zip(row, widths) {
                line += cell + String(repeating: " ", count: width - cell.count + 2)
            }
            line = line.trimmingCharacters(in: .whitespaces)
            ProgramOutput.line(indented ? "  \(line)" : line)
        }
    }
}
