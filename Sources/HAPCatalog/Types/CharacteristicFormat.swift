/// The format of a characteristic's value. Source: HAP specification, table 6-5.
public enum CharacteristicFormat: Hashable, Sendable {
    /// `true` or `false`; on the wire also 1 or 0.
    case bool
    /// 0 to 255.
    case uint8
    /// 0 to 65,535.
    case uint16
    /// 0 to 4,294,967,295.
    case uint32
    /// 0 to 18,446,744,073,709,551,615.
    case uint64
    /// A signed 32-bit integer.
    case int
    /// A finite number.
    case float
    /// UTF-8 text.
    case string
    /// TLV8 bytes, base64 on the wire.
    case tlv8
    /// Bytes, base64 on the wire.
    case data
    /// An unknown format. It is preserved, so that one unusual characteristic doesn't make an accessory unusable.
    case other(String)

    /// The range of an integer format, or `nil` for other formats.
    public var integerRange: ClosedRange<Int128>? {
        switch self {
        case .uint8: 0...Int128(UInt8.max)
        case .uint16: 0...Int128(UInt16.max)
        case .uint32: 0...Int128(UInt32.max)
        case .uint64: 0...Int128(UInt64.max)
        case .int: Int128(Int32.min)...Int128(Int32.max)
        case .bool, .float, .string, .tlv8, .data, .other: nil
        }
    }

    /// Whether values are numbers with bounds and a step.
    public var isNumeric: Bool {
        self == .float || integerRange != nil
    }

    /// Whether values are bytes, which messages encode in base64.
    public var isBytes: Bool {
        self == .tlv8 || self == .data
    }
}

extension CharacteristicFormat {
    // Both are written out because those that come with `RawRepresentable` make and compare the names.

    /// Returns whether two formats are the same.
    public static func == (left: CharacteristicFormat, right: CharacteristicFormat) -> Bool {
        switch left {
        case .bool: if case .bool = right { true } else { false }
        case .uint8: if case .uint8 = right { true } else { false }
        case .uint16: if case .uint16 = right { true } else { false }
        case .uint32: if case .uint32 = right { true } else { false }
        case .uint64: if case .uint64 = right { true } else { false }
        case .int: if case .int = right { true } else { false }
        case .float: if case .float = right { true } else { false }
        case .string: if case .string = right { true } else { false }
        case .tlv8: if case .tlv8 = right { true } else { false }
        case .data: if case .data = right { true } else { false }
        case .other(let name): if case .other(name) = right { true } else { false }
        }
    }

    /// Returns whether two formats differ.
    public static func != (left: CharacteristicFormat, right: CharacteristicFormat) -> Bool {
        !(left == right)
    }
}

extension CharacteristicFormat: RawRepresentable, CustomStringConvertible {
    /// Creates a format from its name in messages. An unknown name gives ``other(_:)``.
    public init(rawValue: String) {
        switch rawValue {
        case "bool": self = .bool
        case "uint8": self = .uint8
        case "uint16": self = .uint16
        case "uint32": self = .uint32
        case "uint64": self = .uint64
        case "int": self = .int
        case "float": self = .float
        case "string": self = .string
        case "tlv8": self = .tlv8
        case "data": self = .data
        default: self = .other(rawValue)
        }
    }

    /// The format's name in messages.
    public var rawValue: String {
        switch self {
        case .bool: "bool"
        case .uint8: "uint8"
        case .uint16: "uint16"
        case .uint32: "uint32"
        case .uint64: "uint64"
        case .int: "int"
        case .float: "float"
        case .string: "string"
        case .tlv8: "tlv8"
        case .data: "data"
        case .other(let name): name
        }
    }

    /// The format's name in messages.
    public var description: String { rawValue }
}

extension CharacteristicFormat: Codable {}
