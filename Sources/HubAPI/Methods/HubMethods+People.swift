package import HomeModel
package import LocalRPC

/// The methods for users, their apps and devices, and questions to them.
extension HubMethods {
    // MARK: Users

    /// Adds a user to a home. The home appears in that user's list of homes.
    package static let addUser = Method<AddHomeUser, AddedItem>(
        "user.add",
        for: .people,
        by: .editor,
        from: .away,
        on: .leader,
        isDurable: true
    )
    /// Asks the caller's user whom to invite, with a ``Question`` of the kind ``Question/Kind/invitation``, and adds
    /// that user to the home. Fails with ``HubError/Code/cancelled`` if the user declines or doesn't answer.
    package static let inviteUser = Method<HomeTarget, AddedItem>(
        "user.invite",
        for: .apps,
        by: .editor,
        from: .away,
        isDurable: true
    )
    /// Asks the caller's user for the roles in a home, with a ``Question`` of the kind ``Question/Kind/people``, and
    /// applies them. Fails as ``inviteUser`` does. The caller receives the changes as if another user had made them.
    package static let manageUsers = Method<HomeTarget, Empty>(
        "user.manage",
        for: .apps,
        by: .editor,
        from: .away,
        isDurable: true
    )
    /// Removes a user from a home, or leaves it. Takes effect immediately, on open connections too.
    package static let removeUser = Method<InHome<RemoveUser>, Empty>(
        "user.remove",
        for: .apps,
        by: .visitor,
        from: .away,
        on: .leader,
        isDurable: true
    )
    /// Changes a user's role in a home. Takes effect immediately, on open connections too.
    package static let setRole = Method<InHome<SetRole>, Empty>(
        "user.setRole",
        for: .people,
        by: .editor,
        from: .away,
        on: .leader,
        isDurable: true
    )
    /// Allows a user to use a home from away, or no longer. Takes effect immediately, on open connections too.
    package static let setMayBeAway = Method<InHome<SetMayBeAway>, Empty>(
        "user.setAway",
        for: .people,
        by: .editor,
        from: .away,
        on: .leader,
        isDurable: true
    )
    /// Reinstates a user who has been suspended since the home was restored. For the owner only.
    package static let confirmUser = Method<InHome<ConfirmUser>, Empty>(
        "user.confirm",
        for: .people,
        by: .owner,
        from: .near,
        on: .leader,
        isDurable: true
    )

    // MARK: Apps

    /// Lists the apps that the user has allowed or denied, and those that are connected.
    package static let apps = Method<Empty, Apps>("app.list", for: .people, by: .oneself, from: .near)
    /// Allows an app to use the user's homes.
    package static let allowApp = Method<AppTarget, Empty>(
        "app.allow",
        for: .people,
        by: .oneself,
        from: .near,
        isDurable: true
    )
    /// Denies an app the use of the user's homes. Takes effect immediately, on open connections too.
    package static let denyApp = Method<AppTarget, Empty>(
        "app.deny",
        for: .people,
        by: .oneself,
        from: .near,
        isDurable: true
    )
    /// Forgets an app and the user's decision about it.
    package static let forgetApp = Method<AppTarget, Empty>(
        "app.forget",
        for: .people,
        by: .oneself,
        from: .near,
        isDurable: true
    )

    /// Opens a socket at which every connection counts as one app of the user's, for a process with another uid or in a
    /// container. The hub opens it again at each start until it is removed.
    package static let openAppSocket = Method<OpenAppSocket, OpenedAppSocket>(
        "app.openSocket",
        for: .people,
        by: .hubOwner,
        from: .here
    )
    /// Removes an app's socket and closes its connections.
    package static let closeAppSocket = Method<AppSocketTarget, Empty>(
        "app.closeSocket",
        for: .people,
        by: .hubOwner,
        from: .here
    )

    // MARK: Devices

    /// Creates a code with which a device signs in over HTTP as the caller's user. Only the hub's own user, on the hub's
    /// machine, can create one for another user. Fails with ``HubError/Code/notAllowedNow`` if the hub doesn't serve HTTP.
    package static let createLogin = Method<CreateLogin, LoginCode>(
        "login.create",
        for: .people,
        by: .oneself,
        from: .near
    )
    /// Invites a user of a home: creates a code or links with which one of the user's devices joins or signs in, once.
    /// The device acts as the user in all their homes, so the caller must be able to edit all of these; an administrator
    /// or owner is invited only by somebody who owns them. Fails with ``HubError/Code/notAllowedNow`` if the hub serves
    /// neither HTTP nor devices over the network.
    package static let createInvitation = Method<CreateInvitation, CreatedInvitation>(
        "invitation.create",
        for: .people,
        by: .editor,
        from: .away
    )
    /// Lists the open invitations of a home, as far as the caller could have created them, and those of further devices of
    /// the caller's own.
    package static let invitations = Method<HomeTarget, Invitations>(
        "invitation.list",
        for: .people,
        by: .visitor,
        from: .away
    )
    /// Ends an open invitation: of the caller's own, or of a home that the caller can edit.
    package static let removeInvitation = Method<InvitationTarget, Empty>(
        "invitation.remove",
        for: .people,
        by: .oneself,
        from: .away,
        on: .leader
    )

    /// Invites another device of the caller's user, with a code or a link.
    package static let addDevice = Method<AddDevice, DeviceInvitation>(
        "device.add",
        for: .people,
        by: .oneself,
        from: .near
    )
    /// Adds a device of the caller's user by its public key, without an invitation.
    package static let vouchForDevice = Method<VouchForDevice, AddedItem>(
        "device.vouch",
        for: .people,
        by: .oneself,
        from: .near,
        on: .leader,
        isDurable: true
    )
    /// Lists the devices of the caller's user.
    package static let devices = Method<Empty, Devices>("device.list", for: .people, by: .oneself, from: .away)
    /// Renames a device of the caller's user.
    package static let renameDevice = Method<RenameDevice, Empty>(
        "device.rename",
        for: .people,
        by: .oneself,
        from: .away,
        isDurable: true
    )
    /// Removes a device of the caller's user, or signs it out. Takes effect immediately, on open connections too.
    package static let removeDevice = Method<RemoveDevice, RemovedDevice>(
        "device.remove",
        for: .people,
        by: .oneself,
        from: .away
    )
    /// Readmits devices that have been suspended since the hub was restored: the caller's own, or those of users all of
    /// whose homes the caller owns.
    package static let confirmDevices = Method<DeviceTargets, Empty>(
        "device.confirm",
        for: .people,
        by: .owner,
        from: .near,
        on: .leader
    )

    // MARK: Questions

    /// Lists the questions that wait for an answer, and sends this connection each later one.
    package static let questions = Method<Empty, Questions>("question.list", for: .people, by: .oneself, from: .away)
    /// Answers a question.
    package static let answerQuestion = Method<AnswerQuestion, Empty>(
        "question.answer",
        for: .people,
        by: .oneself,
        from: .away
    )
    /// Postpones the end of a question by as long as a new question waits. Clients call it while a person sees the
    /// question.
    package static let renewQuestion = Method<QuestionTarget, RenewedQuestion>(
        "question.renew",
        for: .people,
        by: .oneself,
        from: .away
    )
    /// Declines to answer a question, which cancels the request that caused it.
    package static let declineQuestion = Method<QuestionTarget, Empty>(
        "question.decline",
        for: .people,
        by: .oneself,
        from: .away
    )
}
