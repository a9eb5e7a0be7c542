/// Limits how often something happens for each of many keys: a burst at once, then at a steady rate.
struct RateLimiter<Key: Hashable & Sendable>: Sendable {
    /// A rate.
    struct Rate: Hashable, Sendable {
        /// How many are allowed at once.
        var burst: Int
        /// How many are allowed in each period after that.
        var count: Int
        /// The period, in milliseconds.
        var period: Int64

        /// As many in a minute as at once.
        static func perMinute(_ count: Int) -> Rate { Rate(burst: count, count: count, period: 60_000) }
        /// As many in a day as at once.
        static func perDay(_ count: Int) -> Rate { Rate(burst: count, count: count, period: 86_400_000) }

        /// The time that one takes at the steady rate, in milliseconds.
        fileprivate var interval: Double { Double(period) / Double(max(1, count)) }
    }

    /// For each key, when everything so far has been worked off at the steady rate, in milliseconds.
    private var doneAt: [Key: Double] = [:]
    /// The latest time.
    private var latest = Int64.min
    private let capacity: Int

    /// How far the time goes back when the clock was set, in milliseconds. Less is callers that overtake each other.
    private static var setBack: Int64 { 1_000 }

    /// - Parameter capacity: The maximum number of keys.
    init(capacity: Int) {
        self.capacity = capacity
    }

    /// Counts something, if the rate allows it.
    ///
    /// - Parameter now: The time in milliseconds.
    /// - Returns: `nil` if it is allowed; otherwise the seconds to wait.
    mutating func take(_ key: Key, _ count: Int = 1, at rate: Rate, now: Int64) -> Int? {
        follow(now)
        let time = Double(now)
        let start = max(doneAt[key] ?? time, time)
        let end = start + Double(count) * rate.interval
        let excess = end - time - Double(rate.burst) * rate.interval
        // A sum of intervals may exceed the burst by a rounding error, which is less than one of many.
        guard excess <= min(0.5, rate.interval / 2) else { return max(1, Int((excess / 1_000).rounded(.up))) }
        doneAt[key] = end
        if doneAt.count > capacity { forget(before: time) }
        return nil
    }

    /// Counts something that has happened already.
    ///
    /// - Parameter now: The time in milliseconds.
    /// - Returns: The milliseconds after which the rate is kept again; 0 if it is.
    mutating func charge(_ key: Key, _ count: Int, at rate: Rate, now: Int64) -> Int64 {
        follow(now)
        let time = Double(now)
        let end = max(doneAt[key] ?? time, time) + Double(count) * rate.interval
        doneAt[key] = end
        if doneAt.count > capacity { forget(before: time) }
        return max(0, Int64((end - time - Double(rate.burst) * rate.interval).rounded(.up)))
    }

    /// Follows the clock, which may have been set back: what was used then counts for no longer than before.
    private mutating func follow(_ now: Int64) {
        if latest != .min, latest - now > Self.setBack {
            let shift = Double(latest - now)
            doneAt = doneAt.mapValues { $0 - shift }
            latest = now
        } else {
            latest = max(latest, now)
        }
    }

    /// Forgets keys that are as good as new. If all are busy, it forgets all: to refuse others would be worse.
    private mutating func forget(before time: Double) {
        doneAt = doneAt.filter { $0.value > time }
        if doneAt.count > capacity { doneAt = [:] }
    }
}
