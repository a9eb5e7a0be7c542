/// A change of what a voter keeps on its disk. It is written whole or not at all, in this order.
package struct LogChange: Hashable, Sendable {
    /// The new term and vote; `nil` if they stay.
    package var record: VoterRecord?
    /// The place after which all batches are removed; `nil` if none is.
    package var removedAfter: Int?
    /// The batches that are appended.
    package var added: [Batch] = []

    /// Creates a change.
    package init(record: VoterRecord? = nil, removedAfter: Int? = nil, added: [Batch] = []) {
        self.record = record
        self.removedAfter = removedAfter
        self.added = added
    }

    /// Whether nothing changes.
    package var isEmpty: Bool { record == nil && removedAfter == nil && added.isEmpty }
}
