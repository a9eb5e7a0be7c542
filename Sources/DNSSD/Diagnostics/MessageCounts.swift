/// How many multicast DNS messages went in one direction.
public struct MessageCounts: Hashable, Sendable {
    /// Questions of multicast DNS queriers, probes included.
    public internal(set) var queries = 0
    /// Questions of plain DNS queriers, which do not send from UDP port 5353.
    public internal(set) var plainQueries = 0
    /// Answers, announcements and goodbyes.
    public internal(set) var responses = 0

    init() {}
}
