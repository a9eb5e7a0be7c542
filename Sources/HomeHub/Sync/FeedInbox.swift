import HubAPI
import Synchronization

/// The events of a feed's session that aren't written yet. It is bounded: a writer whose relay can't be reached writes the
/// current state later, in place of all changes.
final class FeedInbox: Sendable {
    // This is a class because the session fills it and the writer empties it.

    /// What to write.
    struct Batch: Hashable, Sendable {
        /// The full state, before the changes; `nil` if there are only changes.
        var reset: Snapshot?
        /// The changes of logs, and the homes that are gone.
        var events: [HubEvent] = []
        /// Whether changes were dropped, so that the full state must follow.
        var hasMissed = false

        /// Adds what came later.
        mutating func append(_ later: Batch) {
            if later.reset != nil {
                self = later
            } else if later.hasMissed {
                self = Batch(hasMissed: true)
            } else if !hasMissed {
                events += later.events
            }
        }
    }

    /// The maximum number of changes.
    static let limit = 1_000

    private let batch = Mutex(Batch())

    /// Adds an event, unless feeds don't have it: values, reachability and runs.
    ///
    /// - Returns: Whether there is something new to write.
    func add(_ event: HubEvent) -> Bool {
        batch.withLock { batch in
            switch event {
            case .reset(let snapshot):
                batch = Batch(reset: snapshot)
            case .change, .homeGone:
                guard batch.events.count < Self.limit else {
                    batch = Batch(hasMissed: true)
                    return true
                }
                guard !batch.hasMissed else { return true }
                batch.events.append(event)
            default:
                return false
            }
            return true
        }
    }

    /// Removes what there is to write.
    func take() -> Batch {
        batch.withLock { batch in
            defer { batch = Batch() }
            return batch
        }
    }
}
