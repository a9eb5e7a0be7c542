import Synchronization

/// The one stream of everything that happens in the hub: parts of the hub subscribe to it, and ``SessionFeed`` is the
/// subscriber that tells the clients.
///
/// Subscribers run in the order in which they subscribed, on the publisher's thread, while the publisher holds what keeps
/// its own activities in order: the database's are published by its actor, values and reachability under the lock of
/// ``LiveState``. A subscriber therefore returns soon and does not call back into the publisher.
final class ActivityStream: Sendable {
    // A class, because all parts of the hub share the one stream.

    typealias Subscriber = @Sendable (Activity) -> Void

    private let subscribers = Mutex<[Subscriber]>([])

    /// Adds a subscriber, for as long as the hub runs.
    func subscribe(_ subscriber: @escaping Subscriber) {
        subscribers.withLock { $0.append(subscriber) }
    }

    /// Hands an activity to every subscriber.
    func publish(_ activity: Activity) {
        // Called outside the lock: one subscriber may be slower than another publisher can wait.
        for subscriber in subscribers.withLock({ $0 }) { subscriber(activity) }
    }
}
