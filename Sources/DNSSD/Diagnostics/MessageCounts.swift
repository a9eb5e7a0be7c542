/// How many multicast DNS messages went in one direction.
public struct MessageCounts: Hashable, Sendable {
    /// Questions of multicast DNS queriers, probes included.
    public internal(set) var queries = 0
    /// Questions of plain DNS queriers, which do not send from UDP port 5353.
    public internal(set) var plainQueries = 0
    /// Answers, announcements and goodbyes.
    public internal(set) var responses = 0

    init() {}

    /// All of them.
    public var total: Int { queries + plainQueries + responses }

    static func + (one: MessageCounts, other: MessageCounts) -> MessageCounts {
        var sum = one
        sum.queries += other.queries
        sum.plainQueries += other.plainQueries
        sum.responses += other.responses
        return sum
    }
}
