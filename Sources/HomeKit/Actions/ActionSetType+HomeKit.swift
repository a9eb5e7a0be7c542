import HomeModel

extension ActionSetType {
    private static let names: [(type: ActionSetType, name: String)] = [
        (.userDefined, HMActionSetTypeUserDefined), (.homeArrival, HMActionSetTypeHomeArrival),
        (.homeDeparture, HMActionSetTypeHomeDeparture), (.wakeUp, HMActionSetTypeWakeUp),
        (.sleep, HMActionSetTypeSleep),
        (.triggerOwned, HMActionSetTypeTriggerOwned),
    ]

    /// Creates the type for a constant of the framework, or returns `nil` if there is no such constant.
    init?(homeKitName name: String) {
        guard let known = Self.names.first(where: { $0.name == name }) else { return nil }
        self = known.type
    }

    /// The framework's constant. A type of a newer version is shown as one that users define.
    var homeKitName: String { Self.names.first { $0.type == self }?.name ?? HMActionSetTypeUserDefined }
}
