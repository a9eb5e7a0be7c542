/// The value of a characteristic.
///
/// Numbers compare by value, not by case: `.integer(21) == .double(21)`. A value is therefore equal to itself after a
/// round trip through JSON. `.bool(true)` and `.integer(1)` are different; use ``converted(to:)`` if the format is
/// known.
public enum CharacteristicValue: Sendable {
    /// A value of format bool.
    case bool(Bool)
    /// A value of an integer format.
    case integer(Int64)
    /// A value of format uint64 above `Int64.max`; `unsigned` values below it are equal to integers.
    /// ``number(_:)-(UInt64)`` selects the right case.
    case unsigned(UInt64)
    /// A value of format float.
    case double(Double)
    /// A value of format string.
    case string(String)
    /// The bytes of a value of format tlv8 or data.
    case data([UInt8])

    /// Returns the value of an unsigned number: ``integer(_:)`` if it fits, otherwise ``unsigned(_:)``.
    public static func number(_ value: UInt64) -> CharacteristicValue {
        Int64(exactly: value).map { .integer($0) } ?? .unsigned(value)
    }

    /// The value as a whole number, or `nil` unless it is an integer or a finite double without a fraction.
    public var wholeNumber: Int128? {
        switch self {
        case .integer(let value): Int128(value)
        case .unsigned(let value): Int128(value)
        case .double(let value): Int128(exactly: value)
        case .bool, .string, .data: nil
        }
    }

    /// The value as a double, rounded if it is a large integer, or `nil` if it isn't a number.
    public var number: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .unsigned(let value): Double(value)
        case .double(let value): value
        case .bool, .string, .data: nil
        }
    }

    /// Returns the value converted to a format, or `nil` if the conversion would lose information.
    ///
    /// 1 and 0 become `true` and `false`, and vice versa. Whole doubles become integers if they are in the format's
    /// range. Integers become doubles if they are exact. Base64 strings become bytes for tlv8 and data. Strings are
    /// never parsed as numbers. An unknown format accepts any value unchanged.
    public func converted(to format: CharacteristicFormat) -> CharacteristicValue? {
        switch (format, self) {
        case (.bool, .bool), (.string, .string), (.tlv8, .data), (.data, .data), (.other, _):
            return self
        case (.bool, _):
            guard let number = wholeNumber, number == 0 || number == 1 else { return nil }
            return .bool(number == 1)
        case (.float, .double(let value)):
            return value.isFinite ? self : nil
        case (.float, .integer(let value)):
            return Double(exactly: value).map { .double($0) }
        case (.float, .unsigned(let value)):
            return Double(exactly: value).map { .double($0) }
        case (.tlv8, .string(let text)), (.data, .string(let text)):
            return Base64.decode(text).map { .data($0) }
        case (.float, _), (.string, _), (.tlv8, _), (.data, _):
            return nil
        case (.uint8, _), (.uint16, _), (.uint32, _), (.uint64, _), (.int, _):
            let number: Int128? = if case .bool(let flag) = self { flag ? 1 : 0 } else { wholeNumber }
            guard let number, let range = format.integerRange, range.contains(number) else { return nil }
            return Int64(exactly: number).map { .integer($0) } ?? UInt64(exactly: number).map { .unsigned($0) }
        }
    }
}

extension CharacteristicValue: Hashable {
    /// Returns whether two values are the same bool, string or bytes, or equal numbers.
    public static func == (left: CharacteristicValue, right: CharacteristicValue) -> Bool {
        switch (left, right) {
        case (.bool(let left), .bool(let right)): return left == right
        case (.string(let left), .string(let right)): return left == right
        case (.data(let left), .data(let right)): return left == right
        case (.integer(let left), .integer(let right)): return left == right
        case (.double(let left), .double(let right)): return left == right
        default:
            guard let left = left.wholeNumber, let right = right.wholeNumber else { return false }
            return left == right
        }
    }

    /// Hashes the value, so that equal numbers have equal hashes.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .bool(let value): hasher.combine(value)
        case .string(let value): hasher.combine(value)
        case .data(let value): hasher.combine(value)
        case .integer, .unsigned, .double:
            if let wholeNumber { hasher.combine(wholeNumber) } else { hasher.combine(number) }
        }
    }
}

extension CharacteristicValue: CustomStringConvertible {
    /// The value as a string: numbers and strings as is, bytes in base64.
    public var description: String {
        switch self {
        case .bool(let value): String(value)
        case .integer(let value): String(value)
        case .unsigned(let value): String(value)
        case .double(let value): wholeNumber.map { String($0) } ?? String(value)
        case .string(let value): value
        case .data(let value): Base64.encode(value)
        }
    }
}
