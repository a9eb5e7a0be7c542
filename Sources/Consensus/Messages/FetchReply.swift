/// A relay's batches.
package struct FetchReply: Hashable, Sendable {
    /// The position before the first batch.
    package var previous: BatchPosition
    /// The batches.
    package var batches: [Batch]
    /// The end of the relay's log.
    package var last: BatchPosition
    /// The base that the relay has instead of the batches that were asked for; `nil` if it has the batches.
    package var base: BatchPosition?

    /// Creates a reply.
    package init(previous: BatchPosition, batches: [Batch], last: BatchPosition, base: BatchPosition? = nil) {
        self.previous = previous
        self.batches = batches
        self.last = last
        self.base = base
    }
}
