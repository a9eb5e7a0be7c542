/// Limits of the hub's feeds.
enum SyncLimits {
    /// The number of ended feeds that are remembered until the relay has ended them.
    static let endedFeeds = 100
    /// How long the hub tries to end a feed at a relay, in seconds: 30 days.
    static let endingTime = 30.0 * 24 * 60 * 60
    /// How long a feed that has moved or ended is kept at its relay, so that devices that are away hear of it, in seconds: 30
    /// days.
    static let farewellTime = 30.0 * 24 * 60 * 60
    /// How long the relay has to take the last entries of feeds that move or end.
    static let farewellWait = Duration.seconds(5)
    /// The time between tries to end feeds.
    static let endingInterval = Duration.seconds(60)
    /// The time after which a feed whose writer has ended is opened again.
    static let reopenTime = Duration.seconds(5)
    /// The maximum length of a relay's address in bytes.
    static let addressBytes = 512
    /// The maximum length of a registration token in bytes.
    static let tokenBytes = 256
}
