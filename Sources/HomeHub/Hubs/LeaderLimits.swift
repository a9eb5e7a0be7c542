import Replication

/// The limits of what one of two hubs passes on to the other one, which leads.
package enum LeaderLimits {
    /// The maximum number of requests that a hub has passed on, or wants to, and that have no answer.
    package static let requests = 1_024
    /// The maximum size of these requests, in bytes. A single one can be as large, because it may be a whole import.
    package static let requestBytes = messageBytes
    /// The maximum size of a request with everything that the leader must know of it, in bytes.
    package static let messageBytes = Replicator.changeBytes + (64 << 10)
    /// The maximum size of an answer, in bytes.
    package static let answerBytes = 64 << 10
    /// The maximum number of the other hub's sessions that a leader knows.
    package static let sessions = 1_024
    /// How long a request waits for a hub that leads.
    package static let leaderTime = Duration.seconds(5)
    /// How long an answer waits until this hub has what it depends on.
    package static let followTime = Duration.seconds(10)
}
