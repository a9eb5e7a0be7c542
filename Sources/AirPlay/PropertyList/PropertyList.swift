/// A value of a property list, as AirPlay 2 sends it in bodies.
package enum PropertyList: Hashable, Sendable {
    case boolean(Bool)
    /// An integer. Wider than 64 bits, because senders use the whole unsigned range.
    case integer(Int128)
    case real(Double)
    /// Seconds since the start of 2001.
    case date(Double)
    case string(String)
    case data([UInt8])
    case array([PropertyList])
    case dictionary([String: PropertyList])

    /// The media type of binary property lists.
    package static let contentType = "application/x-apple-binary-plist"

    /// The value of a key, or `nil` if this isn't a dictionary or lacks the key.
    package subscript(key: String) -> PropertyList? {
        if case .dictionary(let values) = self { values[key] } else { nil }
    }

    /// The Boolean, or `nil` if this is another kind of value.
    package var boolean: Bool? {
        if case .boolean(let value) = self { value } else { nil }
    }

    /// The text, or `nil` if this is another kind of value.
    package var string: String? {
        if case .string(let value) = self { value } else { nil }
    }

    /// The bytes, or `nil` if this is another kind of value.
    package var data: [UInt8]? {
        if case .data(let value) = self { value } else { nil }
    }

    /// The elements, or `nil` if this is another kind of value.
    package var array: [PropertyList]? {
        if case .array(let value) = self { value } else { nil }
    }

    /// Returns the integer, or `nil` if this is another kind of value or doesn't fit.
    package func integer<Number: FixedWidthInteger>(as type: Number.Type = Number.self) -> Number? {
        if case .integer(let value) = self { Number(exactly: value) } else { nil }
    }
}

extension PropertyList: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Creates a text.
    package init(stringLiteral value: String) {
        self = .string(value)
    }

    /// Creates an integer.
    package init(integerLiteral value: Int) {
        self = .integer(Int128(value))
    }

    /// Creates a Boolean.
    package init(booleanLiteral value: Bool) {
        self = .boolean(value)
    }

    /// Creates an array.
    package init(arrayLiteral elements: PropertyList...) {
        self = .array(elements)
    }

    /// Creates a dictionary. Of repeated keys, the last one counts.
    package init(dictionaryLiteral elements: (String, PropertyList)...) {
        self = .dictionary(Dictionary(elements) { _, last in last })
    }
}
