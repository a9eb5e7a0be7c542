import HomeModel
import Synchronization

/// A queued batch of drafts, and the result of writing it.
///
/// This is a class because the caller waits for a result that the database's writer sets.
final class PendingAppend: Sendable {
    private typealias Waiter = CheckedContinuation<[AppendedEntry], any Error>

    private enum State {
        case unfinished(waiter: Waiter?)
        case finished(Result<[AppendedEntry], any Error>)
    }

    /// The drafts.
    let batch: DraftGroup
    private let state = Mutex(State.unfinished(waiter: nil))

    init(_ batch: DraftGroup) {
        self.batch = batch
    }

    /// Waits until the batch is written. Only one caller may wait.
    func result() async throws -> [AppendedEntry] {
        try await withCheckedThrowingContinuation { (waiter: Waiter) in
            let result = state.withLock { state -> Result<[AppendedEntry], any Error>? in
                if case .finished(let result) = state { return result }
                state = .unfinished(waiter: waiter)
                return nil
            }
            if let result { waiter.resume(with: result) }
        }
    }

    /// Sets the result, once.
    func finish(_ result: Result<[AppendedEntry], any Error>) {
        let waiter = state.withLock { state -> Waiter? in
            guard case .unfinished(let waiter) = state else { return nil }
            state = .finished(result)
            return waiter
        }
        waiter?.resume(with: result)
    }
}
