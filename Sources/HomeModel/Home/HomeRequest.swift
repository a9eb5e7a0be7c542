public import Foundation

/// What can be asked of a home's layout. ``Home/decide(_:by:)`` holds the rule of each.
public enum HomeRequest: Hashable, Sendable {
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
    /// What a server's accessories look like now (after its configuration number changed).
    case updateAccessories([AccessoryCandidate], server: String)
    /// Gives a service another name in the home.
    case renameService(accessory: UUID, iid: UInt64, name: String)
}
