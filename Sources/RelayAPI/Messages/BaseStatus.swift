/// The state of a house's two hubs that the relay has in place of their first batches.
package struct BaseStatus: Hashable, Sendable, Codable {
    /// The place of the last batch that was applied to it.
    package var place: Int
    /// The term of that batch.
    package var term: Int
    /// The number of its pieces.
    package var pieces: Int

    /// Creates the status.
    package init(place: Int, term: Int, pieces: Int) {
        self.place = place
        self.term = term
        self.pieces = pieces
    }
}
