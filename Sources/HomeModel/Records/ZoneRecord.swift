package import Foundation

/// A zone: a named group of rooms. A room can be in several zones.
package struct ZoneRecord: Hashable, Sendable, Identifiable {
    /// The zone's ID: random and never reused.
    package var id: UUID
    /// The name that a user chose.
    package var name: String
    /// The rooms in the order in which they were added; never the default room.
    package var rooms: [UUID]

    /// Creates the record of a zone.
    package init(id: UUID, name: String, rooms: [UUID] = []) {
        self.id = id
        self.name = name
        self.rooms = rooms
    }
}

extension ZoneRecord: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, name, rooms
    }

    /// Decodes a record.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            id: try container.decode(UUID.self, forKey: .id),
            name: try container.decodeName(forKey: .name),
            rooms: try container.decode([UUID].self, forKey: .rooms)
        )
    }
}
