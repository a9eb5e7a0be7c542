package import Foundation

/// A room of the home. The default room has no record of its own.
package struct RoomRecord: Hashable, Sendable, Identifiable {
    /// The room's ID: random and never reused.
    package var id: UUID
    /// The name that a user chose.
    package var name: String

    /// Creates the record of a room.
    package init(id: UUID, name: String) {
        self.id = id
        self.name = name
    }
}

extension RoomRecord: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, name
    }

    /// Decodes a record.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            id: try container.decode(UUID.self, forKey: .id),
            name: try container.decodeName(forKey: .name)
        )
    }
}
