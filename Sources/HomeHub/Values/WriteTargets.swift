import Foundation
import HAPCatalog
import HubAPI
import Synchronization

/// The values that characteristics will have once all writes in progress are done.
///
/// A relative write starts from there, so that two simultaneous steps add up.
final class WriteTargets: Sendable {
    // This is a class because all callers of the writer share it.

    private struct Target {
        var value: CharacteristicValue
        var writes: Int
    }

    private let targets = Mutex<[CharacteristicReference: Target]>([:])

    /// Decides the next value of a characteristic, and registers it until ``end(_:)``.
    ///
    /// - Parameter decide: A closure that returns the value to write. Its argument is the value that the writes in
    ///   progress will leave, or `nil` if there are none.
    func begin<Failure: Error>(
        _ characteristic: CharacteristicReference,
        _ decide: (CharacteristicValue?) throws(Failure) -> CharacteristicValue
    ) throws(Failure) -> CharacteristicValue {
        try targets.withLock { (targets) throws(Failure) in
            let value = try decide(targets[characteristic]?.value)
            targets[characteristic] = Target(value: value, writes: (targets[characteristic]?.writes ?? 0) + 1)
            return value
        }
    }

    /// Unregisters a write that succeeded or failed.
    func end(_ characteristic: CharacteristicReference) {
        targets.withLock { targets in
            guard let index = targets.index(forKey: characteristic) else { return }
            targets.values[index].writes -= 1
            if targets.values[index].writes == 0 { targets.remove(at: index) }
        }
    }
}
