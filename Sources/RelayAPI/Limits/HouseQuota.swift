/// What a house may use. Its class, which the registration token names, decides.
package struct HouseQuota: Hashable, Sendable {
    /// The maximum size of the stored entries of a feed, in bytes.
    package var feedBytes = 16 << 20
    /// The maximum number of feeds.
    package var feeds = 100
    /// The maximum number of readers of a feed.
    package var readersPerFeed = 16
    /// The maximum number of pieces of a version of the vault.
    package var vaultPieces = 128
    /// The maximum number of pieces of the state of two hubs.
    package var basePieces = 256
    /// The number of writes a minute that a house can sustain.
    package var writesPerMinute = 60
    /// The number of writes that a house can make at once.
    package var writeBurst = 600
    /// The maximum number of writes a day.
    package var writesPerDay = 10_000
    /// The number of messages a minute that two hubs can send the relay as a voter.
    package var votesPerMinute = 1_200
    /// The maximum number of pipes of a feed at a time.
    package var pipesPerFeed = 16
    /// The number of pipes of a feed that are begun in a minute.
    package var pipesPerMinute = 120
    /// The number of bytes a second that a house's pipes can sustain, in both directions together.
    package var pipeBytesPerSecond = 1 << 20
    /// The maximum number of bytes a day through a house's pipes.
    package var pipeBytesPerDay = 2 << 30

    /// Creates the quota of the class `home`.
    package init() {}

    /// The quota of the class `home`.
    package static let home = HouseQuota()

    /// Throws if a house with a number of feeds can't have another.
    package func checkRoom(forFeedAfter count: Int) throws(RelayStoreError) {
        guard count < feeds else { throw .quotaExceeded("A house has at most \(feeds) feeds. End one first.") }
    }
}
