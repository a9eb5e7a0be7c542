public import Foundation

/// A zone: a named group of rooms. A room may be in several zones.
public struct ZoneRecord: Hashable, Sendable, Codable, Identifiable {
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
