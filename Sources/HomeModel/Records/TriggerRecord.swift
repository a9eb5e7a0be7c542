package import Foundation

/// A trigger: what makes action sets run without anybody's asking. People call it an automation.
package struct TriggerRecord: Hashable, Sendable, Identifiable {
    /// The trigger's identity; random, never reused.
    package var id: UUID
    /// The name as a person wrote it.
    package var name: String
    /// Whether it fires.
    package var isEnabled: Bool
    /// The action sets that it runs, in the order in which they were added.
    package var actionSets: [UUID]
    /// When it fires.
    package var definition: TriggerDefinition

    /// Makes the record of a trigger.
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

    /// Reads a record.
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
