package import Foundation

/// A trigger, which runs action sets automatically. Users know it as an automation.
package struct TriggerRecord: Hashable, Sendable, Identifiable {
    /// The trigger's ID: random and never reused.
    package var id: UUID
    /// The name that a user chose.
    package var name: String
    /// Whether the trigger can fire.
    package var isEnabled: Bool
    /// The action sets that it runs, in the order in which they were added.
    package var actionSets: [UUID]
    /// The time or the events at which it fires.
    package var definition: TriggerDefinition

    /// Creates the record of a trigger.
    package init(
        id: UUID,
        name: String,
        isEnabled: Bool = false,
        actionSets: [UUID] = [],
        definition: TriggerDefinition
    ) {
        self.id = id
        self.name = name
        self.isEnabled = isEnabled
        self.actionSets = actionSets
        self.definition = definition
    }
}

extension TriggerRecord: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, name, isEnabled, actionSets, definition
    }

    /// Decodes a record.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            id: try container.decode(UUID.self, forKey: .id),
            name: try container.decodeName(forKey: .name),
            isEnabled: try container.decode(Bool.self, forKey: .isEnabled),
            actionSets: try container.decode([UUID].self, forKey: .actionSets),
            definition: try container.decode(TriggerDefinition.self, forKey: .definition)
        )
    }
}
