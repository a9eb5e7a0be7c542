import HomeModel

/// What an ``HMPresenceEvent`` waits for.
/// - Since: iOS 11.0
public enum HMPresenceEventType: UInt, Sendable {
    /// Any of the users arrives.
    /// - Since: iOS 11.0
    case everyEntry = 1
    /// Any of the users leaves.
    /// - Since: iOS 11.0
    case everyExit = 2
    /// The first of the users arrives.
    /// - Since: iOS 11.0
    case firstEntry = 3
    /// The last of the users leaves.
    /// - Since: iOS 11.0
    case lastExit = 4

    /// In a condition: at least one of the users is at home.
    /// - Since: iOS 11.0
    public static var atHome: HMPresenceEventType { .firstEntry }
    /// In a condition: none of the users is at home.
    /// - Since: iOS 11.0
    public static var notAtHome: HMPresenceEventType { .lastExit }
}

extension HMPresenceEventType {
    /// Creates the type for a kind of the home model. A kind of a newer version is shown as an arrival.
    init(_ kind: Presence.Kind) {
        switch kind {
        case .everyExit: self = .everyExit
        case .firstEntry: self = .firstEntry
        case .lastExit: self = .lastExit
        default: self = .everyEntry
        }
    }
}

extension Presence.Kind {
    /// Creates the kind for a type of the framework.
    init(_ type: HMPresenceEventType) {
        switch type {
        case .everyEntry: self = .everyEntry
        case .everyExit: self = .everyExit
        case .firstEntry: self = .firstEntry
        case .lastExit: self = .lastExit
        }
    }
}
