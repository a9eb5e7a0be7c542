/// What a sweep removed.
package struct SweepResult: Hashable, Sendable {
    /// The number of entries.
    package var entries: Int
    /// The number of houses.
    package var houses: Int
    /// Whether there is more to remove now.
    package var hasMore: Bool

    /// Creates a result.
    package init(entries: Int = 0, houses: Int = 0, hasMore: Bool = false) {
        self.entries = entries
        self.houses = houses
        self.hasMore = hasMore
    }
}
