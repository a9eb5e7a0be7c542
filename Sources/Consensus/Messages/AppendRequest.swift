/// A leader's message.
package struct AppendRequest: Hashable, Sendable {
    /// The leader's term.
    package var term: Int
    /// The position before the first batch.
    package var previous: BatchPosition
    /// The batches.
    package var batches: [Batch]
    /// The place up to which all batches are committed.
    package var committed: Int
    /// The place up to which all voters have all batches. They needn't be kept.
    package var settled: Int

    /// Creates a request.
    package init(term: Int, previous: BatchPosition, batches: [Batch], committed: Int, settled: Int) {
        self.term = term
        self.previous = previous
        self.batches = batches
        self.committed = committed
        self.settled = settled
    }
}
