package import Foundation
package import HAPCatalog

/// A request to change a home. ``Home/decide(_:by:at:)`` holds the rules.
package enum HomeRequest: Hashable, Sendable {
    /// Adds a room with a new ID.
    case addRoom(id: UUID, name: String)
    /// Removes a room. Its accessories move to the default room, and its zones lose it.
    case removeRoom(UUID)
    /// Renames a room.
    case renameRoom(UUID, name: String)
    /// Adds a zone with a new ID and no rooms.
    case addZone(id: UUID, name: String)
    /// Removes a zone; its rooms stay.
    case removeZone(UUID)
    /// Renames a zone.
    case renameZone(UUID, name: String)
    /// Adds a room to a zone.
    case addRoomToZone(room: UUID, zone: UUID)
    /// Removes a room from a zone.
    case removeRoomFromZone(room: UUID, zone: UUID)
    /// Adds the accessories of a server: a standalone accessory, or a bridge with its bridged accessories. The name is
    /// for the server's own accessory; the room is for all of them, by default the default room.
    case addAccessories([AccessoryCandidate], server: String, name: String?, room: UUID?)
    /// Removes a standalone accessory, a bridge with its bridged accessories, or an accessory that vanished from its
    /// bridge.
    case removeAccessory(UUID)
    /// Renames an accessory in the home.
    case renameAccessory(UUID, name: String)
    /// Moves an accessory to a room. The bridged accessories of a bridge stay where they are.
    case moveAccessory(UUID, room: UUID)
    /// Blocks a standalone accessory, or a bridge with its bridged accessories.
    case blockAccessory(UUID)
    /// Unblocks an accessory and all others on its server.
    case unblockAccessory(UUID)
    /// Updates a server's accessories after its configuration number changed.
    case updateAccessories([AccessoryCandidate], server: String)
    /// Renames a service in the home.
    case renameService(accessory: UUID, iid: UInt64, name: String)
    /// Sets the type that a switch, an outlet or a contact sensor counts as; `nil` for its own type.
    case setAssociatedType(HAPType?, accessory: UUID, iid: UInt64)

    /// Adds a service group with a new ID and no services.
    case addServiceGroup(id: UUID, name: String)
    /// Removes a service group; its services stay.
    case removeServiceGroup(UUID)
    /// Renames a service group.
    case renameServiceGroup(UUID, name: String)
    /// Adds a service to a group.
    case addServiceToGroup(ServiceIdentity, group: UUID)
    /// Removes a service from a group.
    case removeServiceFromGroup(ServiceIdentity, group: UUID)

    /// Adds an action set with a new ID and no actions.
    case addActionSet(id: UUID, name: String)
    /// Adds an action set that is owned by a trigger and removed with it.
    case addOwnedActionSet(id: UUID, trigger: UUID)
    /// Removes an action set, also from the triggers that run it.
    case removeActionSet(UUID)
    /// Renames an action set.
    case renameActionSet(UUID, name: String)
    /// Adds an action, with a new ID, that writes a value to a characteristic.
    case addAction(id: UUID, CharacteristicIdentity, value: CharacteristicValue, actionSet: UUID)
    /// Changes the value that an action writes.
    case setActionValue(CharacteristicValue, action: UUID, actionSet: UUID)
    /// Removes an action.
    case removeAction(UUID, actionSet: UUID)

    /// Adds a trigger with a new ID, disabled and without action sets.
    case addTrigger(id: UUID, name: String, TriggerDefinition)
    /// Removes a trigger with the action sets that it owns.
    case removeTrigger(UUID)
    /// Renames a trigger.
    case renameTrigger(UUID, name: String)
    /// Changes a trigger's definition.
    case editTrigger(UUID, TriggerEdit)
    /// Adds an action set to a trigger.
    case addActionSetToTrigger(actionSet: UUID, trigger: UUID)
    /// Removes an action set from a trigger. If the trigger owns it, it is deleted.
    case removeActionSetFromTrigger(actionSet: UUID, trigger: UUID)
    /// Enables or disables a trigger.
    case enableTrigger(UUID, Bool)

    /// Adds a user with a new ID within the home.
    case addUser(id: UUID, name: String, role: Role)
    /// Removes a user, or lets a user leave.
    case removeUser(UUID)
    /// Changes a user's role.
    case setRole(Role, of: UUID)
    /// Restores the access of a suspended user.
    case confirmUser(UUID)
}
