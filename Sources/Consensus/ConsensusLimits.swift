/// The limits and times of voters.
package enum ConsensusLimits {
    /// The maximum size of a batch, in bytes.
    package static let batchBytes = 512 << 10
    /// The maximum number of batches of a message.
    package static let batchesPerMessage = 64
    /// The size of a message's batches after which no further batch is added, in bytes.
    package static let messageBatchBytes = 256 << 10
    /// The maximum size of a message, in bytes.
    package static let messageBytes = 1 << 20
    /// The maximum number of batches that a leader has proposed and that aren't committed.
    package static let uncommittedBatches = 256
    /// The maximum size of these batches, in bytes.
    package static let uncommittedBytes = 4 << 20
    /// The number of batches of a log from which on a hub discards old ones that it has applied.
    package static let logBatches = 1_024
    /// The size of a log's batches from which on a hub discards old ones that it has applied, in bytes.
    package static let logBytes = 8 << 20
    /// The number of newest batches that a hub keeps of a log that is too long.
    package static let keptBatches = 128
    /// The maximum number of batches that a relay keeps. A relay that has as many asks for a base.
    package static let relayBatches = 2_048
    /// The maximum size of the batches that a relay keeps, in bytes.
    package static let relayBytes = 16 << 20
    /// How often in a row a voter has to say that it lacks what it had acknowledged, until a leader believes it.
    package static let contradictions = 3
    /// Terms and places are below this. They fit into every language's numbers.
    package static let maximumNumber = 1 << 53
    /// The maximum number of terms by which one message of a relay raises a hub's term. So no relay can use up the terms.
    package static let relayTermStep = 1_024
}

/// The times of voters.
package enum ConsensusTimes {
    /// The shortest time without a leader after which a hub stands for election.
    package static let minimumElection = Duration.milliseconds(2_000)
    /// The longest time without a leader after which a hub stands for election.
    package static let maximumElection = Duration.milliseconds(4_000)
    /// The shortest time after which a hub asks again whether it could win. Asking changes nothing at the other voters.
    package static let minimumRetry = Duration.milliseconds(500)
    /// The longest time after which a hub asks again whether it could win.
    package static let maximumRetry = Duration.milliseconds(1_000)
    /// The time after a leader's message in which a voter refuses to say that another hub could win.
    package static let leaderHeard = Duration.milliseconds(2_000)
    /// The time between a leader's messages to the other hub.
    package static let hubHeartbeat = Duration.milliseconds(500)
    /// The time between a leader's messages to the relay while the other hub answers.
    package static let relayHeartbeat = Duration.milliseconds(5_000)
    /// The time without an answer after which the other hub counts as silent.
    package static let silence = Duration.milliseconds(1_000)
    /// The time without a majority after which a leader steps down.
    package static let leaderAlone = Duration.milliseconds(3_000)
    /// The time after which a leader sends a base again that was not acknowledged.
    package static let base = Duration.seconds(60)
    /// The shortest time between two bases that a leader sends one voter.
    package static let betweenBases = Duration.seconds(10)
}
