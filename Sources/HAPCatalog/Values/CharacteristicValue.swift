/// The value of a characteristic.
///
/// Numbers compare by what they are, not by how they are held: `.integer(21) == .double(21)`, so a value that went
/// through JSON and came back is equal to what it was. `.bool(true)` and `.integer(1)` are different; use
/// ``converted(to:)`` where the format is known.
public enum CharacteristicValue: Sendable {
    /// A value of format bool.
    case bool(Bool)
    /// A value of an integer format.
    case integer(Int64)
    /// A value of format uint64 above `Int64.max`; `unsigned` values below it are equal to integers.
    /// ``number(_:)-(UInt64)`` picks the right case.
    case unsigned(UInt64)
    /// A value of format float.
    case double(Double)
    /// A value of format string.
    case string(String)
    /// The bytes of a value of format tlv8 or data.
    case data([UInt8])

    /// The value of an unsigned number: ``integer(_:)`` where it fits, else ``unsigned(_:)``.
    public static func number(_ value: UInt64) -> CharacteristicValue {
        Int64(exactly: value).map { .integer($0) } ?? .unsigned(value)
    }

    /// The value as a whole number: from an integer, or from a finite double without a fraction.
    public var wholeNumber: Int128? {
        switch self {
        case .integer(let value): Int128(value)
        case .unsigned(let value): Int128(value)
        case .double(let value): Int128(exactly: value)
        case .bool, .string, .data: nil
        }
    }

    /// The value as a double; from an integer the nearest one.
    public var number: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .unsigned(let value): Double(value)
        case .double(let value): value
        case .bool, .string, .data: nil
        }
    }

    /// The same value in the form that a format asks for, or `nil` if that would lose something.
    ///
    /// 1 and 0 become `true` and `false` and the reverse; whole doubles become integers if they are in the format's
    /// range; integers become doubles if they are exact; base64 text becomes the bytes of tlv8 and data. Text is never
    /// read as a number. An unknown format takes any value as it is.
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
    /// Whether two values are the same bool, text or bytes, or the same number in whatever form.
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

    /// Feeds equal bytes for equal values.
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
    /// The value for people: numbers and text as they are, bytes as base64.
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
