import HomeModel
import HubAPI
import Synchronization

/// A change that has been decided and waits to be on disk.
final class Commitment: Sendable {
    // A class, because the database settles it and the asker waits for it.

    private enum State {
        case waiting([CheckedContinuation<Result<Void, HubError>, Never>])
        case settled(Result<Void, HubError>)
    }

    /// What was decided; nil when the request changes nothing.
    let change: Change?
    private let state: Mutex<State>

    init(_ change: Change?) {
        self.change = change
        state = Mutex(change == nil ? .settled(.success(())) : .waiting([]))
    }

    /// Waits until the change is on disk and every client has been told.
    ///
    /// - Throws: ``HubError/Code/storeFailure`` when it could not be stored; nothing was changed then.
    func settled() async throws(HubError) {
        let result = await withCheckedContinuation { continuation in
            let result = state.withLock { state -> Result<Void, HubError>? in
                switch state {
                case .settled(let result): return result
                case .waiting(let continuations):
                    state = .waiting(continuations + [continuation])
                    return nil
                }
            }
            if let result { continuation.resume(returning: result) }
        }
        try result.get()
    }

    /// Ends the wait, once.
    func settle(_ result: Result<Void, HubError>) {
        let waiting = state.withLock { state -> [CheckedContinuation<Result<Void, HubError>, Never>] in
            guard case .waiting(let continuations) = state else { return [] }
            state = .settled(result)
            return continuations
        }
        for continuation in waiting { continuation.resume(returning: result) }
    }
}
