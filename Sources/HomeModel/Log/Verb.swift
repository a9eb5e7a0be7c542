/// What happened, in one word. Readers pick the delegate message by it; state is changed by effects only.
///
/// Kept open: an entry of a newer version, whose verb a reader does not know, still applies.
package struct Verb: Hashable, Sendable, Codable, RawRepresentable {
    /// The word in logs and messages.
    package var rawValue: String

    /// Wraps a word.
    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    // In every log.

    /// The log was restored from a copy; a new lineage begins. Subjects: the people who were suspended.
    package static let restored = Verb(rawValue: "restored")

    // In a home's log. The comment tells what `Change.subjects` holds.

    /// The home was made. Subjects: the home.
    package static let homeCreated = Verb(rawValue: "homeCreated")
    /// The home took over what an export of it says. Subjects: what is new or changed.
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
    /// Subjects: every removed accessory, a bridge first. Their services leave groups, actions on them go, and triggers
    /// lose what they awaited of them.
    package static let accessoriesRemoved = Verb(rawValue: "accessoriesRemoved")
    /// Subjects: the accessory.
    package static let accessoryRenamed = Verb(rawValue: "accessoryRenamed")
    /// Subjects: the accessory, the room.
    package static let accessoryMoved = Verb(rawValue: "accessoryMoved")
    /// Subjects: every accessory that was shut out, a bridge first.
    package static let accessoriesBlocked = Verb(rawValue: "accessoriesBlocked")
    /// Subjects: every accessory that was let in again, a bridge first.
    package static let accessoriesUnblocked = Verb(rawValue: "accessoriesUnblocked")
    /// A server's accessories were read anew and differ. Subjects: every accessory that has new services or maker's
    /// data, that vanished or came back (``AccessoryRecord/isAbsent``), or that is new to the home.
    package static let accessoriesUpdated = Verb(rawValue: "accessoriesUpdated")
    /// Subjects: the accessory, the service.
    package static let serviceRenamed = Verb(rawValue: "serviceRenamed")

    /// What a switch, an outlet or a contact sensor belongs to was said. Subjects: the accessory, the service.
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
    /// Subjects: the action set; of a trigger-owned one, also its trigger.
    package static let actionSetAdded = Verb(rawValue: "actionSetAdded")
    /// Subjects: the action set, then the triggers that it went from.
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
    /// A trigger was enabled or disabled, fires at other times, or runs other action sets. Subjects: the trigger, then
    /// the action set that it went from if it owned that.
    package static let triggerUpdated = Verb(rawValue: "triggerUpdated")
    /// A person joined. Subjects: the person.
    package static let userAdded = Verb(rawValue: "userAdded")
    /// A person left or was removed. Subjects: the person, then the triggers that waited for the person.
    package static let userRemoved = Verb(rawValue: "userRemoved")
    /// Subjects: the person.
    package static let userRoleChanged = Verb(rawValue: "userRoleChanged")
    /// The owner confirmed a person who was suspended. Subjects: the person.
    package static let userConfirmed = Verb(rawValue: "userConfirmed")

    // In a user's log.

    /// A home joined the user's list. Subjects: the home.
    package static let homeAdded = Verb(rawValue: "homeAdded")
    /// A home left the user's list. Subjects: the home, then the one that became the primary home in its place, if it
    /// was that.
    package static let homeRemoved = Verb(rawValue: "homeRemoved")
    /// The user calls the home something else. Subjects: the home.
    package static let homeRenamed = Verb(rawValue: "homeRenamed")
    /// Another home is the primary one. Subjects: the home.
    package static let primaryHomeChanged = Verb(rawValue: "primaryHomeChanged")
    /// An app was allowed or denied. Apps have no UUIDs: there are no subjects.
    package static let appDecided = Verb(rawValue: "appDecided")
    /// An app was forgotten. There are no subjects.
    package static let appForgotten = Verb(rawValue: "appForgotten")

    /// Every verb that this version knows.
    package static let known: Set<Verb> = [
        .restored, .homeCreated, .homeImported, .roomAdded, .roomRemoved, .roomRenamed, .zoneAdded, .zoneRemoved,
        .zoneRenamed, .zoneRoomAdded, .zoneRoomRemoved, .accessoriesAdded, .accessoriesRemoved, .accessoryRenamed,
        .accessoryMoved, .accessoriesBlocked, .accessoriesUnblocked, .accessoriesUpdated, .serviceRenamed,
        .associatedTypeChanged, .serviceGroupAdded, .serviceGroupRemoved, .serviceGroupRenamed,
        .serviceGroupServiceAdded, .serviceGroupServiceRemoved, .actionSetAdded, .actionSetRemoved,
        .actionSetRenamed, .actionsChanged, .triggerAdded, .triggerRemoved, .triggerRenamed, .triggerUpdated,
        .userAdded, .userRemoved, .userRoleChanged, .userConfirmed, .homeAdded, .homeRemoved, .homeRenamed,
        .primaryHomeChanged, .appDecided, .appForgotten,
    ]
}
