import Consensus
import HomeIdentity
import Synchronization

/// When the leaders of houses with two hubs were last heard. What may have come before this process started counts as heard
/// then, so that a relay that restarts helps nobody to disturb a leader.
final class LeaderTimes: Sendable {
    // This is a class because all requests share it.

    private struct State {
        var heard: [HouseID: ContinuousClock.Instant] = [:]
        /// What the others were heard at the latest.
        var others = ContinuousClock.now
    }

    private let capacity: Int
    private let state = Mutex(State())

    /// - Parameter capacity: The maximum number of houses that are remembered.
    init(capacity: Int) {
        self.capacity = capacity
    }

    /// Records that a house's leader was heard.
    func hear(_ house: HouseID) {
        state.withLock { state in
            let now = ContinuousClock.now
            if state.heard.count >= capacity {
                state.heard = [:]
                state.others = now
            }
            state.heard[house] = now
        }
    }

    /// Returns whether a house's leader was heard in the last ``Consensus/ConsensusTimes/leaderHeard``.
    func hasLeader(_ house: HouseID) -> Bool {
        state.withLock { ContinuousClock.now - ($0.heard[house] ?? $0.others) < ConsensusTimes.leaderHeard }
    }
}
