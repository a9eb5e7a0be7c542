public import Foundation

/// A zone: a named group of rooms. A room may be in several zones.
public struct ZoneRecord: Hashable, Sendable, Identifiable {
    /// The zone's identity; random, never reused.
    public var id: UUID
    /// The name as a person wrote it.
    public var name: String
    /// The rooms in the order in which they were added; never the default room.
    public var rooms: [UUID]

    /// Makes the record of a zone.
    public init(id: UUID, name: String, rooms: [UUID] = []) {
        self.id = id
        self.name = name
        self.rooms = rooms
    }
}

extension ZoneRecord: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, name, rooms
    }

    /// Reads a record.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            id: try container.decode(UUID.self, forKey: .id),
            name: try container.decodeName(forKey: .name),
            rooms: try container.decode([UUID].self, forKey: .rooms)
        )
    }
}
