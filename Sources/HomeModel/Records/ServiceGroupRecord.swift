package import Foundation

/// A service group: services of any accessories under one name. A service may be in several groups.
package struct ServiceGroupRecord: Hashable, Sendable, Identifiable {
    /// The group's identity; random, never reused.
    package var id: UUID
    /// The name as a person wrote it.
    package var name: String
    /// The services in the order in which they were added. One that its accessory lacks for the time being keeps its
    /// place.
    package var services: [ServiceIdentity]

    /// Makes the record of a service group.
    package init(id: UUID, name: String, services: [ServiceIdentity] = []) {
        self.id = id
        self.name = name
        self.services = services
    }
}

extension ServiceGroupRecord: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, name, services
    }

    /// Reads a record.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            id: try container.decode(UUID.self, forKey: .id),
            name: try container.decodeName(forKey: .name),
            services: try container.decode([ServiceIdentity].self, forKey: .services)
        )
    }
}
