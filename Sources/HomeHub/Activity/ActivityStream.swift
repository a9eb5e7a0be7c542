import Synchronization

/// The stream of the hub's activities.
///
/// Parts of the hub subscribe to it. The subscriber that sends events to the clients is ``SessionFeed``.
///
/// Subscribers run in the order in which they subscribed, on the publisher's thread. The publisher keeps its activities
/// in order in the meantime: the database publishes from its actor, and ``LiveState`` publishes values and reachability
/// under its lock. A subscriber must therefore return quickly and must not call the publisher.
final class ActivityStream: Sendable {
    // This is a class because all parts of the hub share one stream.

    typealias Subscriber = @Sendable (Activity) -> Void

    private let subscribers = Mutex<[Subscriber]>([])

    /// Adds a subscriber, for as long as the hub runs.
    func subscribe(_ subscriber: @escaping Subscriber) {
        subscribers.withLock { $0.append(subscriber) }
    }

    /// Sends an activity to every subscriber.
    func publish(_ activity: Activity) {
        // Subscribers are called outside the lock, so that a slow one doesn't hold up other publishers.
        for subscriber in subscribers.withLock({ $0 }) { subscriber(activity) }
    }
}
