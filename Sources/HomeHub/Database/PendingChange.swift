import Foundation
import HAPClient
import HomeModel
import HubAPI

/// A decided change that waits to be stored.
final class PendingChange: Sendable {
    // This is a class because the database completes it while the caller waits for it.

    /// The log positions of the change's entries that the caller can see, or the error if the change could not be
    /// stored.
    typealias Outcome = Result<[LogPlace], HubError>

    /// The change, or `nil` if the request changes nothing.
    let change: Change?
    private let outcome = Submission<Outcome>()

    init(_ change: Change?) {
        self.change = change
        if change == nil { complete(.success([])) }
    }

    /// Waits until the change is stored and every client was notified.
    ///
    /// - Returns: The log positions of the change's entries that the caller can see.
    /// - Throws: ``HubAPI/HubError``, with `storeFailure` if the change could not be stored. Nothing changes then.
    @discardableResult
    func committed() async throws(HubError) -> [LogPlace] { try await outcome.value.get() }

    /// Waits until the change is stored, and returns a result with the log positions of its entries.
    func committed<Value>(_ result: Value) async throws(HubError) -> Committed<Value> {
        Committed(result, follows: try await committed())
    }

    /// Ends the wait. Only the first outcome counts.
    func complete(_ result: Outcome) { outcome.resolve(result) }
}

extension [PendingChange] {
    /// Waits until all changes are stored, and returns a result with the log positions of their entries.
    func committed<Value>(_ result: Value) async throws(HubError) -> Committed<Value> {
        var newest: [UUID?: LogPlace] = [:]
        for change in self {
            for place in try await change.committed() { newest[place.home] = place }
        }
        return Committed(result, follows: [LogPlace](newest.values))
    }
}
