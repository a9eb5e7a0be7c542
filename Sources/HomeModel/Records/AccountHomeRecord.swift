package import Foundation

/// A home as one user's own log has it: that it is theirs, and what they call it.
package struct AccountHomeRecord: Hashable, Sendable, Identifiable {
    /// The home's identity.
    package var id: UUID
    /// The name, unique among the user's homes.
    package var name: String
    /// Whether it is the user's primary home. At most one record is.
    package var isPrimary: Bool
    /// Where the home stands in the order in which homes were added; ascending.
    package var order: Int

    /// Makes the record of a home in a user's log.
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

    /// Reads a record.
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
