/// The result of the configuration of an accessory.
/// - Since: iOS 8.0
public enum EAWiFiUnconfiguredAccessoryConfigurationStatus: Int, Sendable {
    /// The accessory is in the home's network.
    case success = 0
    /// The user declined to name a network, or didn't answer.
    case userCancelledConfiguration = 1
    /// The accessory didn't join the network.
    case failed = 2
}
