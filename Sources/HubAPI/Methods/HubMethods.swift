package import HomeModel
package import LocalRPC

/// The table of the hub's methods.
///
/// To add a method, add its row here and register its handler with the hub. The row defines whether apps may call the
/// method, and whether the hub recognizes repeated requests after a restart.
package enum HubMethods {
    // MARK: Session

    /// The first call on every connection, made once. The client identifies itself, its version and its position in the
    /// logs. Before the reply, the hub sends either a ``HubEvent/reset(_:)``, or the missed events and a
    /// ``HubEvent/resumed(_:)``.
    package static let hello = Method<Hello, Welcome>("session.hello", for: .apps)
    /// Pauses events while the client is in the background. Calls still work.
    package static let enterBackground = Method<Empty, Empty>("session.enterBackground", for: .apps)
    /// Resumes events. If the client missed any, one ``HubEvent/reset(_:)`` precedes the reply.
    package static let enterForeground = Method<Empty, Empty>("session.enterForeground", for: .apps)

    // MARK: Homes

    /// Adds a home that the caller owns.
    package static let addHome = Method<AddHome, AddedItem>("home.add", for: .apps, isDurable: true)
    /// Removes a home. Accessories that are reachable are unpaired.
    package static let removeHome = Method<HomeTarget, Empty>("home.remove", for: .apps, isDurable: true)
    /// Renames a home.
    package static let renameHome = Method<RenameHome, Empty>("home.rename", for: .apps, isDurable: true)
    /// Sets the user's primary home.
    package static let setPrimaryHome = Method<HomeTarget, Empty>("home.setPrimary", for: .apps, isDurable: true)

    /// Sets the home's place, which sunrise, sunset and arrivals depend on, or removes it.
    package static let setHomePlace = Method<InHome<SetHomePlace>, Empty>(
        "home.setPlace",
        for: .people,
        isDurable: true
    )

    // MARK: Rooms and zones

    /// Adds a room.
    package static let addRoom = Method<InHome<AddRoom>, AddedItem>("room.add", for: .apps, isDurable: true)
    /// Removes a room. Its accessories move to the default room.
    package static let removeRoom = Method<InHome<RemoveRoom>, Empty>("room.remove", for: .apps, isDurable: true)
    /// Renames a room.
    package static let renameRoom = Method<InHome<RenameRoom>, Empty>("room.rename", for: .apps, isDurable: true)
    /// Adds a zone.
    package static let addZone = Method<InHome<AddZone>, AddedItem>("zone.add", for: .apps, isDurable: true)
    /// Removes a zone. Its rooms remain.
    package static let removeZone = Method<InHome<RemoveZone>, Empty>("zone.remove", for: .apps, isDurable: true)
    /// Renames a zone.
    package static let renameZone = Method<InHome<RenameZone>, Empty>("zone.rename", for: .apps, isDurable: true)
    /// Adds a room to a zone.
    package static let addRoomToZone = Method<InHome<AddRoomToZone>, Empty>("zone.addRoom", for: .apps, isDurable: true)
    /// Removes a room from a zone.
    package static let removeRoomFromZone = Method<InHome<RemoveRoomFromZone>, Empty>(
        "zone.removeRoom",
        for: .apps,
        isDurable: true
    )

    // MARK: Arrangement

    /// Moves a room in the order of the rooms.
    package static let reorderRoom = Method<InHome<ReorderRoom>, Empty>("room.reorder", for: .people, isDurable: true)
    /// Moves a service in the order of its room's services.
    package static let reorderService = Method<InHome<ReorderService>, Empty>(
        "service.reorder",
        for: .people,
        isDurable: true
    )
    /// Hides a service from the lists of the home, or shows it again.
    package static let setServiceHidden = Method<InHome<SetServiceHidden>, Empty>(
        "service.setHidden",
        for: .people,
        isDurable: true
    )
    /// Sets whether clients ask for confirmation before they control a service.
    package static let setServiceAsksFirst = Method<InHome<SetServiceAsksFirst>, Empty>(
        "service.setAsksFirst",
        for: .people,
        isDurable: true
    )
    /// Sets the icon of a scene.
    package static let setSceneIcon = Method<InHome<SetSceneIcon>, Empty>(
        "actionSet.setIcon",
        for: .people,
        isDurable: true
    )

    // MARK: Favorites

    /// Adds a service or a scene to the user's favorites. Guests have favorites too.
    package static let addFavorite = Method<FavoritePlacement, Empty>("favorite.add", for: .people, isDurable: true)
    /// Moves one of the user's favorites.
    package static let moveFavorite = Method<FavoritePlacement, Empty>("favorite.move", for: .people, isDurable: true)
    /// Removes one of the user's favorites.
    package static let removeFavorite = Method<FavoriteTarget, Empty>("favorite.remove", for: .people, isDurable: true)

    // MARK: Users

    /// Adds a user to a home. The home appears in that user's list of homes.
    package static let addUser = Method<AddHomeUser, AddedItem>("user.add", for: .people, isDurable: true)
    /// Asks the caller's user whom to invite, with a ``Question`` of the kind ``Question/Kind/invitation``, and adds
    /// that user to the home. Fails with ``HubError/Code/cancelled`` if the user declines or doesn't answer.
    package static let inviteUser = Method<HomeTarget, AddedItem>("user.invite", for: .apps, isDurable: true)
    /// Asks the caller's user for the roles in a home, with a ``Question`` of the kind ``Question/Kind/people``, and
    /// applies them. Fails as ``inviteUser`` does. The caller receives the changes as if another user had made them.
    package static let manageUsers = Method<HomeTarget, Empty>("user.manage", for: .apps, isDurable: true)
    /// Removes a user from a home, or leaves it. Takes effect immediately, on open connections too.
    package static let removeUser = Method<InHome<RemoveUser>, Empty>("user.remove", for: .apps, isDurable: true)
    /// Changes a user's role in a home. Takes effect immediately, on open connections too.
    package static let setRole = Method<InHome<SetRole>, Empty>("user.setRole", for: .people, isDurable: true)
    /// Reinstates a user who has been suspended since the home was restored. For the owner only.
    package static let confirmUser = Method<InHome<ConfirmUser>, Empty>("user.confirm", for: .people, isDurable: true)

    // MARK: Accessories

    /// Starts sending this connection a ``HubEvent/discovered(_:)`` for each accessory that isn't in a home.
    package static let startBrowsing = Method<Empty, Empty>("accessory.startBrowsing", for: .apps)
    /// Stops sending these events.
    package static let stopBrowsing = Method<Empty, Empty>("accessory.stopBrowsing", for: .apps)
    /// Pairs an accessory or a bridge, and adds it with all its bridged accessories. An accessory of the home that was
    /// reset is paired again and keeps its ID, names and rooms.
    package static let addAccessory = Method<AddAccessory, AddedAccessories>(
        "accessory.add",
        for: .apps,
        isDurable: true
    )
    /// Guides a user through adding an accessory or a bridge. The hub asks for the home, the accessory, its setup code,
    /// name and room, except for what the parameters already specify. If a question is declined or not answered,
    /// nothing is added.
    package static let setUpAccessories = Method<SetUpAccessories, SetUpResult>(
        "accessory.setUp",
        for: .apps,
        isDurable: true
    )
    /// Imports an accessory or a bridge that another controller has paired, with all its bridged accessories. The hub
    /// adds the home's key over that controller's pairing, then adds the accessory as ``addAccessory`` does. The accessory
    /// doesn't need a reset. The other controller stays paired unless the parameters say to remove it.
    package static let importAccessory = Method<ImportAccessory, ImportedAccessory>("accessory.import", for: .people)
    /// Removes an accessory, or a bridge with all its bridged accessories, and unpairs it.
    package static let removeAccessory = Method<InHome<RemoveAccessory>, Empty>(
        "accessory.remove",
        for: .apps,
        isDurable: true
    )
    /// Renames an accessory in the home. The device itself isn't renamed.
    package static let renameAccessory = Method<InHome<RenameAccessory>, Empty>(
        "accessory.rename",
        for: .apps,
        isDurable: true
    )
    /// Moves an accessory to a room.
    package static let moveAccessory = Method<InHome<MoveAccessory>, Empty>(
        "accessory.move",
        for: .apps,
        isDurable: true
    )
    /// Blocks an accessory, or a bridge with all its bridged accessories. The hub disconnects and doesn't reconnect.
    package static let blockAccessory = Method<InHome<BlockAccessory>, Empty>(
        "accessory.block",
        for: .people,
        isDurable: true
    )
    /// Unblocks an accessory and all others of its accessory server. The hub connects to it again.
    package static let unblockAccessory = Method<InHome<UnblockAccessory>, Empty>(
        "accessory.unblock",
        for: .apps,
        isDurable: true
    )
    /// Finds the accessory with a long-term public key in the user's homes.
    package static let findAccessory = Method<FindAccessory, FoundAccessory>("accessory.find", for: .apps)
    /// Asks an accessory of the home to identify itself.
    package static let identifyAccessory = Method<ItemTarget, Empty>("accessory.identify", for: .apps)
    /// Checks the path to an accessory step by step, and returns how far the hub gets and any problems.
    package static let diagnoseAccessory = Method<ItemTarget, AccessoryDiagnosis>("accessory.diagnose", for: .people)
    /// Asks an accessory that isn't in a home to identify itself.
    package static let identifyDiscovered = Method<DiscoveredTarget, Empty>("accessory.identifyDiscovered", for: .apps)
    /// Renames a service in the home. The device itself isn't renamed.
    package static let renameService = Method<InHome<RenameService>, Empty>(
        "service.rename",
        for: .apps,
        isDurable: true
    )
    /// Sets the type of service that a switch, an outlet or a contact sensor represents.
    package static let setAssociatedType = Method<InHome<SetAssociatedType>, Empty>(
        "service.setAssociatedType",
        for: .apps,
        isDurable: true
    )

    // MARK: Accessories that aren't on the network

    /// Starts sending this connection a ``HubEvent/unconfigured(_:)`` for each accessory that isn't on a network.
    package static let startBrowsingUnconfigured = Method<Empty, Empty>(
        "accessory.startBrowsingUnconfigured",
        for: .apps
    )
    /// Stops sending these events.
    package static let stopBrowsingUnconfigured = Method<Empty, Empty>(
        "accessory.stopBrowsingUnconfigured",
        for: .apps
    )
    /// Hands a network to an accessory that isn't on one, and waits until the accessory is in the home's network. The
    /// network's name and passphrase come from the parameters or from the user's answer to a ``Question`` of the kind
    /// ``Question/Kind/network``. The hub doesn't store them. The accessory can then be added with ``addAccessory``.
    package static let configureAccessory = Method<ConfigureAccessory, ConfiguredAccessory>(
        "accessory.configure",
        for: .apps
    )

    // MARK: Service groups

    /// Adds a service group.
    package static let addServiceGroup = Method<InHome<AddServiceGroup>, AddedItem>(
        "serviceGroup.add",
        for: .apps,
        isDurable: true
    )
    /// Removes a service group. Its services remain.
    package static let removeServiceGroup = Method<InHome<RemoveServiceGroup>, Empty>(
        "serviceGroup.remove",
        for: .apps,
        isDurable: true
    )
    /// Renames a service group.
    package static let renameServiceGroup = Method<InHome<RenameServiceGroup>, Empty>(
        "serviceGroup.rename",
        for: .apps,
        isDurable: true
    )
    /// Adds a service to a service group.
    package static let addServiceToGroup = Method<InHome<AddServiceToGroup>, Empty>(
        "serviceGroup.addService",
        for: .apps,
        isDurable: true
    )
    /// Removes a service from a service group, even one that its accessory currently lacks.
    package static let removeServiceFromGroup = Method<InHome<RemoveServiceFromGroup>, Empty>(
        "serviceGroup.removeService",
        for: .apps,
        isDurable: true
    )

    // MARK: Action sets

    /// Adds an empty action set.
    package static let addActionSet = Method<InHome<AddActionSet>, AddedItem>(
        "actionSet.add",
        for: .apps,
        isDurable: true
    )
    /// Adds an empty action set that a trigger owns. It has no name and is removed with the trigger.
    package static let addOwnedActionSet = Method<InHome<AddOwnedActionSet>, AddedItem>(
        "actionSet.addOwned",
        for: .apps,
        isDurable: true
    )
    /// Removes an action set, also from the triggers that run it.
    package static let removeActionSet = Method<InHome<RemoveActionSet>, Empty>(
        "actionSet.remove",
        for: .apps,
        isDurable: true
    )
    /// Renames an action set.
    package static let renameActionSet = Method<InHome<RenameActionSet>, Empty>(
        "actionSet.rename",
        for: .apps,
        isDurable: true
    )
    /// Adds an action to an action set.
    package static let addAction = Method<InHome<AddAction>, AddedItem>("action.add", for: .apps, isDurable: true)
    /// Changes the value that an action writes.
    package static let setActionValue = Method<InHome<SetActionValue>, Empty>(
        "action.setValue",
        for: .apps,
        isDurable: true
    )
    /// Removes an action from its action set.
    package static let removeAction = Method<InHome<RemoveAction>, Empty>("action.remove", for: .apps, isDurable: true)

    /// Runs an action set. The reply follows the last accessory's answer or deadline, and says which actions failed.
    package static let runActionSet = Method<ItemTarget, ActionSetResult>("actionSet.run", for: .apps)

    // MARK: Triggers

    /// Adds a trigger, disabled and without action sets.
    package static let addTrigger = Method<InHome<AddTrigger>, AddedItem>("trigger.add", for: .apps, isDurable: true)
    /// Removes a trigger and the action sets that it owns.
    package static let removeTrigger = Method<InHome<RemoveTrigger>, Empty>(
        "trigger.remove",
        for: .apps,
        isDurable: true
    )
    /// Renames a trigger.
    package static let renameTrigger = Method<InHome<RenameTrigger>, Empty>(
        "trigger.rename",
        for: .apps,
        isDurable: true
    )
    /// Changes when a trigger fires.
    package static let editTrigger = Method<InHome<EditTrigger>, Empty>("trigger.edit", for: .apps, isDurable: true)
    /// Enables or disables a trigger.
    package static let enableTrigger = Method<InHome<EnableTrigger>, Empty>(
        "trigger.enable",
        for: .apps,
        isDurable: true
    )
    /// Adds an action set to those that a trigger runs.
    package static let addActionSetToTrigger = Method<InHome<AddActionSetToTrigger>, Empty>(
        "trigger.addActionSet",
        for: .apps,
        isDurable: true
    )
    /// Removes an action set from those that a trigger runs. One that the trigger owns is deleted.
    package static let removeActionSetFromTrigger = Method<InHome<RemoveActionSetFromTrigger>, Empty>(
        "trigger.removeActionSet",
        for: .apps,
        isDurable: true
    )

    /// Says what a trigger would do if one of its events happened now, and when it fires next. Changes nothing.
    package static let testTrigger = Method<ItemTarget, TriggerForecast>("trigger.test", for: .people)

    // MARK: Presence

    /// Lists the users of a home with their presence.
    package static let presence = Method<HomeTarget, PresenceList>("presence.list", for: .people)
    /// Reports that a user is at home, is away, or is at a place.
    package static let setPresence = Method<SetPresence, Empty>("presence.set", for: .people)

    // MARK: Clock

    /// Returns the hub's time.
    package static let clock = Method<Empty, ClockTime>("clock.get", for: .people)
    /// Advances a manual clock, and replies once everything that was due has happened. Only the hub's own user may call
    /// it. Fails with ``HubError/Code/clockNotManual`` if the hub uses the system's clock.
    package static let advanceClock = Method<AdvanceClock, ClockTime>("clock.advance", for: .localPeople)

    // MARK: Journal

    /// Returns entries of the journal, newest first.
    package static let journal = Method<JournalQuery, JournalPage>("journal.list", for: .people)
    /// Explains the last change of an object: the entry of the change, then its causes, each caused by the next.
    package static let explain = Method<ItemTarget, JournalPage>("journal.explain", for: .people)
    /// Returns the recorded values of an accessory's sensors.
    package static let journalSamples = Method<JournalSampleQuery, JournalSamples>("journal.samples", for: .people)
    /// Sends this connection each later entry of the journal as a ``HubEvent/journal(_:)``.
    package static let followJournal = Method<Empty, Empty>("journal.follow", for: .people)

    // MARK: Values

    /// Reads characteristics from their accessories.
    package static let read = Method<ReadCharacteristics, CharacteristicResults>("characteristic.read", for: .apps)
    /// Writes characteristics.
    package static let write = Method<WriteCharacteristics, CharacteristicResults>("characteristic.write", for: .apps)
    /// Subscribes this connection to characteristics; their changes arrive as ``HubEvent/values(_:)``. Also
    /// unsubscribes.
    package static let notify = Method<NotifyCharacteristics, CharacteristicResults>(
        "characteristic.notify",
        for: .apps
    )

    /// Returns since when values are as they are, as far as the hub saw them change.
    package static let changeTimes = Method<ChangeTimesQuery, ChangeTimes>("characteristic.since", for: .people)

    // MARK: Voice

    /// Understands a sentence and carries it out. What opens or unlocks something, is ambiguous or reaches very much is
    /// asked first, with a ``Question`` of the kind ``Question/Kind/voice``.
    package static let say = Method<Say, Said>("voice.say", for: .apps)
    /// Returns sentences that a home understands, with the user's own names.
    package static let voiceExamples = Method<VoiceExamplesQuery, VoiceExamples>("voice.examples", for: .apps)
    /// Returns the sentences that a home understands as a grammar in JSGF, for small speech recognizers.
    package static let voiceGrammar = Method<VoiceGrammarQuery, VoiceGrammar>("voice.grammar", for: .apps)

    // MARK: Apps

    /// Lists the apps that the user has allowed or denied, and those that are connected.
    package static let apps = Method<Empty, Apps>("app.list", for: .people)
    /// Allows an app to use the user's homes.
    package static let allowApp = Method<AppTarget, Empty>("app.allow", for: .people, isDurable: true)
    /// Denies an app the use of the user's homes. Takes effect immediately, on open connections too.
    package static let denyApp = Method<AppTarget, Empty>("app.deny", for: .people, isDurable: true)
    /// Forgets an app and the user's decision about it.
    package static let forgetApp = Method<AppTarget, Empty>("app.forget", for: .people, isDurable: true)

    /// Opens a socket at which every connection counts as one app of the user's, for a process with another uid or in a
    /// container. The hub opens it again at each start until it is removed.
    package static let openAppSocket = Method<OpenAppSocket, OpenedAppSocket>("app.openSocket", for: .localPeople)
    /// Removes an app's socket and closes its connections.
    package static let closeAppSocket = Method<AppSocketTarget, Empty>("app.closeSocket", for: .localPeople)

    // MARK: Devices

    /// Creates a code with which a device signs in over HTTP as the caller's user. Only the hub's own user, on the hub's
    /// machine, can create one for another user. Fails with ``HubError/Code/notAllowedNow`` if the hub doesn't serve HTTP.
    package static let createLogin = Method<CreateLogin, LoginCode>("login.create", for: .people)
    /// Invites a user of a home: creates links with which one of the user's devices signs in, once. Only an owner can
    /// invite, and only users all of whose homes they own, because the device acts as the user in all of these. Fails
    /// with ``HubError/Code/notAllowedNow`` if the hub doesn't serve HTTP.
    package static let createInvitation = Method<CreateInvitation, CreatedInvitation>("invitation.create", for: .people)
    /// Lists the open invitations of a home. Only its owner may call it.
    package static let invitations = Method<HomeTarget, Invitations>("invitation.list", for: .people)
    /// Ends an open invitation of a home that the caller owns.
    package static let removeInvitation = Method<InvitationTarget, Empty>("invitation.remove", for: .people)
    /// Lists the devices of the caller's user that are signed in.
    package static let devices = Method<Empty, Devices>("device.list", for: .people)
    /// Signs a device of the caller's user out. Takes effect immediately, on open connections too.
    package static let removeDevice = Method<DeviceTarget, Empty>("device.remove", for: .people)

    // MARK: Questions

    /// Lists the questions that wait for an answer, and sends this connection each later one.
    package static let questions = Method<Empty, Questions>("question.list", for: .people)
    /// Answers a question.
    package static let answerQuestion = Method<AnswerQuestion, Empty>("question.answer", for: .people)
    /// Postpones the end of a question by as long as a new question waits. Clients call it while a person sees the
    /// question.
    package static let renewQuestion = Method<QuestionTarget, RenewedQuestion>("question.renew", for: .people)
    /// Declines to answer a question, which cancels the request that caused it.
    package static let declineQuestion = Method<QuestionTarget, Empty>("question.decline", for: .people)

    // MARK: Backup and import

    /// Creates a backup of everything the hub stores, including pairings, encrypted with a passphrase in age's format.
    /// Only the hub's own user may call it. The hub keeps the backup until the connection closes or creates another.
    package static let makeBackup = Method<CreateBackup, BackupInfo>("backup.make", for: .people)
    /// Reads a chunk of the backup that this connection created.
    package static let readBackup = Method<ReadBackup, BackupChunk>("backup.read", for: .people)
    /// Uploads a chunk of an export. The hub keeps the export for this connection until its homes are imported.
    package static let writeImport = Method<WriteImport, Empty>("import.write", for: .people)
    /// Imports homes from the export that this connection uploaded: all of them or none, with one log entry per home. A
    /// dry run returns the outcome for every object and changes nothing.
    package static let importHomes = Method<ImportHomes, ImportReport>("home.import", for: .people, isDurable: true)
}
