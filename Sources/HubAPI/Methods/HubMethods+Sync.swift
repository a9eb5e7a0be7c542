package import LocalRPC

extension HubMethods {
    // MARK: Feeds

    /// Gives the hub the device's keys for its user's feed, and returns where the feed is. Only an agent's own session can call
    /// it, which does so on each connection, and compares the place with its own.
    package static let openFeed = Method<FeedKeys, FeedStanding>(
        "feed.open",
        for: .people,
        by: .oneself,
        from: .away
    )
}
