/// What a leader replicates at once: opaque bytes, or none for the batch with which a term begins.
package struct Batch: Hashable, Sendable {
    /// The place and term.
    package var position: BatchPosition
    /// The sealed content. Voters don't read it.
    package var bytes: [UInt8]

    /// Creates a batch.
    package init(_ position: BatchPosition, bytes: [UInt8] = []) {
        self.position = position
        self.bytes = bytes
    }
}
