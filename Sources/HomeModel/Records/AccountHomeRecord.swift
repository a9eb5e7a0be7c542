package import Foundation

/// An entry for a home in a user's own log, with the user's name for the home.
package struct AccountHomeRecord: Hashable, Sendable, Identifiable {
    /// The home's ID.
    package var id: UUID
    /// The name, unique among the user's homes.
    package var name: String
    /// Whether it is the user's primary home. At most one record is.
    package var isPrimary: Bool
    /// The position in the order in which homes were added, ascending.
    package var order: Int

    /// Creates the record of a home in a user's log.
    package init(id: UUID, name: String, isPrimary: Bool, order: Int) {
        self.id = id
        self.name = name
        self.isPrimary = isPrimary
        self.order = order
    }
}

extension AccountHomeRecord: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, name, isPrimary, order
    }

    /// Decodes a record.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            id: try container.decode(UUID.self, forKey: .id),
            name: try container.decodeName(forKey: .name),
            isPrimary: try container.decode(Bool.self, forKey: .isPrimary),
            order: try container.decode(Int.self, forKey: .order)
        )
    }
}
