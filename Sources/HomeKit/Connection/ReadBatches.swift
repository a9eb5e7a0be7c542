import Foundation
import HubAPI
import Synchronization

/// The reads that the app requests in one turn of its queue.
///
/// They are sent to the hub together, in one call per accessory server, so that a slow server doesn't delay the others.
struct ReadBatches: ~Copyable {
    /// The home and the accessory server of a call.
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

        /// Passes each read its outcome.
        func complete(_ reply: Result<CharacteristicResults, HubError>) {
            for (index, completion) in completions.enumerated() {
                completion(
                    reply.flatMap { results in
                        guard results.outcomes.indices.contains(index) else {
                            return .failure(HubError(.malformedMessage, "The hub's reply lacks results."))
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
    /// - Returns: Whether it is the first since the last ``drain()``.
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

    /// Removes and returns all batches, in order.
    func drain() -> [Batch] {
        batches.withLock { batches in
            defer { batches = [] }
            return batches
        }
    }
}
