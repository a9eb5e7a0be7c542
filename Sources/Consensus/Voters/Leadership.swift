/// What a leader knows of the other voters.
struct Leadership: Sendable {
    /// Another voter.
    struct Peer: Sendable {
        let voter: Voter
        /// The place up to which the voter has the leader's batches.
        var match = 0
        /// The place up to which batches were sent.
        var sent: Int
        /// The place before the first batch of the last message.
        var previous = -1
        /// The place up to which batches are committed, as the voter was told.
        var committed = 0
        /// When it last answered; when this hub began to lead, if it didn't.
        var heard: Duration
        /// When the next message is due, whether or not there is anything new.
        var due: Duration
        /// Until when a base that was sent may take.
        var baseDeadline: Duration?
        /// When a base was last sent.
        var baseSent: Duration?
        /// How often in a row the voter said that it lacks what it had acknowledged before.
        var contradictions = 0
    }

    var hub: Peer
    var relay: Peer
    /// The place of the empty batch with which the term began.
    let first: Int
    /// Whether this batch is committed.
    var isEffective = false

    init(other: Voter, last: Int, now: Duration) {
        hub = Peer(voter: other, sent: last, heard: now, due: now)
        relay = Peer(voter: .relay, sent: last, heard: now, due: now)
        first = last + 1
    }

    /// When a majority was last heard: this hub and the voter that answered last.
    var heard: Duration { max(hub.heard, relay.heard) }

    /// The place up to which a majority has all batches. This hub has them all.
    var match: Int { max(hub.match, relay.match) }

    /// The place up to which all have all batches.
    var settled: Int { min(hub.match, relay.match) }
}
