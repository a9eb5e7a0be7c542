public import Foundation

/// A room of the home. The default room has no record of its own.
public struct RoomRecord: Hashable, Sendable, Identifiable {
    /// The room's identity; random, never reused.
    public var id: UUID
    /// The name as a person wrote it.
    public var name: String

    /// Makes the record of a room.
    public init(id: UUID, name: String) {
        self.id = id
        self.name = name
    }
}

extension RoomRecord: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, name
    }

    /// Reads a record.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            id: try container.decode(UUID.self, forKey: .id),
            name: try container.decodeName(forKey: .name)
        )
    }
}
