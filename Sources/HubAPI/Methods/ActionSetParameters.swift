package import Foundation
package import HAPCatalog
package import HomeModel

/// Adds an action set that a trigger owns.
package struct AddOwnedActionSet: Hashable, Sendable, Codable {
    /// The home.
    package var home: UUID
    /// The trigger.
    package var trigger: UUID

    /// Makes the parameters.
    package init(home: UUID, trigger: UUID) {
        self.home = home
        self.trigger = trigger
    }
}

/// Adds an action that writes a value.
package struct AddAction: Hashable, Sendable, Codable {
    /// The home.
    package var home: UUID
    /// The action set.
    package var actionSet: UUID
    /// The identity that the client gave the action; a new one if nil.
    package var id: UUID?
    /// The characteristic.
    package var characteristic: CharacteristicIdentity
    /// The value; a number of another kind is taken where it converts without loss.
    package var value: CharacteristicValue

    /// Makes the parameters.
    package init(
        home: UUID,
        actionSet: UUID,
        id: UUID? = nil,
        characteristic: CharacteristicIdentity,
        value: CharacteristicValue
    ) {
        self.home = home
        self.actionSet = actionSet
        self.id = id
        self.characteristic = characteristic
        self.value = value
    }
}

/// Lets an action write another value.
package struct SetActionValue: Hashable, Sendable, Codable {
    /// The home.
    package var home: UUID
    /// The action set.
    package var actionSet: UUID
    /// The action.
    package var id: UUID
    /// The value; a number of another kind is taken where it converts without loss.
    package var value: CharacteristicValue

    /// Makes the parameters.
    package init(home: UUID, actionSet: UUID, id: UUID, value: CharacteristicValue) {
        self.home = home
        self.actionSet = actionSet
        self.id = id
        self.value = value
    }
}

/// Names an action.
package struct ActionTarget: Hashable, Sendable, Codable {
    /// The home.
    package var home: UUID
    /// The action set.
    package var actionSet: UUID
    /// The action.
    package var id: UUID

    /// Makes the parameters.
    package init(home: UUID, actionSet: UUID, id: UUID) {
        self.home = home
        self.actionSet = actionSet
        self.id = id
    }
}
