/// Names a characteristic of the catalogue: `\.on`, `\.targetDoorState`.
public typealias CharacteristicKey = any KeyPath<HAPType.Characteristic.Type, HAPType> & Sendable

extension HAPType {
    /// The type that a key names.
    init(_ key: CharacteristicKey) {
        self = HAPType.Characteristic.self[keyPath: key]
    }
}

extension CharacteristicValue: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByStringLiteral
{
    /// A value of format bool.
    public init(booleanLiteral value: Bool) {
        self = .bool(value)
    }

    /// A whole number.
    public init(integerLiteral value: Int64) {
        self = .integer(value)
    }

    /// A number.
    public init(floatLiteral value: Double) {
        self = .double(value)
    }

    /// A text.
    public init(stringLiteral value: String) {
        self = .string(value)
    }
}
