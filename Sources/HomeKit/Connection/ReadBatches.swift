import Foundation
import HubAPI
import Synchronization

/// Reads that the app asks for in one turn of its queue: they go to the hub together, one call for each accessory server,
/// so that a server that is slow holds up no other.
struct ReadBatches: ~Copyable {
    /// What the reads of one call have in common.
    struct Target: Hashable, Sendable {
        var home: UUID
        /// The server that has the accessories.
        var server: String
    }

    typealias Completion = @Sendable (Result<CharacteristicResults.Outcome, HubError>) -> Void

    /// The reads of one call.
    struct Batch: Sendable {
        var target: Target
        var characteristics: [CharacteristicReference] = []
        var completions: [Completion] = []

        /// Hands each read its outcome.
        func complete(_ reply: Result<CharacteristicResults, HubError>) {
            for (index, completion) in completions.enumerated() {
                completion(
                    reply.flatMap { results in
                        guard results.outcomes.indices.contains(index) else {
                            return .failure(HubError(.malformedMessage, "The hub's answer is too short."))
                        }
                        return .success(results.outcomes[index])
                    }
                )
            }
        }
    }

    private let batches = Mutex<[Batch]>([])

    /// Adds a read.
    ///
    /// - Returns: Whether it is the first since the last ``take()``.
    func add(
        _ characteristic: CharacteristicReference,
        of target: Target,
        _ completion: @escaping Completion
    ) -> Bool {
        batches.withLock { batches in
            let isFirst = batches.isEmpty
            let place = batches.lastIndex { $0.target == target }
            if let place, batches[place].characteristics.count < HubProtocol.characteristicsPerCall {
                batches[place].characteristics.append(characteristic)
                batches[place].completions.append(completion)
            } else {
                batches.append(
                    Batch(target: target, characteristics: [characteristic], completions: [completion])
                )
            }
            return isFirst
        }
    }

    /// What is to be read, in order.
    func take() -> [Batch] {
        batches.withLock { batches in
            defer { batches = [] }
            return batches
        }
    }
}
