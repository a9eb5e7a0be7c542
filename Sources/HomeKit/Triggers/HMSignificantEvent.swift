/// A daily event of the sun, such as sunset.
/// - Since: iOS 11.0
public struct HMSignificantEvent: RawRepresentable, Hashable, Sendable {
    /// The name of the event.
    public let rawValue: String

    /// Creates an event with a name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Creates an event with a name.
    public init(_ rawValue: String) {
        self.init(rawValue: rawValue)
    }

    /// Sunrise.
    /// - Since: iOS 9.0
    public static let sunrise = HMSignificantEvent("sunrise")

    /// Sunset.
    /// - Since: iOS 9.0
    public static let sunset = HMSignificantEvent("sunset")
}
