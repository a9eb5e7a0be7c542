/// Notices that the host slept, or that this process did not run for long: then others may have come and gone unheard, and
/// the host may have been carried to another network.
struct SleepDetector {
    /// How often ``observe(continuous:suspending:)`` is to be called at least.
    static let interval: Duration = .seconds(10)
    /// By how much the clocks may differ without a sleep.
    static let shortestSleep: Duration = .seconds(2)
    /// For how long the process may not run without it being an absence.
    static let longestPause: Duration = .seconds(60)

    private var last: (continuous: Duration, suspending: Duration)?

    /// Reads two clocks: one that goes on while the host sleeps and one that does not. Says whether there was an absence since
    /// they were read last.
    mutating func observe(continuous: Duration, suspending: Duration) -> Bool {
        defer { last = (continuous, suspending) }
        guard let last else { return false }
        let (passed, awake) = (continuous - last.continuous, suspending - last.suspending)
        return passed - awake >= Self.shortestSleep || passed >= Self.longestPause
    }
}
