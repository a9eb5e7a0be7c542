package import Foundation

extension Date {
    /// Whole milliseconds since 1970, rounded; times that a log cannot say become the nearest one that it can.
    package var milliseconds: Int64 {
        let milliseconds = (timeIntervalSince1970 * 1_000).rounded()
        // Far enough (35,000 years), and near enough for a Date to tell neighbouring milliseconds apart.
        let limit = Double(1 << 50)
        guard milliseconds.isFinite else { return milliseconds < 0 ? -(1 << 50) : 1 << 50 }
        return Int64(min(max(milliseconds, -limit), limit))
    }

    init(milliseconds: Int64) {
        self.init(timeIntervalSince1970: Double(milliseconds) / 1_000)
    }
}
