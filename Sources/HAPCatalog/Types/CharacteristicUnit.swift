/// The unit of a numeric characteristic. Units that are not listed here are kept as they came.
/// Source: HAP specification, table 6-6.
public struct CharacteristicUnit: RawRepresentable, Hashable, Codable, Sendable, CustomStringConvertible {
    /// The name that messages use.
    public let rawValue: String

    /// Creates a unit from the name that messages use.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Degrees of an arc.
    public static let arcdegrees = CharacteristicUnit(rawValue: "arcdegrees")
    /// Degrees Celsius: HAP knows no other unit of temperature.
    public static let celsius = CharacteristicUnit(rawValue: "celsius")
    /// Lux.
    public static let lux = CharacteristicUnit(rawValue: "lux")
    /// Percent.
    public static let percentage = CharacteristicUnit(rawValue: "percentage")
    /// Seconds.
    public static let seconds = CharacteristicUnit(rawValue: "seconds")

    /// The name that messages use.
    public var description: String { rawValue }
}
