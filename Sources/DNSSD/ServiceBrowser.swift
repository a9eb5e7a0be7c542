/// A sequence of changes of the services of a type or subtype, or of one service with a known name. It ends when the
/// iteration is canceled or the ``MulticastDNS`` is shut down.
///
/// Each iteration is a separate browse, which starts with a ``BrowseEvent/found(_:)`` for every known service. Queries
/// are sent while at least one iteration exists. To end it, leave the loop, release the iterator or cancel its task.
/// Any number of tasks can iterate the sequence; an iterator can be used by one task at a time.
///
/// A slow consumer doesn't cause unlimited buffering. Only the difference between the last delivered and the current
/// state of each service is stored, so a service that appeared and disappeared in the meantime may not be reported.
public struct ServiceBrowser: AsyncSequence, Sendable {
    /// The type of the elements.
    public typealias Element = BrowseEvent
    /// The sequence doesn't throw.
    public typealias Failure = Never

    let interest: BrowseInterest
    let owner: MulticastDNS

    /// The type of the services.
    public var type: ServiceType { interest.type }

    /// Starts a browse.
    public func makeAsyncIterator() -> Iterator {
        Iterator(subscription: owner.subscribe(to: interest))
    }

    /// An iteration of a browse, which ends when the iterator is released.
    public struct Iterator: AsyncIteratorProtocol {
        let subscription: BrowseSubscription

        /// Waits for the next change. Returns `nil` when the task is canceled or the ``MulticastDNS`` is shut down.
        public mutating func next() async -> BrowseEvent? {
            await subscription.next()
        }

        /// Waits for the next change. Returns `nil` when the task is canceled or the ``MulticastDNS`` is shut down.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> BrowseEvent? {
            await subscription.next()
        }
    }
}
