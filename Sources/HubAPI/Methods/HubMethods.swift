package import HomeModel
package import LocalRPC

/// The table of the hub's methods. Whoever adds a method adds its row here, with who may call it where apps have a socket of
/// their own and whether its requests are known again after a restart, and registers its handler with the hub.
package enum HubMethods {
    // MARK: Session

    /// First on every connection, and once: who is there, which version, what the client has seen. The reply follows a
    /// ``HubEvent/reset(_:)``, or what was missed and a ``HubEvent/resumed(_:)``.
    package static let hello = Method<Hello, Welcome>("session.hello", for: .apps)
    /// The client is not in front of anybody: it hears of nothing until ``enterForeground``. Calls go on as ever.
    package static let enterBackground = Method<Empty, Empty>("session.enterBackground", for: .apps)
    /// The client is in front again. If it missed anything, the reply follows one ``HubEvent/reset(_:)``.
    package static let enterForeground = Method<Empty, Empty>("session.enterForeground", for: .apps)

    // MARK: Homes

    /// Adds a home of the caller's own.
    package static let addHome = Method<AddHome, AddedItem>("home.add", for: .apps, isDurable: true)
    /// Removes a home; its accessories are unpaired where they can be reached.
    package static let removeHome = Method<HomeTarget, Empty>("home.remove", for: .apps, isDurable: true)
    /// Renames a home.
    package static let renameHome = Method<RenameHome, Empty>("home.rename", for: .apps, isDurable: true)
    /// Makes a home the primary one.
    package static let setPrimaryHome = Method<HomeTarget, Empty>("home.setPrimary", for: .apps, isDurable: true)

    // MARK: Rooms and zones

    /// Adds a room.
    package static let addRoom = Method<InHome<AddRoom>, AddedItem>("room.add", for: .apps, isDurable: true)
    /// Removes a room; its accessories move to the default room.
    package static let removeRoom = Method<InHome<RemoveRoom>, Empty>("room.remove", for: .apps, isDurable: true)
    /// Renames a room.
    package static let renameRoom = Method<InHome<RenameRoom>, Empty>("room.rename", for: .apps, isDurable: true)
    /// Adds a zone.
    package static let addZone = Method<InHome<AddZone>, AddedItem>("zone.add", for: .apps, isDurable: true)
    /// Removes a zone; its rooms stay.
    package static let removeZone = Method<InHome<RemoveZone>, Empty>("zone.remove", for: .apps, isDurable: true)
    /// Renames a zone.
    package static let renameZone = Method<InHome<RenameZone>, Empty>("zone.rename", for: .apps, isDurable: true)
    /// Puts a room into a zone.
    package static let addRoomToZone = Method<InHome<AddRoomToZone>, Empty>("zone.addRoom", for: .apps, isDurable: true)
    /// Takes a room out of a zone.
    package static let removeRoomFromZone = Method<InHome<RemoveRoomFromZone>, Empty>(
        "zone.removeRoom",
        for: .apps,
        isDurable: true
    )

    // MARK: People

    /// Gives a person a part in a home; they find it in their list of homes.
    package static let addUser = Method<AddHomeUser, AddedItem>("user.add", for: .people, isDurable: true)
    /// Asks the caller's user, by a ``Question`` of the kind ``Question/Kind/invitation``, whom to invite to a home, and gives
    /// that person a part in it. It ends with ``HubError/Code/cancelled`` when the user declines or does not answer.
    package static let inviteUser = Method<HomeTarget, AddedItem>("user.invite", for: .apps, isDurable: true)
    /// Asks the caller's user, by a ``Question`` of the kind ``Question/Kind/people``, who is to have which part in a home,
    /// and sees to it. It ends as ``inviteUser`` does. The caller hears of the changes as of somebody else's.
    package static let manageUsers = Method<HomeTarget, Empty>("user.manage", for: .apps, isDurable: true)
    /// Takes a person's part in a home away, or gives up one's own; at once, on open connections too.
    package static let removeUser = Method<InHome<RemoveUser>, Empty>("user.remove", for: .apps, isDurable: true)
    /// Gives a person of a home another role; at once, on open connections too.
    package static let setRole = Method<InHome<SetRole>, Empty>("user.setRole", for: .people, isDurable: true)
    /// Lets a person who is suspended since the home was restored have their part in it again. For the owner only.
    package static let confirmUser = Method<InHome<ConfirmUser>, Empty>("user.confirm", for: .people, isDurable: true)

    // MARK: Accessories

    /// Starts telling this connection of accessories that are in no home: ``HubEvent/discovered(_:)`` for each one.
    package static let startBrowsing = Method<Empty, Empty>("accessory.startBrowsing", for: .apps)
    /// Stops telling of them.
    package static let stopBrowsing = Method<Empty, Empty>("accessory.stopBrowsing", for: .apps)
    /// Pairs an accessory or a bridge and adds it, with all behind it. One of the home that was reset is paired anew and
    /// keeps its identity, names and rooms.
    package static let addAccessory = Method<AddAccessory, AddedAccessories>(
        "accessory.add",
        for: .apps,
        isDurable: true
    )
    /// Leads a person through the addition of an accessory or a bridge, by questions: to which home, which one, its set-up
    /// code, and how it is named and placed. What the parameters say already is not asked. If a question is declined or
    /// not answered, nothing is added.
    package static let setUpAccessories = Method<SetUpAccessories, SetUpResult>(
        "accessory.setUp",
        for: .apps,
        isDurable: true
    )
    /// Takes over an accessory or a bridge that another controller has paired, with all behind it: by that controller's
    /// pairing the accessory is told the home's key, and is then added as ``addAccessory`` does. It needs no reset, and the
    /// other controller stays paired unless it is to go.
    package static let importAccessory = Method<ImportAccessory, ImportedAccessory>("accessory.import", for: .people)
    /// Removes an accessory, or a bridge with all behind it, and unpairs it.
    package static let removeAccessory = Method<InHome<RemoveAccessory>, Empty>(
        "accessory.remove",
        for: .apps,
        isDurable: true
    )
    /// Renames an accessory; the device itself is not told.
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
    /// Blocks an accessory, or a bridge with all behind it: the hub ends its connection and makes no other.
    package static let blockAccessory = Method<InHome<BlockAccessory>, Empty>(
        "accessory.block",
        for: .people,
        isDurable: true
    )
    /// Unblocks an accessory with all that it shares its server with: the hub connects to it again.
    package static let unblockAccessory = Method<InHome<UnblockAccessory>, Empty>(
        "accessory.unblock",
        for: .apps,
        isDurable: true
    )
    /// Finds the accessory of the user's homes that has a long-term public key.
    package static let findAccessory = Method<FindAccessory, FoundAccessory>("accessory.find", for: .apps)
    /// Lets an accessory of the home show itself.
    package static let identifyAccessory = Method<ItemTarget, Empty>("accessory.identify", for: .apps)
    /// Walks the way to an accessory step by step, and tells how far the hub gets and what is the matter.
    package static let diagnoseAccessory = Method<ItemTarget, AccessoryDiagnosis>("accessory.diagnose", for: .people)
    /// Lets an accessory that is in no home show itself.
    package static let identifyDiscovered = Method<DiscoveredTarget, Empty>("accessory.identifyDiscovered", for: .apps)
    /// Renames a service; the device itself is not told.
    package static let renameService = Method<InHome<RenameService>, Empty>(
        "service.rename",
        for: .apps,
        isDurable: true
    )
    /// Says what a switch, an outlet or a contact sensor belongs to, so that it counts as that.
    package static let setAssociatedType = Method<InHome<SetAssociatedType>, Empty>(
        "service.setAssociatedType",
        for: .apps,
        isDurable: true
    )

    // MARK: Service groups

    /// Adds a service group.
    package static let addServiceGroup = Method<InHome<AddServiceGroup>, AddedItem>(
        "serviceGroup.add",
        for: .apps,
        isDurable: true
    )
    /// Removes a service group; its services stay.
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
    /// Puts a service into a service group.
    package static let addServiceToGroup = Method<InHome<AddServiceToGroup>, Empty>(
        "serviceGroup.addService",
        for: .apps,
        isDurable: true
    )
    /// Takes a service out of a service group, also one that its accessory lacks for the time being.
    package static let removeServiceFromGroup = Method<InHome<RemoveServiceFromGroup>, Empty>(
        "serviceGroup.removeService",
        for: .apps,
        isDurable: true
    )

    // MARK: Action sets

    /// Adds an action set without actions.
    package static let addActionSet = Method<InHome<AddActionSet>, AddedItem>(
        "actionSet.add",
        for: .apps,
        isDurable: true
    )
    /// Adds an action set without actions that a trigger owns: it has no name and goes with the trigger.
    package static let addOwnedActionSet = Method<InHome<AddOwnedActionSet>, AddedItem>(
        "actionSet.addOwned",
        for: .apps,
        isDurable: true
    )
    /// Removes an action set; triggers that ran it run it no longer.
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
    /// Lets an action write another value.
    package static let setActionValue = Method<InHome<SetActionValue>, Empty>(
        "action.setValue",
        for: .apps,
        isDurable: true
    )
    /// Removes an action from its action set.
    package static let removeAction = Method<InHome<RemoveAction>, Empty>("action.remove", for: .apps, isDurable: true)

    // MARK: Triggers

    /// Adds a trigger, disabled and without action sets.
    package static let addTrigger = Method<InHome<AddTrigger>, AddedItem>("trigger.add", for: .apps, isDurable: true)
    /// Removes a trigger with the action sets that it owns.
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
    /// Lets a trigger run an action set.
    package static let addActionSetToTrigger = Method<InHome<AddActionSetToTrigger>, Empty>(
        "trigger.addActionSet",
        for: .apps,
        isDurable: true
    )
    /// Lets a trigger run an action set no longer; one that it owns is removed.
    package static let removeActionSetFromTrigger = Method<InHome<RemoveActionSetFromTrigger>, Empty>(
        "trigger.removeActionSet",
        for: .apps,
        isDurable: true
    )

    // MARK: Values

    /// Reads characteristics from their accessories.
    package static let read = Method<ReadCharacteristics, CharacteristicResults>("characteristic.read", for: .apps)
    /// Writes characteristics.
    package static let write = Method<WriteCharacteristics, CharacteristicResults>("characteristic.write", for: .apps)
    /// Chooses the characteristics whose changes this connection hears of by ``HubEvent/values(_:)``.
    package static let notify = Method<NotifyCharacteristics, CharacteristicResults>(
        "characteristic.notify",
        for: .apps
    )

    // MARK: Apps

    /// Lists the apps that were allowed or denied the use of the user's homes, and those that are connected.
    package static let apps = Method<Empty, Apps>("app.list", for: .people)
    /// Allows an app the use of the user's homes.
    package static let allowApp = Method<AppTarget, Empty>("app.allow", for: .people, isDurable: true)
    /// Denies an app the use of the user's homes; at once, on open connections too.
    package static let denyApp = Method<AppTarget, Empty>("app.deny", for: .people, isDurable: true)
    /// Forgets whether an app was allowed or denied: it is as if it had never been here.
    package static let forgetApp = Method<AppTarget, Empty>("app.forget", for: .people, isDurable: true)

    /// Opens a socket at which whoever connects is one app of the user's: for a process of another uid, or in a container.
    /// The hub opens it again at each start until it is removed.
    package static let openAppSocket = Method<OpenAppSocket, OpenedAppSocket>("app.openSocket", for: .people)
    /// Removes an app's socket and ends its connections.
    package static let closeAppSocket = Method<AppSocketTarget, Empty>("app.closeSocket", for: .people)

    // MARK: Questions

    /// Lists the questions that wait for an answer, and has this connection told of each further one.
    package static let questions = Method<Empty, Questions>("question.list", for: .people)
    /// Answers a question.
    package static let answerQuestion = Method<AnswerQuestion, Empty>("question.answer", for: .people)
    /// Declines to answer: what was asked for is cancelled.
    package static let declineQuestion = Method<QuestionTarget, Empty>("question.decline", for: .people)

    // MARK: Keeping

    /// Makes a backup of everything the hub has, pairings too, sealed with a passphrase in age's format. For the hub's own
    /// user only. The hub keeps it until the connection ends or makes another.
    package static let makeBackup = Method<CreateBackup, BackupInfo>("backup.make", for: .people)
    /// Reads a piece of the backup that this connection had made.
    package static let readBackup = Method<ReadBackup, BackupChunk>("backup.read", for: .people)
    /// Gives the hub a piece of an export, which it keeps for this connection until its homes were imported.
    package static let writeImport = Method<WriteImport, Empty>("import.write", for: .people)
    /// Imports homes from the export that this connection has written: each home by one entry, and all of them or none. A
    /// dry run tells what would become of everything, and changes nothing.
    package static let importHomes = Method<ImportHomes, ImportReport>("home.import", for: .people, isDurable: true)
}
