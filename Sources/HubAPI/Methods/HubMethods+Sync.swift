package import LocalRPC

extension HubMethods {
    // MARK: Feeds

    /// Gives the hub the device's keys for its user's feed, and returns where the feed is. Only an agent's own session can call
    /// it, which does so on each connection, and compares the place with the one that it had when it asked.
    package static let openFeed = Method<FeedKeys, FeedStanding>(
        "feed.open",
        for: .people,
        by: .oneself,
        from: .away
    )
    /// Keeps everybody's feeds at a relay, or moves them to another one. The reply comes once the relay has taken the hub.
    package static let enableSync = Method<EnableSync, SyncStatus>(
        "sync.enable",
        for: .people,
        by: .hubOwner,
        from: .here,
        on: .leader
    )
    /// Ends all feeds.
    package static let disableSync = Method<Empty, SyncStatus>(
        "sync.disable",
        for: .people,
        by: .hubOwner,
        from: .here,
        on: .leader
    )
    /// Puts a backup into the vault now. The reply comes once the relay has it.
    package static let updateVault = Method<Empty, SyncStatus>(
        "sync.updateVault",
        for: .people,
        by: .hubOwner,
        from: .here,
        on: .leader
    )
    /// Returns how the feeds stand.
    package static let syncStatus = Method<Empty, SyncStatus>(
        "sync.status",
        for: .people,
        by: .hubOwner,
        from: .here,
        on: .leaderIfAny
    )
}
