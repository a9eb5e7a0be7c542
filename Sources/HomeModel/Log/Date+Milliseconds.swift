package import Foundation

extension Date {
    /// The time in whole milliseconds since 1970, rounded and clamped to the range that a log can store.
    package var milliseconds: Int64 {
        let milliseconds = (timeIntervalSince1970 * 1_000).rounded()
        // The limit is 35,000 years, within which a Date still distinguishes adjacent milliseconds.
        let limit = Double(1 << 50)
        guard milliseconds.isFinite else { return milliseconds < 0 ? -(1 << 50) : 1 << 50 }
        return Int64(min(max(milliseconds, -limit), limit))
    }

    /// Creates a time from milliseconds since 1970.
    package init(milliseconds: Int64) {
        self.init(timeIntervalSince1970: Double(milliseconds) / 1_000)
    }
}
