/// Whether a home hub is there for a home: here, the hub that keeps it.
/// - Since: iOS 11.0
public enum HMHomeHubState: UInt, Sendable {
    /// The home has no hub: it is gone.
    /// - Since: iOS 11.0
    case notAvailable = 0
    /// The hub answers.
    /// - Since: iOS 11.0
    case connected = 1
    /// The hub does not answer at the moment.
    /// - Since: iOS 11.0
    case disconnected = 2
}
