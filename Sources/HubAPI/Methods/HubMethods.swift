package import HomeModel
package import LocalRPC

/// The table of the hub's methods.
///
/// To add a method, add its row here or in an extension, and register its handler with the hub. The row defines who may
/// call the method and from where, and whether the hub recognizes repeated requests after a restart.
package enum HubMethods {
    // MARK: Session

    /// The first call on every connection, made once. The client identifies itself, its version and its position in the
    /// logs. Before the reply, the hub sends either a ``HubEvent/reset(_:)``, or the missed events and a
    /// ``HubEvent/resumed(_:)``.
    package static let hello = Method<Hello, Welcome>("session.hello", for: .apps, by: .oneself, from: .away)
    /// Pauses events while the client is in the background. Calls still work.
    package static let enterBackground = Method<Empty, Empty>(
        "session.enterBackground",
        for: .apps,
        by: .oneself,
        from: .away
    )
    /// Resumes events. If the client missed any, one ``HubEvent/reset(_:)`` precedes the reply.
    package static let enterForeground = Method<Empty, Empty>(
        "session.enterForeground",
        for: .apps,
        by: .oneself,
        from: .away
    )

    /// Returns the hub's running clock, which the expiry of requests is by.
    package static let runningClock = Method<Empty, ClockReading>(
        "session.clock",
        for: .apps,
        by: .oneself,
        from: .away
    )

    // MARK: Homes

    /// Adds a home that the caller owns.
    package static let addHome = Method<AddHome, AddedItem>(
        "home.add",
        for: .apps,
        by: .resident,
        from: .near,
        on: .leader,
        isDurable: true
    )
    /// Removes a home. Accessories that are reachable are unpaired.
    package static let removeHome = Method<HomeTarget, Empty>(
        "home.remove",
        for: .apps,
        by: .owner,
        from: .near,
        on: .leader,
        isDurable: true
    )
    /// Renames a home.
    package static let renameHome = Method<RenameHome, Empty>(
        "home.rename",
        for: .apps,
        by: .visitor,
        from: .away,
        on: .leader,
        isDurable: true
    )
    /// Sets the user's primary home.
    package static let setPrimaryHome = Method<HomeTarget, Empty>(
        "home.setPrimary",
        for: .apps,
        by: .visitor,
        from: .away,
        on: .leader,
        isDurable: true
    )

    /// Sets the home's place, which sunrise, sunset and arrivals depend on, or removes it.
    package static let setHomePlace = Method<InHome<SetHomePlace>, Empty>(
        "home.setPlace",
        for: .people,
        by: .editor,
        from: .away,
        on: .leader,
        isDurable: true
    )

    // MARK: Rooms and zones

    /// Adds a room.
    package static let addRoom = Method<InHome<AddRoom>, AddedItem>(
        "room.add",
        for: .apps,
        by: .editor,
        from: .away,
        on: .leader,
        isDurable: true
    )
    /// Removes a room. Its accessories move to the default room.
    package static let removeRoom = Method<InHome<RemoveRoom>, Empty>(
        "room.remove",
        for: .apps,
        by: .editor,
        from: .away,
        on: .leader,
        isDurable: true
    )
    /// Renames a room.
    package static let renameRoom = Method<InHome<RenameRoom>, Empty>(
        "room.rename",
        for: .apps,
        by: .editor,
        from: .away,
        on: .leader,
        isDurable: true
    )
    /// Adds a zone.
    package static let addZone = Method<InHome<AddZone>, AddedItem>(
        "zone.add",
        for: .apps,
        by: .editor,
        from: .away,
        on: .leader,
        isDurable: true
    )
    /// Removes a zone. Its rooms remain.
    package static let removeZone = Method<InHome<RemoveZone>, Empty>(
        "zone.remove",
        for: .apps,
        by: .editor,
        from: .away,
        on: .leader,
        isDurable: true
    )
    /// Renames a zone.
    package static let renameZone = Method<InHome<RenameZone>, Empty>(
        "zone.rename",
        for: .apps,
        by: .editor,
        from: .away,
        on: .leader,
        isDurable: true
    )
    /// Adds a room to a zone.
    package static let addRoomToZone = Method<InHome<AddRoomToZone>, Empty>(
        "zone.addRoom",
        for: .apps,
        by: .editor,
        from: .away,
        on: .leader,
        isDurable: true
    )
    /// Removes a room from a zone.
    package static let removeRoomFromZone = Method<InHome<RemoveRoomFromZone>, Empty>(
        "zone.removeRoom",
        for: .apps,
        by: .editor,
        from: .away,
        on: .leader,
        isDurable: true
    )

    // MARK: Arrangement

    /// Moves a room in the order of the rooms.
    package static let reorderRoom = Method<InHome<ReorderRoom>, Empty>(
        "room.reorder",
        for: .people,
        by: .editor,
        from: .away,
        on: .leader,
        isDurable: true
    )
    /// Moves a service in the order of its room's services.
    package static let reorderService = Method<InHome<ReorderService>, Empty>(
        "service.reorder",
        for: .people,
        by: .editor,
        from: .away,
        on: .leader,
        isDurable: true
    )
    /// Hides a service from the lists of the home, or shows it again.
    package static let setServiceHidden = Method<InHome<SetServiceHidden>, Empty>(
        "service.setHidden",
        for: .people,
        by: .editor,
        from: .away,
        on: .leader,
        isDurable: true
    )
    /// Sets whether clients ask for confirmation before they control a service.
    package static let setServiceAsksFirst = Method<InHome<SetServiceAsksFirst>, Empty>(
        "service.setAsksFirst",
        for: .people,
        by: .editor,
        from: .away,
        on: .leader,
        isDurable: true
    )
    /// Sets the icon of a scene.
    package static let setSceneIcon = Method<InHome<SetSceneIcon>, Empty>(
        "actionSet.setIcon",
        for: .people,
        by: .editor,
        from: .away,
        on: .leader,
        isDurable: true
    )

    // MARK: Favorites

    /// Adds a service or a scene to the user's favorites. Guests have favorites too.
    package static let addFavorite = Method<FavoritePlacement, Empty>(
        "favorite.add",
        for: .people,
        by: .visitor,
        from: .away,
        on: .leader,
        isDurable: true
    )
    /// Moves one of the user's favorites.
    package static let moveFavorite = Method<FavoritePlacement, Empty>(
        "favorite.move",
        for: .people,
        by: .visitor,
        from: .away,
        on: .leader,
        isDurable: true
    )
    /// Removes one of the user's favorites.
    package static let removeFavorite = Method<FavoriteTarget, Empty>(
        "favorite.remove",
        for: .people,
        by: .visitor,
        from: .away,
        on: .leader,
        isDurable: true
    )

    // MARK: Presence

    /// Lists the users of a home with their presence.
    package static let presence = Method<HomeTarget, PresenceList>(
        "presence.list",
        for: .people,
        by: .visitor,
        from: .away
    )
    /// Reports that a user is at home, is away, or is at a place.
    package static let setPresence = Method<SetPresence, Empty>(
        "presence.set",
        for: .people,
        by: .visitor,
        from: .away,
        on: .leader
    )

    // MARK: Clock

    /// Returns the hub's time.
    package static let clock = Method<Empty, ClockTime>("clock.get", for: .people, by: .oneself, from: .away)
    /// Advances a manual clock, and replies once everything that was due has happened. Only the hub's own user may call
    /// it. Fails with ``HubError/Code/clockNotManual`` if the hub uses the system's clock.
    package static let advanceClock = Method<AdvanceClock, ClockTime>(
        "clock.advance",
        for: .people,
        by: .hubOwner,
        from: .here
    )

    // MARK: Journal

    /// Returns entries of the journal, newest first.
    package static let journal = Method<JournalQuery, JournalPage>(
        "journal.list",
        for: .people,
        by: .visitor,
        from: .away
    )
    /// Explains the last change of an object: the entry of the change, then its causes, each caused by the next.
    package static let explain = Method<ItemTarget, JournalPage>(
        "journal.explain",
        for: .people,
        by: .visitor,
        from: .away
    )
    /// Returns the recorded values of an accessory's sensors.
    package static let journalSamples = Method<JournalSampleQuery, JournalSamples>(
        "journal.samples",
        for: .people,
        by: .visitor,
        from: .away
    )
    /// Sends this connection each later entry of the journal as a ``HubEvent/journal(_:)``.
    package static let followJournal = Method<Empty, Empty>("journal.follow", for: .people, by: .oneself, from: .away)

    // MARK: Values

    /// Reads characteristics from their accessories.
    package static let read = Method<ReadCharacteristics, CharacteristicResults>(
        "characteristic.read",
        for: .apps,
        by: .visitor,
        from: .away
    )
    /// Writes characteristics.
    package static let write = Method<WriteCharacteristics, CharacteristicResults>(
        "characteristic.write",
        for: .apps,
        by: .visitor,
        from: .away
    )
    /// Subscribes this connection to characteristics; their changes arrive as ``HubEvent/values(_:)``. Also
    /// unsubscribes.
    package static let notify = Method<NotifyCharacteristics, CharacteristicResults>(
        "characteristic.notify",
        for: .apps,
        by: .visitor,
        from: .away
    )

    /// Returns since when values are as they are, as far as the hub saw them change.
    package static let changeTimes = Method<ChangeTimesQuery, ChangeTimes>(
        "characteristic.since",
        for: .people,
        by: .visitor,
        from: .away
    )

    // MARK: Voice

    /// Understands a sentence and carries it out. What opens or unlocks something, is ambiguous or reaches very much is
    /// asked first, with a ``Question`` of the kind ``Question/Kind/voice``.
    package static let say = Method<Say, Said>("voice.say", for: .apps, by: .visitor, from: .away)
    /// Returns sentences that a home understands, with the user's own names.
    package static let voiceExamples = Method<VoiceExamplesQuery, VoiceExamples>(
        "voice.examples",
        for: .apps,
        by: .visitor,
        from: .away
    )
    /// Returns the sentences that a home understands as a grammar in JSGF, for small speech recognizers.
    package static let voiceGrammar = Method<VoiceGrammarQuery, VoiceGrammar>(
        "voice.grammar",
        for: .apps,
        by: .visitor,
        from: .away
    )

    // MARK: Backup and import

    /// Creates a backup of everything the hub stores, including pairings, encrypted with a passphrase in age's format.
    /// Only the hub's own user may call it. The hub keeps the backup until the connection closes or creates another.
    package static let makeBackup = Method<CreateBackup, BackupInfo>(
        "backup.make",
        for: .people,
        by: .hubOwner,
        from: .here
    )
    /// Reads a chunk of the backup that this connection created.
    package static let readBackup = Method<ReadBackup, BackupChunk>(
        "backup.read",
        for: .people,
        by: .hubOwner,
        from: .here
    )
    /// Uploads a chunk of an export. The hub keeps the export for this connection until its homes are imported.
    package static let writeImport = Method<WriteImport, Empty>(
        "import.write",
        for: .people,
        by: .resident,
        from: .near
    )
    /// Imports homes from the export that this connection uploaded: all of them or none, with one log entry per home. A
    /// dry run returns the outcome for every object and changes nothing.
    package static let importHomes = Method<ImportHomes, ImportReport>(
        "home.import",
        for: .people,
        by: .resident,
        from: .near,
        isDurable: true
    )
}
