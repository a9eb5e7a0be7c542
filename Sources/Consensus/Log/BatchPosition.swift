/// The place of a batch in the sequence, and the term in which a leader put it there. Two batches with the same position
/// are the same batch, and everything before them is the same.
package struct BatchPosition: Hashable, Sendable {
    /// The place, from 1. 0 is before the first batch.
    package var place: Int
    /// The term of the leader that made the batch.
    package var term: Int

    /// Creates a position.
    package init(place: Int, term: Int) {
        self.place = place
        self.term = term
    }

    /// The position before the first batch.
    package static let start = BatchPosition(place: 0, term: 0)
}

/// The order in which logs that end at these positions are up to date: by term, then by place.
extension BatchPosition: Comparable {
    package static func < (a: BatchPosition, b: BatchPosition) -> Bool {
        (a.term, a.place) < (b.term, b.place)
    }
}
