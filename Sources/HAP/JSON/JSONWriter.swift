/// A writer that encodes JSON directly as bytes, without white space.
///
/// Inside ``object(_:)``, write a ``key(_:)`` before each value. Commas are inserted automatically.
public struct JSONWriter: Sendable {
    /// The bytes written so far.
    public private(set) var bytes: [UInt8] = []
    /// Whether the next value at this level must be preceded by a comma.
    private var needsComma = false

    /// Creates an empty writer.
    public init() {}

    /// Creates an empty writer with room for the given number of bytes.
    init(capacity: Int) {
        bytes.reserveCapacity(capacity)
    }

    /// The number of bytes written so far.
    var count: Int { bytes.count }

    /// Writes an object. The closure writes its members.
    public mutating func object(_ members: (inout JSONWriter) -> Void) {
        nested(UInt8(ascii: "{"), UInt8(ascii: "}"), members)
    }

    /// Writes an array. The closure writes its elements.
    public mutating func array(_ elements: (inout JSONWriter) -> Void) {
        nested(UInt8(ascii: "["), UInt8(ascii: "]"), elements)
    }

    /// Writes the name of a member. Write its value next.
    public mutating func key(_ name: String) {
        write(name)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Writes the name of a member that is already encoded. Write its value next.
    mutating func key(_ key: JSONKey) {
        separate()
        bytes.append(text: key.encoded)
        needsComma = false
    }

    /// Writes `null`.
    public mutating func writeNull() {
        writeToken("null")
    }

    /// Writes `true` or `false`.
    public mutating func write(_ value: Bool) {
        writeToken(value ? "true" : "false")
    }

    /// Writes an integer.
    public mutating func write(_ value: some FixedWidthInteger) {
        separate()
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        bytes.append(decimal: value.magnitude)
    }

    /// Writes a number in the shortest form that parses as the same double. A whole number is written as an integer;
    /// NaN and infinities, which JSON can't represent, as null.
    public mutating func write(_ value: Double) {
        if let whole = Int64(exactly: value) {
            write(whole)
        } else {
            writeToken(value.isFinite ? value.description : "null")
        }
    }

    /// Writes a string.
    public mutating func write(_ value: String) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        var value = value
        value.withUTF8 { utf8 in
            if utf8.contains(where: Self.needsEscape) {
                for byte in utf8 { appendEscaped(byte) }
            } else {
                bytes.append(contentsOf: utf8)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Writes a value that is already encoded.
    mutating func write(encoded value: [UInt8]) {
        separate()
        bytes.append(contentsOf: value)
    }

    /// Writes a JSON value.
    public mutating func write(_ value: JSONValue) {
        switch value {
        case .null: writeNull()
        case .bool(let value): write(value)
        case .integer(let value): write(value)
        case .unsigned(let value): write(value)
        case .double(let value): write(value)
        case .string(let value): write(value)
        case .array(let elements):
            array { writer in
                for element in elements { writer.write(element) }
            }
        case .object(let members):
            object { writer in
                for member in members {
                    writer.key(member.name)
                    writer.write(member.value)
                }
            }
        }
    }

    /// Writes a member with a Boolean value.
    public mutating func member(_ name: String, _ value: Bool) {
        key(name)
        write(value)
    }

    /// Writes a member with an integer.
    public mutating func member(_ name: String, _ value: some FixedWidthInteger) {
        key(name)
        write(value)
    }

    /// Writes a member with a string.
    public mutating func member(_ name: String, _ value: String) {
        key(name)
        write(value)
    }

    private mutating func nested(_ opening: UInt8, _ closing: UInt8, _ content: (inout JSONWriter) -> Void) {
        separate()
        bytes.append(opening)
        needsComma = false
        content(&self)
        bytes.append(closing)
        needsComma = true
    }

    private mutating func writeToken(_ token: String) {
        separate()
        bytes.append(string: token)
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private mutating func appendEscaped(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"):
            bytes.append(UInt8(ascii: "\\"))
            bytes.append(byte)
        case 0x0A: bytes.append(contentsOf: "\\n".utf8)
        case 0x0D: bytes.append(contentsOf: "\\r".utf8)
        case 0x09: bytes.append(contentsOf: "\\t".utf8)
        case 0..<0x20:
            bytes.append(contentsOf: "\\u00".utf8)
            bytes.append(ASCII.hexDigit(byte >> 4))
            bytes.append(ASCII.hexDigit(byte & 0xF))
        default: bytes.append(byte)
        }
    }
}
