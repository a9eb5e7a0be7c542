import Foundation

/// The guard against triggers that set each other off.
enum LoopGuard {
    /// Returns whether a trigger may fire after a chain of other firings.
    static func allows(_ trigger: UUID, after causes: [UUID]) -> Bool {
        causes.count < AutomationLimits.chainLength
            && causes.count { $0 == trigger } < AutomationLimits.firingsPerChain
    }
}
