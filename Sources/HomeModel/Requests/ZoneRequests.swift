package import Foundation

/// Adds a zone without rooms.
package struct AddZone: NamedAddition {
    /// The ID of the new zone, which the hub chooses.
    package var id: UUID?
    /// The name of the new zone, unique in the home.
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
        try home.addZone(id ?? UUID(), name: name)
    }
}

/// Removes a zone. Its rooms remain.
package struct RemoveZone: ItemRequest {
    /// The zone.
    package var id: UUID

    /// Creates a request.
    package init(_ id: UUID) {
        self.id = id
    }

    package func change(in home: Home, by caller: Caller, at now: Date) throws(HomeError) -> Change? {
        try home.removeZone(id)
    }
}

/// Renames a zone.
package struct RenameZone: RenameRequest {
    /// The zone.
    package var id: UUID
    /// The new name, unique in the home.
    package var name: String

    /// Creates a request.
    package init(_ id: UUID, name: String) {
        self.id = id
        self.name = name
    }

    package func change(in home: Home, by caller: Caller, at now: Date) throws(HomeError) -> Change? {
        try home.renameZone(id, name: name)
    }
}

/// Adds a room to a zone.
package struct AddRoomToZone: HomeRequest, Codable {
    /// The room.
    package var room: UUID
    /// The zone.
    package var zone: UUID

    /// Creates a request.
    package init(room: UUID, zone: UUID) {
        self.room = room
        self.zone = zone
    }

    package func change(in home: Home, by caller: Caller, at now: Date) throws(HomeError) -> Change? {
        try home.addRoom(room, toZone: zone)
    }
}

/// Removes a room from a zone.
package struct RemoveRoomFromZone: HomeRequest, Codable {
    /// The room.
    package var room: UUID
    /// The zone.
    package var zone: UUID

    /// Creates a request.
    package init(room: UUID, zone: UUID) {
        self.room = room
        self.zone = zone
    }

    package func change(in home: Home, by caller: Caller, at now: Date) throws(HomeError) -> Change? {
        try home.removeRoom(room, fromZone: zone)
    }
}
