/// The state of a browser for accessories that aren't on a network.
/// - Since: iOS 8.0
public enum EAWiFiUnconfiguredAccessoryBrowserState: Int, Sendable {
    /// The hub doesn't look for such accessories, or the app isn't allowed to use the hub.
    case wiFiUnavailable = 0
    /// The browser isn't searching.
    case stopped = 1
    /// The browser is searching.
    case searching = 2
    /// An accessory is being configured.
    case configuring = 3
}
