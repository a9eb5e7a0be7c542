/// What an action set is for. Kept open so that one of a newer version survives.
package struct ActionSetType: Hashable, Sendable, Codable, RawRepresentable {
    /// The type's name in logs and messages.
    package var rawValue: String

    /// Wraps a type's name.
    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// A person made it.
    package static let userDefined = ActionSetType(rawValue: "userDefined")
    /// Everyone is leaving; every home has one.
    package static let homeDeparture = ActionSetType(rawValue: "homeDeparture")
    /// Someone comes home; every home has one.
    package static let homeArrival = ActionSetType(rawValue: "homeArrival")
    /// People get up; every home has one.
    package static let wakeUp = ActionSetType(rawValue: "wakeUp")
    /// People go to bed; every home has one.
    package static let sleep = ActionSetType(rawValue: "sleep")
    /// Part of one trigger: in no list, and run by that trigger only.
    package static let triggerOwned = ActionSetType(rawValue: "triggerOwned")

    /// The types of which every home has one, with the names that these have until a person gives them others.
    static let builtIn: [(type: ActionSetType, name: String)] = [
        (.homeDeparture, "Leave Home"), (.homeArrival, "Arrive Home"), (.wakeUp, "Good Morning"),
        (.sleep, "Good Night"),
    ]
}
