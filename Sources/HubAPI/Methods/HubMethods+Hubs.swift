package import LocalRPC

extension HubMethods {
    // MARK: Two hubs

    /// Invites a second hub, which keeps the homes together with this one.
    package static let inviteHub = Method<Empty, DeviceInvitation>(
        "hub.invite",
        for: .people,
        by: .hubOwner,
        from: .here
    )
    /// Returns the hubs that keep the homes, and how they stand.
    package static let hubs = Method<Empty, HubsStatus>("hub.list", for: .people, by: .hubOwner, from: .here)
    /// Lets this hub leave the homes to the other one. It then stops, and its keys are deleted.
    package static let leaveHub = Method<LeaveHub, Empty>("hub.leave", for: .people, by: .hubOwner, from: .here)
    /// Removes the other hub, which is lost or not wanted any longer. The reply comes once this hub is alone.
    package static let removeHub = Method<RemoveHub, HubsStatus>("hub.remove", for: .people, by: .hubOwner, from: .here)
    /// Lets this hub go on alone, although it can't know what the other one has done. The reply comes once it does.
    package static let goOnAlone = Method<Empty, HubsStatus>("hub.alone", for: .people, by: .hubOwner, from: .here)
}
