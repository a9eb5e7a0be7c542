package import Foundation
package import HomeModel

/// Adds a trigger.
package struct AddTrigger: Hashable, Sendable, Codable {
    /// The home.
    package var home: UUID
    /// The identity that the client gave the trigger; a new one if nil.
    package var id: UUID?
    /// Its name, unique in the home.
    package var name: String
    /// When it fires.
    package var definition: TriggerDefinition

    /// Makes the parameters.
    package init(home: UUID, id: UUID? = nil, name: String, definition: TriggerDefinition) {
        self.home = home
        self.id = id
        self.name = name
        self.definition = definition
    }
}

/// Changes when a trigger fires.
package struct EditTrigger: Hashable, Sendable, Codable {
    /// The home.
    package var home: UUID
    /// The trigger.
    package var id: UUID
    /// What is changed.
    package var edit: TriggerEdit

    /// Makes the parameters.
    package init(home: UUID, id: UUID, edit: TriggerEdit) {
        self.home = home
        self.id = id
        self.edit = edit
    }
}

/// Lets a trigger fire, or not.
package struct EnableTrigger: Hashable, Sendable, Codable {
    /// The home.
    package var home: UUID
    /// The trigger.
    package var id: UUID
    /// Whether it fires.
    package var isEnabled: Bool

    /// Makes the parameters.
    package init(home: UUID, id: UUID, isEnabled: Bool) {
        self.home = home
        self.id = id
        self.isEnabled = isEnabled
    }
}

/// An action set's place among those that a trigger runs.
package struct TriggeredActionSet: Hashable, Sendable, Codable {
    /// The home.
    package var home: UUID
    /// The trigger.
    package var trigger: UUID
    /// The action set.
    package var actionSet: UUID

    /// Makes the parameters.
    package init(home: UUID, trigger: UUID, actionSet: UUID) {
        self.home = home
        self.trigger = trigger
        self.actionSet = actionSet
    }
}
