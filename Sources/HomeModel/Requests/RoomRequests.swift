package import Foundation

/// Adds a room.
package struct AddRoom: NamedAddition {
    /// The ID of the new room, which the hub chooses.
    package var id: UUID?
    /// The name of the new room, unique in the home.
    package var name: String

    private enum CodingKeys: String, CodingKey {
        case name
    }

    /// Creates a request.
    package init(id: UUID? = nil, name: String) {
        self.id = id
        self.name = name
    }

    package func change(in home: Home, by caller: Caller, at now: Date) throws(HomeError) -> Change? {
        try home.addRoom(id ?? UUID(), name: name)
    }
}

/// Removes a room. Its accessories move to the default room.
package struct RemoveRoom: ItemRequest {
    /// The room.
    package var id: UUID

    /// Creates a request.
    package init(_ id: UUID) {
        self.id = id
    }

    package func change(in home: Home, by caller: Caller, at now: Date) throws(HomeError) -> Change? {
        try home.removeRoom(id)
    }
}

/// Renames a room.
package struct RenameRoom: RenameRequest {
    /// The room.
    package var id: UUID
    /// The new name, unique in the home.
    package var name: String

    /// Creates a request.
    package init(_ id: UUID, name: String) {
        self.id = id
        self.name = name
    }

    package func change(in home: Home, by caller: Caller, at now: Date) throws(HomeError) -> Change? {
        try home.renameRoom(id, name: name)
    }
}
