import Foundation
import HomeModel
import HubAPI
import Synchronization

/// A change that has been decided and waits to be on disk.
final class PendingChange: Sendable {
    // A class, because the database settles it and the asker waits for it.

    /// Where the entries came to lie that whoever asked may see, or why there are none.
    typealias Outcome = Result<[LogPlace], HubError>

    private enum State {
        case waiting([CheckedContinuation<Outcome, Never>])
        case settled(Outcome)
    }

    /// What was decided; nil when the request changes nothing.
    let change: Change?
    private let state: Mutex<State>

    init(_ change: Change?) {
        self.change = change
        state = Mutex(change == nil ? .settled(.success([])) : .waiting([]))
    }

    /// Waits until the change is on disk and every client has been told.
    ///
    /// - Returns: Where the entries came to lie that whoever asked may see.
    /// - Throws: ``HubError/Code/storeFailure`` when it could not be stored; nothing was changed then.
    @discardableResult
    func settled() async throws(HubError) -> [LogPlace] {
        let result = await withCheckedContinuation { continuation in
            let result = state.withLock { state -> Outcome? in
                switch state {
                case .settled(let result): return result
                case .waiting(let continuations):
                    state = .waiting(continuations + [continuation])
                    return nil
                }
            }
            if let result { continuation.resume(returning: result) }
        }
        return try result.get()
    }

    /// Waits likewise, and gives the result that the change has for whoever asked.
    func settled<Value>(_ result: Value) async throws(HubError) -> Committed<Value> {
        Committed(result, follows: try await settled())
    }

    /// Ends the wait, once.
    func settle(_ result: Outcome) {
        let waiting = state.withLock { state -> [CheckedContinuation<Outcome, Never>] in
            guard case .waiting(let continuations) = state else { return [] }
            state = .settled(result)
            return continuations
        }
        for continuation in waiting { continuation.resume(returning: result) }
    }
}

extension [PendingChange] {
    /// Waits until all changes are on disk and every client has been told, and gives the result that they have together.
    func settled<Value>(_ result: Value) async throws(HubError) -> Committed<Value> {
        var newest: [UUID?: LogPlace] = [:]
        for commitment in self {
            for place in try await commitment.settled() { newest[place.home] = place }
        }
        return Committed(result, follows: [LogPlace](newest.values))
    }
}
