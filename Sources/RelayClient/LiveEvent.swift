package import HomeIdentity

/// What a live stream reports.
package enum LiveEvent: Hashable, Sendable {
    /// The stream is open. What happened before isn't told again: read what is new.
    case connected
    /// A feed has entries up to a number.
    case wake(FeedID, seq: Int64)
    /// The stream has ended. It is opened again after a while.
    case disconnected(RelayClientError)
}
