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
    /// Whether the hub removes the trigger once it has nothing left to do, as after “in ten minutes”.
    package var isTemporary: Bool

    /// Creates the record of a trigger.
    package init(
        id: UUID,
        name: String,
        isEnabled: Bool = false,
        actionSets: [UUID] = [],
        definition: TriggerDefinition,
        isTemporary: Bool = false
    ) {
        self.id = id
        self.name = name
        self.isEnabled = isEnabled
        self.actionSets = actionSets
        self.definition = definition
        self.isTemporary = isTemporary
    }
}

extension TriggerRecord: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, name, isEnabled, actionSets, definition, isTemporary
    }

    /// Decodes a record.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            id: try container.decode(UUID.self, forKey: .id),
            name: try container.decodeName(forKey: .name),
            isEnabled: try container.decode(Bool.self, forKey: .isEnabled),
            actionSets: try container.decode([UUID].self, forKey: .actionSets),
            definition: try container.decode(TriggerDefinition.self, forKey: .definition),
            isTemporary: try container.decodeIfPresent(Bool.self, forKey: .isTemporary) ?? false
        )
    }

    /// Encodes the record. Most records have the keys that they had before there were temporary triggers.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(name, forKey: .name)
        try container.encode(isEnabled, forKey: .isEnabled)
        try container.encode(actionSets, forKey: .actionSets)
        try container.encode(definition, forKey: .definition)
        if isTemporary { try container.encode(true, forKey: .isTemporary) }
    }
}
