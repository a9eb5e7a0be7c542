/// The user's decision on whether the app may use the homes.
/// - Since: iOS 13.0
public struct HMHomeManagerAuthorizationStatus: OptionSet, Hashable, Sendable {
    /// The status as bits.
    public let rawValue: UInt

    /// Creates a status from bits.
    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// Access has been decided. Without ``authorized``, the app may not use the homes.
    /// - Since: iOS 13.0
    public static let determined = HMHomeManagerAuthorizationStatus(rawValue: 1 << 0)
    /// The user can't grant access.
    /// - Since: iOS 13.0
    public static let restricted = HMHomeManagerAuthorizationStatus(rawValue: 1 << 1)
    /// The app may use the homes.
    /// - Since: iOS 13.0
    public static let authorized = HMHomeManagerAuthorizationStatus(rawValue: 1 << 2)
}
