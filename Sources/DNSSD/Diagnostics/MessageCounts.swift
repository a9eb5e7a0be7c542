/// The number of multicast DNS messages in one direction.
public struct MessageCounts: Hashable, Sendable {
    /// Queries of multicast DNS queriers, including probes.
    public internal(set) var queries = 0
    /// Queries of plain DNS queriers, which don't send from UDP port 5353.
    public internal(set) var plainQueries = 0
    /// Responses, announcements and goodbyes.
    public internal(set) var responses = 0

    init() {}

    /// The number of all messages.
    public var total: Int { queries + plainQueries + responses }

    static func + (one: MessageCounts, other: MessageCounts) -> MessageCounts {
        var sum = one
        sum.queries += other.queries
        sum.plainQueries += other.plainQueries
        sum.responses += other.responses
        return sum
    }
}
