import Foundation

/// The time that has passed in the engine, so that a clock that is set back doesn't let the same times fire again.
///
/// Each time that the clock is set back begins another epoch. A time is done if it passed in an earlier epoch that the
/// trigger was part of.
struct PassedTime: Hashable, Sendable {
    /// A time within an epoch.
    struct Mark: Hashable, Sendable {
        fileprivate let epoch: Int
        fileprivate let time: Date
    }

    private struct Period: Hashable, Sendable {
        let epoch: Int
        let start: Date
        let end: Date
    }

    private var periods: [Period] = []
    private var start: Date
    /// The time now.
    private(set) var now: Date
    private var epoch = 0

    init(at now: Date) {
        start = now
        self.now = now
    }

    /// Sets the time. It stands still for a clock that was set back by up to ``AutomationLimits/lateness`` seconds, until
    /// the clock has caught up.
    ///
    /// - Parameters:
    ///   - time: The time now.
    ///   - isSkipping: Whether the clock was set forward, or the machine was suspended. The time in between hasn't passed,
    ///     except the last ``AutomationLimits/lateness`` seconds, in which everything still fires.
    /// - Returns: Whether the clock was set back by more than these seconds.
    mutating func set(_ time: Date, skippingTime isSkipping: Bool) -> Bool {
        let lateness = Double(AutomationLimits.lateness)
        if time < now.addingTimeInterval(-lateness) {
            endPeriod(nextStart: time)
            now = time
            epoch += 1
            return true
        }
        if isSkipping { endPeriod(nextStart: max(now, time.addingTimeInterval(-lateness))) }
        now = max(now, time)
        return false
    }

    private mutating func endPeriod(nextStart: Date) {
        periods.append(Period(epoch: epoch, start: start, end: now))
        if periods.count > AutomationLimits.rememberedPeriods { periods.removeFirst() }
        start = nextStart
    }

    /// Returns a time of the current epoch.
    func mark(_ time: Date) -> Mark { Mark(epoch: epoch, time: time) }

    /// Returns whether a time passed before the clock was set back.
    ///
    /// - Parameter mark: Since when it matters.
    func isDone(_ time: Date, since mark: Mark) -> Bool {
        periods.contains { period in
            guard period.epoch >= mark.epoch, period.start < time, time <= period.end else { return false }
            return period.epoch > mark.epoch || time > mark.time
        }
    }
}
