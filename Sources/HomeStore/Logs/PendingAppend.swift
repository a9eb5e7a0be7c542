import HomeModel
import Synchronization

/// A batch of drafts that has its place in the queue, and the result of writing it.
///
/// A class because the caller waits for what the database's writer brings.
final class PendingAppend: Sendable {
    private typealias Waiter = CheckedContinuation<[AppendedEntry], any Error>

    private enum State {
        case unfinished(waiter: Waiter?)
        case finished(Result<[AppendedEntry], any Error>)
    }

    /// The drafts.
    let batch: Batch
    private let state = Mutex(State.unfinished(waiter: nil))

    init(_ batch: Batch) {
        self.batch = batch
    }

    /// Waits until the batch is written. For one caller.
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

    /// Ends the wait, once.
    func finish(_ result: Result<[AppendedEntry], any Error>) {
        let waiter = state.withLock { state -> Waiter? in
            guard case .unfinished(let waiter) = state else { return nil }
            state = .finished(result)
            return waiter
        }
        waiter?.resume(with: result)
    }
}
