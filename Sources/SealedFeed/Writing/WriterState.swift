/// What a hub stores of a feed that it writes. It may be stored a few entries late: ``EntryWriter/reconcile(with:_:isKnown:)``
/// takes over what the relay has.
package struct WriterState: Hashable, Sendable, Codable {
    /// The feed.
    package let address: FeedAddress
    /// The last entry that the relay has.
    package internal(set) var place = FeedPlace.start
    /// The position in the hub's logs with the last complete content; `nil` before the first one.
    package internal(set) var seen: FeedCursors?
    /// The generation of keys; 0 before the first one. Its key is a secret, which is stored before this state.
    package internal(set) var generation = 0
    /// The time at which the generation began, in milliseconds since 1970.
    var generationTime = 0
    /// The generation whose envelopes the relay has.
    var storedGeneration = 0
    /// Whether a base must follow now, whether or not the homes change: the feed, its generation or its term is new, or a
    /// content was cut off.
    package internal(set) var needsBase = true
    /// The bytes of the last base.
    var baseBytes = 0
    /// The bytes of the entries after it.
    var bytesSinceBase = 0
    /// The number of the entries after it.
    var entriesSinceBase = 0
    /// The leadership in which the hub writes; `nil` for a hub that was never one of two.
    package internal(set) var leadership: FeedLeadership?

    /// Creates the state of a feed that has no entry.
    package init(_ address: FeedAddress) {
        self.address = address
    }

    /// Creates the state of a feed that goes on at another relay, where it has no entry.
    ///
    /// - Parameters:
    ///   - address: The new address. Its feed's ID was never used before.
    ///   - former: The state at the former relay.
    package init(_ address: FeedAddress, following former: WriterState) {
        self.address = address
        seen = former.seen
    }
}
