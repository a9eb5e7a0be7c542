package import Foundation

/// An action set: actions that run together, in no guaranteed order. Users know it as a scene.
package struct ActionSetRecord: Hashable, Sendable, Identifiable {
    /// The action set's ID: random and never reused; derived from the home's ID for a built-in one.
    package var id: UUID
    /// The name that a user chose; empty for a trigger-owned action set.
    package var name: String
    /// The purpose of the action set.
    package var type: ActionSetType
    /// The actions in the order in which they were added. An action keeps its place while its characteristic is
    /// missing.
    package var actions: [Action]
    /// The icon that a user chose; `nil` for the default one.
    package var icon: SceneIcon?

    /// Creates the record of an action set.
    package init(
        id: UUID,
        name: String,
        type: ActionSetType = .userDefined,
        actions: [Action] = [],
        icon: SceneIcon? = nil
    ) {
        self.id = id
        self.name = name
        self.type = type
        self.actions = actions
        self.icon = icon
    }
}

extension ActionSetRecord: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, name, type, actions, icon
    }

    /// Decodes a record.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            id: try container.decode(UUID.self, forKey: .id),
            name: try container.decodeName(forKey: .name),
            type: try container.decode(ActionSetType.self, forKey: .type),
            actions: try container.decode([Action].self, forKey: .actions),
            icon: try container.decodeIfPresent(SceneIcon.self, forKey: .icon)
        )
    }
}
