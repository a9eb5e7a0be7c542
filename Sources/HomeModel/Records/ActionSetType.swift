/// The purpose of an action set. Unknown values are preserved.
package struct ActionSetType: Hashable, Sendable, Codable, RawRepresentable {
    /// The type's name in logs and messages.
    package var rawValue: String

    /// Creates a type from its name.
    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Added by a user.
    package static let userDefined = ActionSetType(rawValue: "userDefined")
    /// For when everyone leaves. Every home has one.
    package static let homeDeparture = ActionSetType(rawValue: "homeDeparture")
    /// For when someone comes home. Every home has one.
    package static let homeArrival = ActionSetType(rawValue: "homeArrival")
    /// For getting up. Every home has one.
    package static let wakeUp = ActionSetType(rawValue: "wakeUp")
    /// For going to bed. Every home has one.
    package static let sleep = ActionSetType(rawValue: "sleep")
    /// Part of a trigger: not in any list, and run by that trigger only.
    package static let triggerOwned = ActionSetType(rawValue: "triggerOwned")

    /// The types that every home has, with the names that they have until a user renames them.
    static let builtIn: [(type: ActionSetType, name: String)] = [
        (.homeDeparture, "Leave Home"), (.homeArrival, "Arrive Home"), (.wakeUp, "Good Morning"),
        (.sleep, "Good Night"),
    ]
}
