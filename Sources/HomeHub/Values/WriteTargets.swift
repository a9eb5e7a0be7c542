import Foundation
import HAPCatalog
import HubAPI
import Synchronization

/// The values that characteristics will have once the writes that are on their way are done: a relative write counts from
/// there, so that two steps that are asked for at once are two steps.
final class WriteTargets: Sendable {
    // A class, because all callers of the writer share it.

    private struct Target {
        var value: CharacteristicValue
        var writes: Int
    }

    private let targets = Mutex<[CharacteristicReference: Target]>([:])

    /// Decides what is written next to a characteristic, and notes it until ``end(_:)``.
    ///
    /// - Parameter decide: Gets the value that the writes on their way will leave, if there are any.
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

    /// Notes that a write is done, or has failed.
    func end(_ characteristic: CharacteristicReference) {
        targets.withLock { targets in
            guard let target = targets[characteristic] else { return }
            targets[characteristic] = target.writes > 1 ? Target(value: target.value, writes: target.writes - 1) : nil
        }
    }
}
