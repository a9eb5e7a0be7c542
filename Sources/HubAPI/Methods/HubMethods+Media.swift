package import LocalRPC

/// The methods for what plays on the hub's machine. It belongs to the hub's own user, and to nobody else in the homes.
extension HubMethods {
    /// Starts sending this connection a ``HubEvent/media(_:)`` at each change. The first one precedes the reply.
    package static let followMedia = Method<Empty, Empty>("media.follow", for: .people, by: .hubOwner, from: .near)
    /// Looks for receivers, while a person chooses one. The events have them until ``stopBrowsingMedia``.
    package static let startBrowsingMedia = Method<Empty, Empty>(
        "media.startBrowsing",
        for: .people,
        by: .hubOwner,
        from: .near
    )
    /// Stops looking for receivers.
    package static let stopBrowsingMedia = Method<Empty, Empty>(
        "media.stopBrowsing",
        for: .people,
        by: .hubOwner,
        from: .near
    )
    /// Chooses the receivers to which the apps of the hub's machine play. What a receiver needs is asked in questions.
    package static let chooseRoute = Method<ChooseRoute, Empty>(
        "media.choose",
        for: .people,
        by: .hubOwner,
        from: .near
    )
    /// Gives a command to an app that plays.
    package static let commandMedia = Method<CommandMedia, Empty>(
        "media.command",
        for: .people,
        by: .hubOwner,
        from: .near
    )
    /// Sets the volume of an app that plays.
    package static let setMediaVolume = Method<SetMediaVolume, Empty>(
        "media.setVolume",
        for: .people,
        by: .hubOwner,
        from: .near
    )
    /// Returns the picture of what an app plays.
    package static let mediaArtwork = Method<MediaPlayerTarget, MediaArtwork>(
        "media.artwork",
        for: .people,
        by: .hubOwner,
        from: .near
    )
}
