/// A moment of every day that the sun sets.
/// - Since: iOS 11.0
public struct HMSignificantEvent: RawRepresentable, Hashable, Sendable {
    /// The name of the event.
    public let rawValue: String

    /// Names an event.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Names an event.
    public init(_ rawValue: String) {
        self.init(rawValue: rawValue)
    }

    /// The sun rises.
    /// - Since: iOS 9.0
    public static let sunrise = HMSignificantEvent("sunrise")

    /// The sun sets.
    /// - Since: iOS 9.0
    public static let sunset = HMSignificantEvent("sunset")
}
