/// Whether a person was asked if the app may use the homes, and what they said.
/// - Since: iOS 13.0
public struct HMHomeManagerAuthorizationStatus: OptionSet, Hashable, Sendable {
    /// The status as bits.
    public let rawValue: UInt

    /// Makes a status from bits.
    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// It has been decided. Without ``authorized``: the app may not.
    /// - Since: iOS 13.0
    public static let determined = HMHomeManagerAuthorizationStatus(rawValue: 1 << 0)
    /// The person cannot allow it.
    /// - Since: iOS 13.0
    public static let restricted = HMHomeManagerAuthorizationStatus(rawValue: 1 << 1)
    /// The app may use the homes.
    /// - Since: iOS 13.0
    public static let authorized = HMHomeManagerAuthorizationStatus(rawValue: 1 << 2)
}
