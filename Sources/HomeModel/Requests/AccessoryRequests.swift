package import Foundation

/// Adds the accessories of one accessory server: a standalone accessory, or a bridge and its bridged accessories.
package struct AddAccessories: HomeRequest {
    /// The accessories.
    package var candidates: [AccessoryCandidate]
    /// The device ID of their server.
    package var server: String
    /// The name of the server's own accessory, or `nil` for the name that it reports.
    package var name: String?
    /// The room of all of them, or `nil` for the default room.
    package var room: UUID?
    /// The services that become favorites of the user who adds them.
    package var favorites: [ServiceIdentity]

    /// Creates a request.
    package init(
        _ candidates: [AccessoryCandidate],
        server: String,
        name: String?,
        room: UUID?,
        favorites: [ServiceIdentity] = []
    ) {
        self.favorites = favorites
        self.candidates = candidates
        self.server = server
        self.name = name
        self.room = room
    }

    package func change(in home: Home, by caller: Caller, at now: Date) throws(HomeError) -> Change? {
        try home.addAccessories(candidates, server: server, name: name, room: room)
    }
}

/// Updates the accessories of a server to its current description, after its configuration number has changed.
package struct UpdateAccessories: HomeRequest {
    /// The accessories.
    package var candidates: [AccessoryCandidate]
    /// The device ID of their server.
    package var server: String

    /// Creates a request.
    package init(_ candidates: [AccessoryCandidate], server: String) {
        self.candidates = candidates
        self.server = server
    }

    package func change(in home: Home, by caller: Caller, at now: Date) throws(HomeError) -> Change? {
        try home.updateAccessories(candidates, server: server)
    }
}

/// Removes a standalone accessory, a bridge with its bridged accessories, or an accessory that vanished from its bridge.
package struct RemoveAccessory: ItemRequest {
    /// The accessory.
    package var id: UUID

    /// Creates a request.
    package init(_ id: UUID) {
        self.id = id
    }

    package func change(in home: Home, by caller: Caller, at now: Date) throws(HomeError) -> Change? {
        try home.removeAccessory(id)
    }
}

/// Renames an accessory in the home. The device itself isn't renamed.
package struct RenameAccessory: RenameRequest {
    /// The accessory.
    package var id: UUID
    /// The new name, unique in the home.
    package var name: String

    /// Creates a request.
    package init(_ id: UUID, name: String) {
        self.id = id
        self.name = name
    }

    package func change(in home: Home, by caller: Caller, at now: Date) throws(HomeError) -> Change? {
        try home.renameAccessory(id, name: name)
    }
}

/// Moves an accessory to a room. Moving a bridge doesn't move its bridged accessories.
package struct MoveAccessory: HomeRequest, Codable {
    /// The accessory.
    package var id: UUID
    /// The room, which can be the default room.
    package var room: UUID

    /// Creates a request.
    package init(_ id: UUID, room: UUID) {
        self.id = id
        self.room = room
    }

    package func change(in home: Home, by caller: Caller, at now: Date) throws(HomeError) -> Change? {
        try home.moveAccessory(id, room: room)
    }
}

/// Blocks a standalone accessory, or a bridge with its bridged accessories.
package struct BlockAccessory: ItemRequest {
    /// The accessory.
    package var id: UUID

    /// Creates a request.
    package init(_ id: UUID) {
        self.id = id
    }

    package func change(in home: Home, by caller: Caller, at now: Date) throws(HomeError) -> Change? {
        try home.blockAccessory(id)
    }
}

/// Unblocks an accessory and all others of its accessory server.
package struct UnblockAccessory: ItemRequest {
    /// The accessory.
    package var id: UUID

    /// Creates a request.
    package init(_ id: UUID) {
        self.id = id
    }

    package func change(in home: Home, by caller: Caller, at now: Date) throws(HomeError) -> Change? {
        try home.unblockAccessory(id)
    }
}
