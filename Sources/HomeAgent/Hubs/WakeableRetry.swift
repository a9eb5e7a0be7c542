import Dispatch
import Foundation
import HubClient
import Synchronization

/// The pauses between attempts to reach a hub: longer after each failure, at random, so that the devices of a home don't all
/// come at once. A hint that the hub is back ends the present pause.
final class WakeableRetry: Sendable {
    // This is a class because the link's timer and whoever has the hint share it.

    private struct State {
        var last = 0
        var waiting: (number: Int, work: @Sendable () -> Void)?
    }

    private let state = Mutex(State())
    private let shortest: Duration
    private let longest: Duration

    init(shortest: Duration = AgentLimits.retry.shortest, longest: Duration = AgentLimits.retry.longest) {
        self.shortest = shortest
        self.longest = longest
    }

    /// The policy for a link.
    var policy: RetryPolicy {
        RetryPolicy(
            delay: { [shortest, longest] failures in
                let full = min(shortest * (1 << min(failures, 16)), longest)
                return full * Double.random(in: 0.5...1)
            },
            wait: { [weak self] delay, work in self?.wait(delay, work) }
        )
    }

    private func wait(_ delay: Duration, _ work: @escaping @Sendable () -> Void) {
        let number = state.withLock { state in
            state.last += 1
            state.waiting = (state.last, work)
            return state.last
        }
        RetryPolicy.standard.wait(delay) { [weak self] in self?.end(number) }
    }

    /// Ends the present pause, if there is one.
    func wake() {
        let number = state.withLock { $0.waiting?.number }
        if let number { end(number) }
    }

    private func end(_ number: Int) {
        let work = state.withLock { state -> (@Sendable () -> Void)? in
            guard let waiting = state.waiting, waiting.number == number else { return nil }
            state.waiting = nil
            return waiting.work
        }
        work?()
    }
}
