package import Foundation

/// An action set: actions that are run together, in no promised order. People call it a scene.
package struct ActionSetRecord: Hashable, Sendable, Identifiable {
    /// The action set's identity: random, never reused; of a built-in one derived from its home's.
    package var id: UUID
    /// The name as a person wrote it; of a trigger-owned one empty.
    package var name: String
    /// What it is for.
    package var type: ActionSetType
    /// The actions in the order in which they were added. One whose characteristic is not there for the time being
    /// keeps its place.
    package var actions: [Action]

    /// Makes the record of an action set.
    package init(id: UUID, name: String, type: ActionSetType = .userDefined, actions: [Action] = []) {
        self.id = id
        self.name = name
        self.type = type
        self.actions = actions
    }
}

extension ActionSetRecord: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, name, type, actions
    }

    /// Reads a record.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            id: try container.decode(UUID.self, forKey: .id),
            name: try container.decodeName(forKey: .name),
            type: try container.decode(ActionSetType.self, forKey: .type),
            actions: try container.decode([Action].self, forKey: .actions)
        )
    }
}
