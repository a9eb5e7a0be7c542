/// The kind of a change. Clients choose the delegate method by it; the state changes through effects only.
///
/// Unknown values are preserved: an entry of a newer version applies even if its verb is unknown.
package struct Verb: Hashable, Sendable, Codable, RawRepresentable {
    /// The verb's name in logs and messages.
    package var rawValue: String

    /// Creates a value from its name.
    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    // In every log:

    /// The log was restored from a copy, which begins a new lineage. Subjects: the suspended users.
    package static let restored = Verb(rawValue: "restored")

    // In a home's log. The comments list the subjects.

    /// The home was created. Subjects: the home.
    package static let homeCreated = Verb(rawValue: "homeCreated")
    /// The home's place was set or removed. Subjects: the home.
    package static let homePlaceChanged = Verb(rawValue: "homePlaceChanged")
    /// An export was imported into the home. Subjects: the new and changed objects.
    package static let homeImported = Verb(rawValue: "homeImported")
    /// Subjects: the room.
    package static let roomAdded = Verb(rawValue: "roomAdded")
    /// Subjects: the room, then the accessories that moved to the default room.
    package static let roomRemoved = Verb(rawValue: "roomRemoved")
    /// Subjects: the room.
    package static let roomRenamed = Verb(rawValue: "roomRenamed")
    /// Subjects: the zone.
    package static let zoneAdded = Verb(rawValue: "zoneAdded")
    /// Subjects: the zone.
    package static let zoneRemoved = Verb(rawValue: "zoneRemoved")
    /// Subjects: the zone.
    package static let zoneRenamed = Verb(rawValue: "zoneRenamed")
    /// Subjects: the zone, the room.
    package static let zoneRoomAdded = Verb(rawValue: "zoneRoomAdded")
    /// Subjects: the zone, the room.
    package static let zoneRoomRemoved = Verb(rawValue: "zoneRoomRemoved")
    /// Subjects: every added accessory, a bridge first.
    package static let accessoriesAdded = Verb(rawValue: "accessoriesAdded")
    /// Subjects: every removed accessory, a bridge first. Also removes their services from groups, the actions on them,
    /// and the events and conditions of triggers that depend on them.
    package static let accessoriesRemoved = Verb(rawValue: "accessoriesRemoved")
    /// Subjects: the accessory.
    package static let accessoryRenamed = Verb(rawValue: "accessoryRenamed")
    /// Subjects: the accessory, the room.
    package static let accessoryMoved = Verb(rawValue: "accessoryMoved")
    /// Subjects: every blocked accessory, a bridge first.
    package static let accessoriesBlocked = Verb(rawValue: "accessoriesBlocked")
    /// Subjects: every unblocked accessory, a bridge first.
    package static let accessoriesUnblocked = Verb(rawValue: "accessoriesUnblocked")
    /// A server's accessories were read again and differ. Subjects: every accessory with new services or information,
    /// that vanished or returned (``AccessoryRecord/isAbsent``), or that is new to the home.
    package static let accessoriesUpdated = Verb(rawValue: "accessoriesUpdated")
    /// Subjects: the accessory, the service.
    package static let serviceRenamed = Verb(rawValue: "serviceRenamed")

    /// The associated type of a switch, an outlet or a contact sensor changed. Subjects: the accessory, the service.
    package static let associatedTypeChanged = Verb(rawValue: "associatedTypeChanged")
    /// Subjects: the group.
    package static let serviceGroupAdded = Verb(rawValue: "serviceGroupAdded")
    /// Subjects: the group.
    package static let serviceGroupRemoved = Verb(rawValue: "serviceGroupRemoved")
    /// Subjects: the group.
    package static let serviceGroupRenamed = Verb(rawValue: "serviceGroupRenamed")
    /// Subjects: the group, the accessory, the service.
    package static let serviceGroupServiceAdded = Verb(rawValue: "serviceGroupServiceAdded")
    /// Subjects: the group, the accessory, the service.
    package static let serviceGroupServiceRemoved = Verb(rawValue: "serviceGroupServiceRemoved")
    /// Subjects: the action set; for a trigger-owned one, also its trigger.
    package static let actionSetAdded = Verb(rawValue: "actionSetAdded")
    /// Subjects: the action set, then the triggers that ran it.
    package static let actionSetRemoved = Verb(rawValue: "actionSetRemoved")
    /// Subjects: the action set.
    package static let actionSetRenamed = Verb(rawValue: "actionSetRenamed")
    /// An action was added, removed or given another value. Subjects: the action set, the action, then the triggers
    /// that have nothing left to do and were disabled.
    package static let actionsChanged = Verb(rawValue: "actionsChanged")
    /// Subjects: the trigger.
    package static let triggerAdded = Verb(rawValue: "triggerAdded")
    /// Subjects: the trigger, then the action sets that it owned.
    package static let triggerRemoved = Verb(rawValue: "triggerRemoved")
    /// Subjects: the trigger.
    package static let triggerRenamed = Verb(rawValue: "triggerRenamed")
    /// A trigger was enabled or disabled, fires at different times, or runs different action sets. Subjects: the
    /// trigger, then the action set that was removed from it if the trigger owned it.
    package static let triggerUpdated = Verb(rawValue: "triggerUpdated")
    /// A room was moved in the order of the rooms. Subjects: the room.
    package static let roomOrderChanged = Verb(rawValue: "roomOrderChanged")
    /// A service was moved in the order of its room's services. Subjects: the accessory, the service.
    package static let serviceOrderChanged = Verb(rawValue: "serviceOrderChanged")
    /// A service was hidden or shown, or asks for confirmation or no longer does. Subjects: the accessory, the service.
    package static let serviceDisplayChanged = Verb(rawValue: "serviceDisplayChanged")
    /// Subjects: the action set.
    package static let actionSetIconChanged = Verb(rawValue: "actionSetIconChanged")
    /// A user was added. Subjects: the user.
    package static let userAdded = Verb(rawValue: "userAdded")
    /// A user left or was removed. Subjects: the user, then the triggers that depended on the user.
    package static let userRemoved = Verb(rawValue: "userRemoved")
    /// Subjects: the user.
    package static let userRoleChanged = Verb(rawValue: "userRoleChanged")
    /// A user may use the home from away, or no longer. Subjects: the user.
    package static let userAwayChanged = Verb(rawValue: "userAwayChanged")
    /// The owner confirmed a suspended user. Subjects: the user.
    package static let userConfirmed = Verb(rawValue: "userConfirmed")

    /// An invited user's first device joined. Subjects: the user.
    package static let userJoined = Verb(rawValue: "userJoined")

    // Only in a home's journal:

    /// A user was invited to sign in. Subjects: the user.
    package static let userInvited = Verb(rawValue: "userInvited")
    /// A device signed in with an invitation. Subjects: its user.
    package static let invitationUsed = Verb(rawValue: "invitationUsed")
    /// A device joined over the network. Subjects: its user, the device.
    package static let deviceJoined = Verb(rawValue: "deviceJoined")
    /// A device that had joined was removed. Subjects: its user, the device.
    package static let deviceLeft = Verb(rawValue: "deviceLeft")

    /// The hub has begun to keep changes for its users' devices at a relay, or to keep a backup there or not. Subjects: the relay.
    package static let syncEnabled = Verb(rawValue: "syncEnabled")
    /// The hub keeps them at another relay now. Subjects: the new relay, the former one.
    package static let syncMoved = Verb(rawValue: "syncMoved")
    /// The hub keeps them at no relay any longer. Subjects: the former relay.
    package static let syncDisabled = Verb(rawValue: "syncDisabled")
    /// A user's first device reads at the relay. Subjects: the user.
    package static let feedBegun = Verb(rawValue: "feedBegun")
    /// A user has no device any longer that reads at the relay. Subjects: the user.
    package static let feedEnded = Verb(rawValue: "feedEnded")
    /// The relay had lost what it had for a user's devices, and the hub has written it again. Subjects: the user.
    package static let relayRefilled = Verb(rawValue: "relayRefilled")
    /// The hub's data was set back to an old copy. It stops. No subjects.
    package static let hubSetBack = Verb(rawValue: "hubSetBack")
    /// The hub has taken over from the relay what its data lacked after it was set back. No subjects.
    package static let laterChangesRecovered = Verb(rawValue: "laterChangesRecovered")
    /// The hub goes on with its old data after it was set back. No subjects.
    package static let laterChangesDiscarded = Verb(rawValue: "laterChangesDiscarded")
    /// An encrypted backup was put at the relay. Subjects: the relay.
    package static let vaultMade = Verb(rawValue: "vaultMade")
    /// A device of the owner's has opened the encrypted backup at the relay. Subjects: the relay.
    package static let vaultOpened = Verb(rawValue: "vaultOpened")
    /// A second hub keeps the home too. Subjects: the hub.
    package static let hubJoined = Verb(rawValue: "hubJoined")
    /// A hub has left the home to the other one. Subjects: the hub.
    package static let hubLeft = Verb(rawValue: "hubLeft")
    /// A hub was removed. Subjects: the hub.
    package static let hubRemoved = Verb(rawValue: "hubRemoved")
    /// A hub goes on alone, without knowing what the other one has done. Subjects: the other one.
    package static let hubAlone = Verb(rawValue: "hubAlone")
    /// A hub of two leads. Subjects: the hub.
    package static let hubLeads = Verb(rawValue: "hubLeads")
    /// A hub of two leads, because the one that led can't be reached. Subjects: the hub, the one that led.
    package static let hubTookOver = Verb(rawValue: "hubTookOver")
    /// No hub of two leads, because the hub that writes this reaches neither the other one nor the relay. No subjects.
    package static let hubsSilent = Verb(rawValue: "hubsSilent")

    // In a user's log:

    /// A home was added to the user's list. Subjects: the home.
    package static let homeAdded = Verb(rawValue: "homeAdded")
    /// A home was removed from the user's list. Subjects: the home, then the new primary home if it was the primary
    /// one.
    package static let homeRemoved = Verb(rawValue: "homeRemoved")
    /// The user renamed a home. Subjects: the home.
    package static let homeRenamed = Verb(rawValue: "homeRenamed")
    /// The user chose another primary home. Subjects: the home.
    package static let primaryHomeChanged = Verb(rawValue: "primaryHomeChanged")
    /// Favorites were added, moved or removed. Subjects: their home.
    package static let favoritesChanged = Verb(rawValue: "favoritesChanged")
    /// An app was allowed or denied. No subjects, because apps have no UUIDs.
    package static let appDecided = Verb(rawValue: "appDecided")
    /// An app was forgotten. No subjects.
    package static let appForgotten = Verb(rawValue: "appForgotten")
    /// A device was added. No subjects, because apps don't see devices.
    package static let deviceAdded = Verb(rawValue: "deviceAdded")
    /// A device was renamed. No subjects.
    package static let deviceRenamed = Verb(rawValue: "deviceRenamed")
    /// Devices were removed. No subjects.
    package static let deviceRemoved = Verb(rawValue: "deviceRemoved")
    /// Devices that were suspended after a restore were readmitted. No subjects.
    package static let devicesConfirmed = Verb(rawValue: "devicesConfirmed")
    /// A log's later state was taken over from its user's feed, because the hub was set back. No subjects.
    package static let recovered = Verb(rawValue: "recovered")
    /// A device's keys for its user's feed were set. No subjects.
    package static let deviceKeysChanged = Verb(rawValue: "deviceKeysChanged")

    /// All verbs of this version.
    package static let known: Set<Verb> = [
        .restored, .homeCreated, .homePlaceChanged, .homeImported, .roomAdded, .roomRemoved, .roomRenamed, .zoneAdded,
        .zoneRemoved,
        .zoneRenamed, .zoneRoomAdded, .zoneRoomRemoved, .accessoriesAdded, .accessoriesRemoved, .accessoryRenamed,
        .accessoryMoved, .accessoriesBlocked, .accessoriesUnblocked, .accessoriesUpdated, .serviceRenamed,
        .associatedTypeChanged, .serviceGroupAdded, .serviceGroupRemoved, .serviceGroupRenamed,
        .serviceGroupServiceAdded, .serviceGroupServiceRemoved, .actionSetAdded, .actionSetRemoved,
        .actionSetRenamed, .actionsChanged, .triggerAdded, .triggerRemoved, .triggerRenamed, .triggerUpdated,
        .userAdded, .userRemoved, .userRoleChanged, .userAwayChanged, .userConfirmed, .homeAdded, .homeRemoved,
        .homeRenamed,
        .roomOrderChanged, .serviceOrderChanged, .serviceDisplayChanged, .actionSetIconChanged, .favoritesChanged,
        .primaryHomeChanged, .appDecided, .appForgotten, .userInvited, .invitationUsed,
        .userJoined, .deviceJoined, .deviceLeft, .deviceAdded, .deviceRenamed, .deviceRemoved, .devicesConfirmed,
        .deviceKeysChanged, .recovered, .syncEnabled, .syncMoved, .syncDisabled, .feedBegun, .feedEnded, .relayRefilled,
        .hubSetBack, .laterChangesRecovered, .laterChangesDiscarded, .vaultMade, .vaultOpened,
        .hubJoined, .hubLeft, .hubRemoved, .hubAlone, .hubLeads, .hubTookOver, .hubsSilent,
    ]
}
