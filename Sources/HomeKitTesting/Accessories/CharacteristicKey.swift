/// A key for a characteristic type of the catalog, such as `\.on` or `\.targetDoorState`.
public typealias CharacteristicKey = any KeyPath<HAPType.Characteristic.Type, HAPType> & Sendable

extension HAPType {
    /// The type for a key.
    init(_ key: CharacteristicKey) {
        self = HAPType.Characteristic.self[keyPath: key]
    }
}

extension CharacteristicValue: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByStringLiteral
{
    /// Creates a Bool.
    public init(booleanLiteral value: Bool) {
        self = .bool(value)
    }

    /// Creates an integer.
    public init(integerLiteral value: Int64) {
        self = .integer(value)
    }

    /// Creates a floating-point number.
    public init(floatLiteral value: Double) {
        self = .double(value)
    }

    /// Creates a string.
    public init(stringLiteral value: String) {
        self = .string(value)
    }
}
