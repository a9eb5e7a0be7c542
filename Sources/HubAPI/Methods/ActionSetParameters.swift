public import Foundation
public import HAPCatalog
public import HomeModel

/// Adds an action set that a trigger owns.
public struct AddOwnedActionSet: Hashable, Sendable, Codable {
    /// The home.
    public var home: UUID
    /// The trigger.
    public var trigger: UUID

    /// Makes the parameters.
    public init(home: UUID, trigger: UUID) {
        self.home = home
        self.trigger = trigger
    }
}

/// Adds an action that writes a value.
public struct AddAction: Hashable, Sendable, Codable {
    /// The home.
    public var home: UUID
    /// The action set.
    public var actionSet: UUID
    /// The identity that the client gave the action; a new one if nil.
    public var id: UUID?
    /// The characteristic.
    public var characteristic: CharacteristicIdentity
    /// The value; a number of another kind is taken where it converts without loss.
    public var value: CharacteristicValue

    /// Makes the parameters.
    public init(
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
public struct SetActionValue: Hashable, Sendable, Codable {
    /// The home.
    public var home: UUID
    /// The action set.
    public var actionSet: UUID
    /// The action.
    public var id: UUID
    /// The value; a number of another kind is taken where it converts without loss.
    public var value: CharacteristicValue

    /// Makes the parameters.
    public init(home: UUID, actionSet: UUID, id: UUID, value: CharacteristicValue) {
        self.home = home
        self.actionSet = actionSet
        self.id = id
        self.value = value
    }
}

/// Names an action.
public struct ActionTarget: Hashable, Sendable, Codable {
    /// The home.
    public var home: UUID
    /// The action set.
    public var actionSet: UUID
    /// The action.
    public var id: UUID

    /// Makes the parameters.
    public init(home: UUID, actionSet: UUID, id: UUID) {
        self.home = home
        self.actionSet = actionSet
        self.id = id
    }
}
