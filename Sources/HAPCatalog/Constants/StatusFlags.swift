/// The accessory's state in an advertisement (TXT key `sf`). Source: HAP specification, table 6-8.
public struct StatusFlags: OptionSet, Hashable, Codable, Sendable {
    /// The number in the record.
    public let rawValue: Int

    /// Creates flags from the number in the record.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// The accessory has no pairing.
    public static let notPaired = StatusFlags(rawValue: 1 << 0)
    /// The accessory is not joined to a Wi-Fi network.
    public static let notJoinedToWiFi = StatusFlags(rawValue: 1 << 1)
    /// The accessory has detected a problem with itself.
    public static let problemDetected = StatusFlags(rawValue: 1 << 2)
}
