/// The unit of a numeric characteristic. Unknown units are preserved. Source: HAP specification, table 6-6.
public struct CharacteristicUnit: RawRepresentable, Hashable, Codable, Sendable, CustomStringConvertible {
    /// The unit's name in messages.
    public let rawValue: String

    /// Creates a unit from its name in messages.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Degrees of an arc.
    public static let arcdegrees = CharacteristicUnit(rawValue: "arcdegrees")
    /// Degrees Celsius, the only unit of temperature in HAP.
    public static let celsius = CharacteristicUnit(rawValue: "celsius")
    /// Lux.
    public static let lux = CharacteristicUnit(rawValue: "lux")
    /// Percent.
    public static let percentage = CharacteristicUnit(rawValue: "percentage")
    /// Seconds.
    public static let seconds = CharacteristicUnit(rawValue: "seconds")

    /// The unit's name in messages.
    public var description: String { rawValue }
}
