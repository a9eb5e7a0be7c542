/// The services of one type or subtype on the network, or one service that is known by name, as a sequence of changes that
/// goes on until the iteration is cancelled or the ``MulticastDNS`` is shut down.
///
/// Each iteration is a browse of its own: it starts with a ``BrowseEvent/found(_:)`` for every service already known.
/// Questions are asked while at least one iteration goes on; leaving the loop, releasing the iterator or cancelling its task
/// ends it. The sequence may be iterated by any number of tasks on any thread, an iterator by one at a time.
///
/// A consumer that is slow does not make the library buffer: per service only the difference between what was delivered
/// last and what is true now is kept, so a service that came and went meanwhile may not be seen at all.
public struct ServiceBrowser: AsyncSequence, Sendable {
    /// What the sequence yields.
    public typealias Element = BrowseEvent
    /// The sequence ends without an error.
    public typealias Failure = Never

    let interest: BrowseInterest
    let owner: MulticastDNS

    /// The type of the services.
    public var type: ServiceType { interest.type }

    /// Starts a browse.
    public func makeAsyncIterator() -> Iterator {
        Iterator(subscription: owner.subscribe(to: interest))
    }

    /// One browse. It ends when the iterator is released.
    public struct Iterator: AsyncIteratorProtocol {
        let subscription: BrowseSubscription

        /// Waits for the next change; `nil` once the task is cancelled or the ``MulticastDNS`` is shut down.
        public mutating func next() async -> BrowseEvent? {
            await subscription.next()
        }

        /// Waits for the next change; `nil` once the task is cancelled or the ``MulticastDNS`` is shut down.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> BrowseEvent? {
            await subscription.next()
        }
    }
}
