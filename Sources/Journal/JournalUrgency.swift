/// How soon what is recorded is written.
package enum JournalUrgency: Comparable, Sendable {
    /// After ``JournalLimits/reportDelay``: what accessories have just done by themselves.
    case report
    /// After ``JournalLimits/delay``.
    case usual
    /// Now, because it has waited before, or much waits.
    case high

    /// Returns the time after which it is written.
    func delay(_ limits: JournalLimits) -> Duration {
        switch self {
        case .report: limits.reportDelay
        case .usual: limits.delay
        case .high: .zero
        }
    }
}
