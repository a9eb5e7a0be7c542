public import Foundation

/// A room of the home. The default room has no record of its own.
public struct RoomRecord: Hashable, Sendable, Codable, Identifiable {
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
