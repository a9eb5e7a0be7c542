import Foundation
import HubAPI

/// A drawing of values over time, in characters.
struct SamplePlot {
    /// The number of lines of the drawing.
    static let height = 10
    /// The width that fits most terminals.
    static let standardWidth = 80
    private static let narrowest = 20
    /// The parts of a character's height, from one eighth to all of it.
    private static let blocks: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
    private static let axis = " ┤"

    private let series: JournalSamples.Series
    private let from: Date
    private let to: Date
    private let width: Int

    /// Creates a drawing.
    ///
    /// - Parameters:
    ///   - series: The values; at least one.
    ///   - from: The left end.
    ///   - to: The right end.
    ///   - width: The number of columns, with the labels.
    init(_ series: JournalSamples.Series, from: Date, to: Date, width: Int) {
        self.series = series
        self.from = from
        self.to = max(to, from + 1)
        self.width = max(width, Self.narrowest)
    }

    /// Returns the lines, from the top to the times at the bottom.
    ///
    /// - Parameters:
    ///   - value: A closure that returns the label of a value.
    ///   - time: A closure that returns the label of a time.
    func lines(value: (Double) -> String, time: (Date) -> String) -> [String] {
        let (low, high) = (series.values.min() ?? 0, series.values.max() ?? 0)
        // Equal values are in the middle.
        let margin = low == high ? 1 : 0.0
        let (bottom, top) = (low - margin, high + margin)
        let labels = [value(high), value(low)]
        let labelWidth = labels.map(\.count).max() ?? 0
        let columns = columns(max(1, width - labelWidth - Self.axis.count))
        let levels = columns.map { column in
            // A value at the bottom still shows.
            column.map { max(1, Int((($0 - bottom) / (top - bottom) * Double(Self.height * 8)).rounded())) }
        }
        var lines: [String] = []
        for row in (0..<Self.height).reversed() {
            let label = row == Self.height - 1 ? labels[0] : row == 0 ? labels[1] : ""
            let bars = levels.map { level -> Character in
                guard let level, level > row * 8 else { return " " }
                return Self.blocks[min(level - row * 8, 8) - 1]
            }
            let line = String(repeating: " ", count: labelWidth - label.count) + label + Self.axis + String(bars)
            lines.append(line.trimmingTrailingSpaces)
        }
        let (start, end) = (time(from), time(to))
        let indent = String(repeating: " ", count: labelWidth + Self.axis.count)
        let gap = max(1, columns.count - start.count - end.count)
        lines.append(indent + start + String(repeating: " ", count: gap) + end)
        return lines
    }

    /// Returns the value of each column: the mean of its samples. A column without samples has the value before it, because
    /// an accessory reports changes only; before the first sample there is none.
    private func columns(_ count: Int) -> [Double?] {
        var sums = [(sum: Double, count: Int)](repeating: (0, 0), count: count)
        let span = to.timeIntervalSince(from)
        for (time, value) in zip(series.times, series.values) {
            let position = (Double(time) / 1_000 - from.timeIntervalSince1970) / span * Double(count)
            let column = min(max(Int(position), 0), count - 1)
            sums[column].sum += value
            sums[column].count += 1
        }
        var last: Double?
        return sums.map { sum in
            if sum.count > 0 { last = sum.sum / Double(sum.count) }
            return last
        }
    }
}

extension String {
    fileprivate var trimmingTrailingSpaces: String {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}

extension ProgramOutput {
    /// The number of columns of the terminal.
    static var width: Int {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
            return SamplePlot.standardWidth
        }
        return Int(size.ws_col)
    }
}
