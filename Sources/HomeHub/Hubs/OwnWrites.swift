import HomeStore
import Synchronization

/// The secrets and states that this hub is writing, so that it doesn't take its own writes for the other hub's.
///
/// What a part of the hub keeps in memory is as new as its last write. The other hub's write of the same key counts only if
/// none of this hub's comes after it.
final class OwnWrites: Sendable {
    // This is a class because whoever writes and whoever follows the batches share it.

    private struct Writes {
        var secrets: [SecretKey: [[UInt8]?]] = [:]
        var states: [StateKey: [[UInt8]?]] = [:]
    }

    private let writes = Mutex(Writes())

    /// Records that this hub is about to write.
    func begin(_ steps: [BatchContent.Step]) {
        writes.withLock { writes in
            for step in steps {
                switch step {
                case .setSecrets(let values):
                    for (key, value) in values { writes.secrets[key, default: []].append(value) }
                case .setStates(let values):
                    for (key, value) in values { writes.states[key, default: []].append(value) }
                case .append, .claim, .complete, .setMetadata, .part: break
                }
            }
        }
    }

    /// Records that this hub's write failed. If it happens after all, it counts as the other hub's.
    func fail(_ steps: [BatchContent.Step]) {
        for step in steps {
            switch step {
            case .setSecrets(let values): _ = foreign(values)
            case .setStates(let values): _ = foreign(values)
            case .append, .claim, .complete, .setMetadata, .part: break
            }
        }
    }

    /// Returns the secrets of a batch that parts of this hub must take over. Those that this hub wrote are recorded as written.
    func foreign(_ values: [SecretKey: [UInt8]?]) -> [SecretKey: [UInt8]?] {
        writes.withLock { Self.foreign(values, &$0.secrets) }
    }

    /// Returns the states of a batch that parts of this hub must take over.
    func foreign(_ values: [StateKey: [UInt8]?]) -> [StateKey: [UInt8]?] {
        writes.withLock { Self.foreign(values, &$0.states) }
    }

    private static func foreign<Key: Hashable>(
        _ values: [Key: [UInt8]?],
        _ writes: inout [Key: [[UInt8]?]]
    ) -> [Key: [UInt8]?] {
        values.filter { key, value in
            guard var own = writes[key] else { return true }
            if let index = own.firstIndex(of: value) {
                own.remove(at: index)
                writes[key] = own.isEmpty ? nil : own
            }
            return false
        }
    }
}
