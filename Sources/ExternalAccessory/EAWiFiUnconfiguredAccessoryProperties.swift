/// The technologies that an accessory supports once it is on the network.
/// - Since: iOS 8.0
public struct EAWiFiUnconfiguredAccessoryProperties: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt

    /// Creates a set from bits.
    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// AirPlay.
    /// - Since: iOS 8.0
    public static let supportsAirPlay = EAWiFiUnconfiguredAccessoryProperties(rawValue: 1 << 0)
    /// AirPrint.
    /// - Since: iOS 8.0
    public static let supportsAirPrint = EAWiFiUnconfiguredAccessoryProperties(rawValue: 1 << 1)
    /// HomeKit.
    /// - Since: iOS 8.0
    public static let supportsHomeKit = EAWiFiUnconfiguredAccessoryProperties(rawValue: 1 << 2)
}
