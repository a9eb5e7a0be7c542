package import Foundation
package import HAPCatalog

/// Adds an action set without actions.
package struct AddActionSet: NamedAddition {
    /// The ID of the new action set, which the hub chooses.
    package var id: UUID?
    /// The name of the new action set, unique in the home.
    package var name: String

    private enum CodingKeys: String, CodingKey {
        case name
    }

    /// Creates a request.
    package init(id: UUID? = nil, name: String) {
        self.id = id
        self.name = name
    }

    package func change(in home: Home, by caller: Caller, at now: Date) throws(HomeError) -> Change? {
        try home.addActionSet(id ?? UUID(), name: name)
    }
}

/// Adds an action set without actions that a trigger owns. It has no name, and is removed with the trigger.
package struct AddOwnedActionSet: AdditionRequest, Codable {
    /// The ID of the new action set, which the hub chooses.
    package var id: UUID?
    /// The trigger.
    package var trigger: UUID

    private enum CodingKeys: String, CodingKey {
        case trigger
    }

    /// Creates a request.
    package init(id: UUID? = nil, trigger: UUID) {
        self.id = id
        self.trigger = trigger
    }

    package func change(in home: Home, by caller: Caller, at now: Date) throws(HomeError) -> Change? {
        try home.addActionSet(id ?? UUID(), ownedBy: trigger)
    }
}

/// Removes an action set, also from the triggers that execute it.
package struct RemoveActionSet: ItemRequest {
    /// The action set.
    package var id: UUID

    /// Creates a request.
    package init(_ id: UUID) {
        self.id = id
    }

    package func change(in home: Home, by caller: Caller, at now: Date) throws(HomeError) -> Change? {
        try home.removeActionSet(id)
    }
}

/// Renames an action set.
package struct RenameActionSet: RenameRequest {
    /// The action set.
    package var id: UUID
    /// The new name, unique in the home.
    package var name: String

    /// Creates a request.
    package init(_ id: UUID, name: String) {
        self.id = id
        self.name = name
    }

    package func change(in home: Home, by caller: Caller, at now: Date) throws(HomeError) -> Change? {
        try home.renameActionSet(id, name: name)
    }
}

/// Adds an action that writes a value to a characteristic.
package struct AddAction: AdditionRequest, Codable {
    /// The ID that the client chose for the action, or `nil` to create one.
    package var id: UUID?
    /// The characteristic.
    package var characteristic: CharacteristicIdentity
    /// The value. A number of another type is accepted if it converts without loss.
    package var value: CharacteristicValue
    /// The action set.
    package var actionSet: UUID

    /// Creates a request.
    package init(id: UUID? = nil, _ characteristic: CharacteristicIdentity, value: CharacteristicValue, actionSet: UUID)
    {
        self.id = id
        self.characteristic = characteristic
        self.value = value
        self.actionSet = actionSet
    }

    package func change(in home: Home, by caller: Caller, at now: Date) throws(HomeError) -> Change? {
        try home.addAction(id ?? UUID(), write: value, to: characteristic, in: actionSet)
    }
}

/// Changes the value that an action writes.
package struct SetActionValue: HomeRequest, Codable {
    /// The value. A number of another type is accepted if it converts without loss.
    package var value: CharacteristicValue
    /// The action.
    package var id: UUID
    /// The action set.
    package var actionSet: UUID

    /// Creates a request.
    package init(_ value: CharacteristicValue, action id: UUID, actionSet: UUID) {
        self.value = value
        self.id = id
        self.actionSet = actionSet
    }

    package func change(in home: Home, by caller: Caller, at now: Date) throws(HomeError) -> Change? {
        try home.setValue(value, ofAction: id, in: actionSet)
    }
}

/// Removes an action from its action set.
package struct RemoveAction: HomeRequest, Codable {
    /// The action.
    package var id: UUID
    /// The action set.
    package var actionSet: UUID

    /// Creates a request.
    package init(_ id: UUID, actionSet: UUID) {
        self.id = id
        self.actionSet = actionSet
    }

    package func change(in home: Home, by caller: Caller, at now: Date) throws(HomeError) -> Change? {
        try home.removeAction(id, from: actionSet)
    }
}
