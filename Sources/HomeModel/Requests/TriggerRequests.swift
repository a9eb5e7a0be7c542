package import Foundation

/// Adds a trigger, disabled.
package struct AddTrigger: AdditionRequest, Codable {
    /// The ID that the client chose for the trigger, or `nil` to create one.
    package var id: UUID?
    /// The name of the new trigger, unique in the home.
    package var name: String
    /// The conditions under which it fires.
    package var definition: TriggerDefinition
    /// The action sets that it runs; `nil` for none.
    package var actionSets: [UUID]?
    /// Whether the hub removes it once it has nothing left to do; `nil` for a trigger that stays.
    package var isTemporary: Bool?

    /// Creates a request.
    package init(
        id: UUID? = nil,
        name: String,
        _ definition: TriggerDefinition,
        actionSets: [UUID]? = nil,
        isTemporary: Bool? = nil
    ) {
        self.id = id
        self.name = name
        self.definition = definition
        self.actionSets = actionSets
        self.isTemporary = isTemporary
    }

    package func change(in home: Home, by caller: Caller, at now: Date) throws(HomeError) -> Change? {
        try home.addTrigger(
            id ?? UUID(),
            name: name,
            definition: definition,
            actionSets: actionSets ?? [],
            isTemporary: isTemporary ?? false,
            by: caller,
            at: now
        )
    }
}

/// Removes a trigger and the action sets that it owns.
package struct RemoveTrigger: ItemRequest {
    /// The trigger.
    package var id: UUID

    /// Creates a request.
    package init(_ id: UUID) {
        self.id = id
    }

    package func change(in home: Home, by caller: Caller, at now: Date) throws(HomeError) -> Change? {
        try home.removeTrigger(id)
    }
}

/// Renames a trigger.
package struct RenameTrigger: RenameRequest {
    /// The trigger.
    package var id: UUID
    /// The new name, unique in the home.
    package var name: String

    /// Creates a request.
    package init(_ id: UUID, name: String) {
        self.id = id
        self.name = name
    }

    package func change(in home: Home, by caller: Caller, at now: Date) throws(HomeError) -> Change? {
        try home.renameTrigger(id, name: name)
    }
}

/// Changes the conditions under which a trigger fires.
package struct EditTrigger: HomeRequest, Codable {
    /// The trigger.
    package var id: UUID
    /// The change.
    package var edit: TriggerEdit

    /// Creates a request.
    package init(_ id: UUID, _ edit: TriggerEdit) {
        self.id = id
        self.edit = edit
    }

    package func change(in home: Home, by caller: Caller, at now: Date) throws(HomeError) -> Change? {
        try home.editTrigger(id, edit, by: caller, at: now)
    }
}

/// Enables or disables a trigger.
package struct EnableTrigger: HomeRequest, Codable {
    /// The trigger.
    package var id: UUID
    /// Whether the trigger fires.
    package var isEnabled: Bool

    /// Creates a request.
    package init(_ id: UUID, _ isEnabled: Bool) {
        self.id = id
        self.isEnabled = isEnabled
    }

    package func change(in home: Home, by caller: Caller, at now: Date) throws(HomeError) -> Change? {
        try home.enableTrigger(id, isEnabled, at: now)
    }
}

/// Adds an action set to those that a trigger executes.
package struct AddActionSetToTrigger: HomeRequest, Codable {
    /// The action set.
    package var actionSet: UUID
    /// The trigger.
    package var trigger: UUID

    /// Creates a request.
    package init(actionSet: UUID, trigger: UUID) {
        self.actionSet = actionSet
        self.trigger = trigger
    }

    package func change(in home: Home, by caller: Caller, at now: Date) throws(HomeError) -> Change? {
        try home.addActionSet(actionSet, toTrigger: trigger)
    }
}

/// Removes an action set from those that a trigger executes. An action set that the trigger owns is deleted.
package struct RemoveActionSetFromTrigger: HomeRequest, Codable {
    /// The action set.
    package var actionSet: UUID
    /// The trigger.
    package var trigger: UUID

    /// Creates a request.
    package init(actionSet: UUID, trigger: UUID) {
        self.actionSet = actionSet
        self.trigger = trigger
    }

    package func change(in home: Home, by caller: Caller, at now: Date) throws(HomeError) -> Change? {
        try home.removeActionSet(actionSet, fromTrigger: trigger)
    }
}
