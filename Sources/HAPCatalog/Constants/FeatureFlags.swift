/// The methods with which an accessory proves in pair-setup that it is certified (TXT key `ff`). Uncertified
/// accessories advertise none.
public struct FeatureFlags: OptionSet, Hashable, Codable, Sendable {
    /// The number in the record.
    public let rawValue: Int

    /// Creates flags from the number in the record.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Authentication with an MFi chip.
    public static let hardwareAuthentication = FeatureFlags(rawValue: 1 << 0)
    /// Software authentication.
    public static let softwareAuthentication = FeatureFlags(rawValue: 1 << 1)
}
