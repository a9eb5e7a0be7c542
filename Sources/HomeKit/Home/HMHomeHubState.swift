/// The state of a home's hub: here, the hub that stores the home.
/// - Since: iOS 11.0
public enum HMHomeHubState: UInt, Sendable {
    /// There is no hub, because the home was removed.
    /// - Since: iOS 11.0
    case notAvailable = 0
    /// The hub is connected.
    /// - Since: iOS 11.0
    case connected = 1
    /// The hub is currently not connected.
    /// - Since: iOS 11.0
    case disconnected = 2
}
