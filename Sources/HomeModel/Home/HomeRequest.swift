package import Foundation
package import HAPCatalog

/// What can be asked of a home. ``Home/decide(_:by:at:)`` holds the rule of each.
package enum HomeRequest: Hashable, Sendable {
    /// Adds a room with a new identity.
    case addRoom(id: UUID, name: String)
    /// Removes a room; its accessories go to the default room, and its zones lose it.
    case removeRoom(UUID)
    /// Gives a room another name.
    case renameRoom(UUID, name: String)
    /// Adds a zone with a new identity and no rooms.
    case addZone(id: UUID, name: String)
    /// Removes a zone; its rooms stay.
    case removeZone(UUID)
    /// Gives a zone another name.
    case renameZone(UUID, name: String)
    /// Makes a room part of a zone.
    case addRoomToZone(room: UUID, zone: UUID)
    /// Takes a room out of a zone.
    case removeRoomFromZone(room: UUID, zone: UUID)
    /// Adds what one accessory server hosts: a standalone accessory, or a bridge and all behind it. A name that is
    /// given is the server's own accessory's; a room is everyone's, the default room unless given.
    case addAccessories([AccessoryCandidate], server: String, name: String?, room: UUID?)
    /// Removes a standalone accessory, or a bridge with all behind it, or one that vanished from its bridge.
    case removeAccessory(UUID)
    /// Gives an accessory another name in the home.
    case renameAccessory(UUID, name: String)
    /// Puts an accessory into a room. What is behind a bridge stays where it is.
    case moveAccessory(UUID, room: UUID)
    /// Shuts out a standalone accessory, or a bridge with all behind it.
    case blockAccessory(UUID)
    /// Lets in again what was shut out: the accessory with all that shares its server.
    case unblockAccessory(UUID)
    /// What a server's accessories look like now (after its configuration number changed).
    case updateAccessories([AccessoryCandidate], server: String)
    /// Gives a service another name in the home.
    case renameService(accessory: UUID, iid: UInt64, name: String)
    /// Says what a switch, an outlet or a contact sensor belongs to, so that it counts as that; nothing for nil.
    case setAssociatedType(HAPType?, accessory: UUID, iid: UInt64)

    /// Adds a service group with a new identity and no services.
    case addServiceGroup(id: UUID, name: String)
    /// Removes a service group; its services stay.
    case removeServiceGroup(UUID)
    /// Gives a service group another name.
    case renameServiceGroup(UUID, name: String)
    /// Makes a service part of a group.
    case addServiceToGroup(ServiceIdentity, group: UUID)
    /// Takes a service out of a group.
    case removeServiceFromGroup(ServiceIdentity, group: UUID)

    /// Adds an action set with a new identity and no actions.
    case addActionSet(id: UUID, name: String)
    /// Adds an action set that a trigger owns, and that goes with it.
    case addOwnedActionSet(id: UUID, trigger: UUID)
    /// Removes an action set; triggers that ran it run it no longer.
    case removeActionSet(UUID)
    /// Gives an action set another name.
    case renameActionSet(UUID, name: String)
    /// Adds an action, with a new identity, that writes a value to a characteristic.
    case addAction(id: UUID, CharacteristicIdentity, value: CharacteristicValue, actionSet: UUID)
    /// Lets an action write another value.
    case setActionValue(CharacteristicValue, action: UUID, actionSet: UUID)
    /// Removes an action.
    case removeAction(UUID, actionSet: UUID)

    /// Adds a trigger with a new identity, disabled and without action sets.
    case addTrigger(id: UUID, name: String, TriggerDefinition)
    /// Removes a trigger with the action sets that it owns.
    case removeTrigger(UUID)
    /// Gives a trigger another name.
    case renameTrigger(UUID, name: String)
    /// Changes when a trigger fires.
    case editTrigger(UUID, TriggerEdit)
    /// Lets a trigger run an action set.
    case addActionSetToTrigger(actionSet: UUID, trigger: UUID)
    /// Lets a trigger run an action set no longer; one that it owns is removed.
    case removeActionSetFromTrigger(actionSet: UUID, trigger: UUID)
    /// Lets a trigger fire, or not.
    case enableTrigger(UUID, Bool)

    /// Adds a person with a new identity within the home.
    case addUser(id: UUID, name: String, role: Role)
    /// Removes a person, or lets a person leave.
    case removeUser(UUID)
    /// Gives a person another role.
    case setRole(Role, of: UUID)
    /// Lets a person who is suspended have their part in the home again.
    case confirmUser(UUID)
}
