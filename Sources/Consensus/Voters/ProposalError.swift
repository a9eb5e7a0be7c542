/// Why batches can't be proposed.
package enum ProposalError: Error, Hashable, Sendable {
    /// This hub doesn't lead, or hasn't applied yet what was committed before it led.
    case notLeader
    /// A batch is empty, or larger than ``ConsensusLimits/batchBytes``.
    case size
    /// Too much is proposed that isn't committed yet: ``ConsensusLimits/uncommittedBatches`` or
    /// ``ConsensusLimits/uncommittedBytes``. Try again when something was committed.
    case tooMuch
}
