import Replication
import Synchronization

/// A time that the test advances.
final class ManualTime: Sendable {
    // This is a class because hubs and the test share it.

    private struct State {
        var now = Duration.seconds(100)
        var sleepers: [Int: (deadline: Duration, continuation: CheckedContinuation<Void, any Error>)] = [:]
        var number = 0
    }

    private let state = Mutex(State())

    var clock: ReplicationClock {
        ReplicationClock(now: { self.state.withLock(\.now) }, sleep: { try await self.sleep(until: $0) })
    }

    private func sleep(until deadline: Duration) async throws {
        let number = state.withLock { state in
            state.number += 1
            return state.number
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let isDue = state.withLock { state in
                    if deadline > state.now { state.sleepers[number] = (deadline, continuation) }
                    return deadline <= state.now
                }
                if isDue { continuation.resume() }
                // Cancelled before it was stored.
                if Task.isCancelled { cancel(number) }
            }
        } onCancel: {
            cancel(number)
        }
    }

    private func cancel(_ number: Int) {
        state.withLock { $0.sleepers.removeValue(forKey: number) }?.continuation.resume(throwing: CancellationError())
    }

    func advance(by step: Duration) {
        let due = state.withLock { state in
            state.now += step
            let due = state.sleepers.filter { $0.value.deadline <= state.now }
            for number in due.keys { state.sleepers[number] = nil }
            return due.values.map(\.continuation)
        }
        for continuation in due { continuation.resume() }
    }
}
