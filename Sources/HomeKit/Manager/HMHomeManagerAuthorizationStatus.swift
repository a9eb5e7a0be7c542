/// Whether a person was asked if the app may use the homes, and what they said.
public struct HMHomeManagerAuthorizationStatus: OptionSet, Hashable, Sendable {
    /// The status as bits.
    public let rawValue: UInt

    /// Makes a status from bits.
    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// It has been decided. Without ``authorized``: the app may not.
    public static let determined = HMHomeManagerAuthorizationStatus(rawValue: 1 << 0)
    /// The person cannot allow it.
    public static let restricted = HMHomeManagerAuthorizationStatus(rawValue: 1 << 1)
    /// The app may use the homes.
    public static let authorized = HMHomeManagerAuthorizationStatus(rawValue: 1 << 2)
}
