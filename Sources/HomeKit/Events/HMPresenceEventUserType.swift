/// The users whose presence an ``HMPresenceEvent`` is about.
/// - Since: iOS 11.0
public enum HMPresenceEventUserType: UInt, Sendable {
    /// The current user.
    /// - Since: iOS 11.0
    case currentUser = 1
    /// All users of the home.
    /// - Since: iOS 11.0
    case homeUsers = 2
    /// Some users of the home, whom only the hub's own commands can choose.
    /// - Since: iOS 11.0
    case customUsers = 3
}
