/// How much a store holds.
package struct StoreCounts: Hashable, Sendable {
    /// The number of houses.
    package var houses: Int
    /// The number of feeds.
    package var feeds: Int
    /// The size of all stored entries, in bytes.
    package var entryBytes: Int64

    /// Creates counts.
    package init(houses: Int, feeds: Int, entryBytes: Int64) {
        self.houses = houses
        self.feeds = feeds
        self.entryBytes = entryBytes
    }
}
