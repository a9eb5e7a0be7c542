/// A JSON value. Integers are represented exactly as 64-bit integers, all other numbers as doubles.
public enum JSONValue: Hashable, Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number without fraction and exponent, in the range of `Int64`.
    case integer(Int64)
    /// A number without fraction and exponent, above `Int64.max`.
    case unsigned(UInt64)
    /// Any other number. Never infinite or NaN.
    case double(Double)
    /// A string.
    case string(String)
    /// An array.
    case array([JSONValue])
    /// An object.
    case object(JSONObject)

    /// The maximum nesting depth of arrays and objects: far more than any HAP message needs, and far less than the
    /// stack allows.
    public static let depthLimit = 32

    /// Returns the maximum number of values in a text of the given length: more than any HAP message has, but few
    /// enough that the parsed value takes at most some tens of mebibytes, and at most a small multiple of the text.
    public static func countLimit(forTextOf byteCount: Int) -> Int {
        min(1_000_000, 4_096 + byteCount / 4)
    }

    /// Parses JSON text strictly (RFC 8259): UTF-8 without a byte order mark, no duplicate names in an object, no lone
    /// surrogates, no number beyond the range of a double, nothing after the value, at most ``depthLimit`` levels and
    /// ``countLimit(forTextOf:)`` values.
    /// - Parameters:
    ///   - bytes: The text.
    ///   - allowingTrailingCommas: Whether a comma may precede the end of an array or object, as in the messages of
    ///     some accessories.
    /// - Throws: ``JSONError`` with the reason and the offset.
    public init(parsing bytes: [UInt8], allowingTrailingCommas: Bool = false) throws(JSONError) {
        var reader = JSONReader(bytes: bytes, allowsTrailingCommas: allowingTrailingCommas)
        self = try reader.parse()
    }

    /// The string, or `nil` if the value isn't one.
    public var string: String? {
        if case .string(let value) = self { value } else { nil }
    }

    /// The elements, or `nil` if the value isn't an array.
    public var array: [JSONValue]? {
        if case .array(let value) = self { value } else { nil }
    }

    /// The members, or `nil` if the value isn't an object.
    public var object: JSONObject? {
        if case .object(let value) = self { value } else { nil }
    }

    /// The integer, or `nil` if the value isn't one or doesn't fit. A number with a fraction or an exponent isn't an
    /// integer.
    public var integer: Int64? {
        if case .integer(let value) = self { value } else { nil }
    }

    /// The integer, or `nil` if the value isn't one or is negative.
    public var unsignedInteger: UInt64? {
        switch self {
        case .integer(let value): UInt64(exactly: value)
        case .unsigned(let value): value
        case .null, .bool, .double, .string, .array, .object: nil
        }
    }

    /// The kind of value, for error messages.
    var kind: String {
        switch self {
        case .null: "null"
        case .bool: "a bool"
        case .integer, .unsigned, .double: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
