public import Foundation
public import HomeModel

/// Adds a trigger.
public struct AddTrigger: Hashable, Sendable, Codable {
    /// The home.
    public var home: UUID
    /// The identity that the client gave the trigger; a new one if nil.
    public var id: UUID?
    /// Its name, unique in the home.
    public var name: String
    /// When it fires.
    public var definition: TriggerDefinition

    /// Makes the parameters.
    public init(home: UUID, id: UUID? = nil, name: String, definition: TriggerDefinition) {
        self.home = home
        self.id = id
        self.name = name
        self.definition = definition
    }
}

/// Changes when a trigger fires.
public struct EditTrigger: Hashable, Sendable, Codable {
    /// The home.
    public var home: UUID
    /// The trigger.
    public var id: UUID
    /// What is changed.
    public var edit: TriggerEdit

    /// Makes the parameters.
    public init(home: UUID, id: UUID, edit: TriggerEdit) {
        self.home = home
        self.id = id
        self.edit = edit
    }
}

/// Lets a trigger fire, or not.
public struct EnableTrigger: Hashable, Sendable, Codable {
    /// The home.
    public var home: UUID
    /// The trigger.
    public var id: UUID
    /// Whether it fires.
    public var isEnabled: Bool

    /// Makes the parameters.
    public init(home: UUID, id: UUID, isEnabled: Bool) {
        self.home = home
        self.id = id
        self.isEnabled = isEnabled
    }
}

/// An action set's place among those that a trigger runs.
public struct TriggeredActionSet: Hashable, Sendable, Codable {
    /// The home.
    public var home: UUID
    /// The trigger.
    public var trigger: UUID
    /// The action set.
    public var actionSet: UUID

    /// Makes the parameters.
    public init(home: UUID, trigger: UUID, actionSet: UUID) {
        self.home = home
        self.trigger = trigger
        self.actionSet = actionSet
    }
}
