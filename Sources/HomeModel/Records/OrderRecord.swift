package import Foundation

/// The order that users gave to the rooms of a home, or to the services in a room.
///
/// What the order doesn't name follows, in the order in which it was added. The order may name what isn't in the list
/// now, such as a service whose accessory moved to another room.
package struct OrderRecord: Hashable, Sendable, Identifiable {
    /// The list: the home, for the order of its rooms, or a room, for the services in it.
    package var id: UUID
    /// The rooms of a home, without the default room.
    package var rooms: [UUID]
    /// The services in a room.
    package var services: [ServiceIdentity]

    /// Creates the record of an order.
    package init(id: UUID, rooms: [UUID] = [], services: [ServiceIdentity] = []) {
        self.id = id
        self.rooms = rooms
        self.services = services
    }

    /// Whether the order names nothing.
    var isEmpty: Bool { rooms.isEmpty && services.isEmpty }
}

extension OrderRecord: Codable {
    private enum Key: String, CodingKey {
        case id, rooms, services
    }

    /// Decodes a record. Empty lists may be missing.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        self.init(
            id: try container.decode(UUID.self, forKey: .id),
            rooms: try container.decodeIfPresent([UUID].self, forKey: .rooms) ?? [],
            services: try container.decodeIfPresent([ServiceIdentity].self, forKey: .services) ?? []
        )
    }

    /// Encodes the record, leaving out empty lists.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(id, forKey: .id)
        if !rooms.isEmpty { try container.encode(rooms, forKey: .rooms) }
        if !services.isEmpty { try container.encode(services, forKey: .services) }
    }
}
