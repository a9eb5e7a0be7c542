import Foundation

/// The recent firings of a trigger, counted to stop loops that no chain of causes shows, such as through an accessory
/// that answers each write with a change of its own.
struct FiringRate: Hashable, Sendable {
    private var firings: [Date] = []

    /// Counts a firing, unless there were too many within the window.
    ///
    /// - Returns: Whether it was counted.
    mutating func count(at now: Date) -> Bool {
        let window = Double(AutomationLimits.firingWindow)
        // Firings after now are of a clock that has been set back.
        firings.removeAll { now.timeIntervalSince($0) >= window || $0 > now }
        guard firings.count < AutomationLimits.firingsPerWindow else { return false }
        firings.append(now)
        return true
    }
}
