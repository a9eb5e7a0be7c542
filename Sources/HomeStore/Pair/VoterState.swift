package import Consensus

/// What a hub keeps on its disk as a voter.
package struct VoterState: Hashable, Sendable {
    /// The term and vote.
    package var record = VoterRecord()
    /// The position before the first stored batch.
    package var base = BatchPosition.start
    /// The position of the last batch that was applied to the logs.
    package var applied = BatchPosition.start
    /// The stored batches, applied or not.
    package var batches: [Consensus.Batch] = []

    /// Creates the state of a hub that is new as one of two.
    package init() {}

    init(record: VoterRecord, base: BatchPosition, applied: BatchPosition, batches: [Consensus.Batch]) {
        self.record = record
        self.base = base
        self.applied = applied
        self.batches = batches
    }

    /// The batches as a log; `nil` if they have gaps, or don't belong to the applied position.
    package var log: BatchLog? {
        guard let log = BatchLog(base: base, batches: batches), log.position(at: applied.place) == applied else {
            return nil
        }
        return log
    }
}
