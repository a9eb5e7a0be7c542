package import Foundation

/// A named group of services of any accessories. A service can be in several groups.
package struct ServiceGroupRecord: Hashable, Sendable, Identifiable {
    /// The group's ID: random and never reused.
    package var id: UUID
    /// The name that a user chose.
    package var name: String
    /// The services in the order in which they were added. A service keeps its place while its accessory lacks it.
    package var services: [ServiceIdentity]

    /// Creates the record of a service group.
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

    /// Decodes a record.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            id: try container.decode(UUID.self, forKey: .id),
            name: try container.decodeName(forKey: .name),
            services: try container.decode([ServiceIdentity].self, forKey: .services)
        )
    }
}
