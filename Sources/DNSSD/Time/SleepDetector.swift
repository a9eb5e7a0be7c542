/// Detects that the host slept, or that this process didn't run for a long time. Other hosts may have come and left
/// unnoticed, and the host may be on another network.
struct SleepDetector {
    /// The maximum interval between calls of ``observe(continuous:suspending:)``.
    static let interval: Duration = .seconds(10)
    /// The minimum difference between the clocks that counts as a sleep.
    static let minimumSleep: Duration = .seconds(2)
    /// The maximum time that the process may pause without it counting as a sleep.
    static let maximumPause: Duration = .seconds(60)

    private var last: (continuous: Duration, suspending: Duration)?

    /// Observes two clocks, one that continues during sleep and one that doesn't. Returns whether there was a sleep
    /// since the last call.
    mutating func observe(continuous: Duration, suspending: Duration) -> Bool {
        defer { last = (continuous, suspending) }
        guard let last else { return false }
        let (passed, awake) = (continuous - last.continuous, suspending - last.suspending)
        return passed - awake >= Self.minimumSleep || passed >= Self.maximumPause
    }
}
