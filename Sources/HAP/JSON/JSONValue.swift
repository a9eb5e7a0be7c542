/// A JSON text as a tree. Numbers are kept exactly: integers as 64-bit integers, all others as doubles.
public enum JSONValue: Hashable, Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number written without fraction and exponent that fits.
    case integer(Int64)
    /// A number written without fraction and exponent, above `Int64.max`.
    case unsigned(UInt64)
    /// Every other number. Never infinite, never NaN.
    case double(Double)
    /// A string.
    case string(String)
    /// An array.
    case array([JSONValue])
    /// An object.
    case object(JSONObject)

    /// How deep arrays and objects may nest: far deeper than any HAP message, far shallower than the stack.
    public static let depthLimit = 32

    /// How many values a text of so many bytes may have: more than any HAP message, few enough that the tree takes no
    /// more than some tens of mebibytes, and no more than some times the text.
    public static func countLimit(forTextOf byteCount: Int) -> Int {
        min(1_000_000, 4_096 + byteCount / 4)
    }

    /// Parses a JSON text by RFC 8259, strictly: UTF-8 without a byte order mark, no duplicate names in an object, no
    /// lone surrogates, no number beyond the range of a double, nothing after the text, at most ``depthLimit`` levels and
    /// ``countLimit(forTextOf:)`` values.
    /// - Parameters:
    ///   - bytes: The text.
    ///   - allowingTrailingCommas: Whether a comma may stand before the end of an array or object, as accessories on
    ///     the market write it.
    /// - Throws: What is wrong, and at which byte.
    public init(parsing bytes: [UInt8], allowingTrailingCommas: Bool = false) throws(JSONError) {
        var reader = JSONReader(bytes: bytes, allowsTrailingCommas: allowingTrailingCommas)
        self = try reader.text()
    }

    /// The string, if it is one.
    public var string: String? {
        if case .string(let value) = self { value } else { nil }
    }

    /// The elements, if it is an array.
    public var array: [JSONValue]? {
        if case .array(let value) = self { value } else { nil }
    }

    /// The members, if it is an object.
    public var object: JSONObject? {
        if case .object(let value) = self { value } else { nil }
    }

    /// The integer, if it is one and fits. A number written with a fraction or an exponent is none.
    public var integer: Int64? {
        if case .integer(let value) = self { value } else { nil }
    }

    /// The integer, if it is one and is not negative.
    public var unsignedInteger: UInt64? {
        switch self {
        case .integer(let value): UInt64(exactly: value)
        case .unsigned(let value): value
        case .null, .bool, .double, .string, .array, .object: nil
        }
    }

    /// What it is, in words, for errors.
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
