/// An accessory's device ID: six bytes, written `XX:XX:XX:XX:XX:XX`.
///
/// The device ID is the TXT record's `id` and the accessory's pairing identifier. It stays the same until a factory
/// reset. Parsing is case-insensitive; the output is in uppercase.
public struct DeviceID: Hashable, Sendable {
    /// The six bytes.
    public let bytes: [UInt8]

    private static let length = 6

    /// Parses a device ID. Returns `nil` unless it is six pairs of hexadecimal digits, separated by colons.
    public init?(_ text: some StringProtocol) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.length)
        var characters = text.utf8.makeIterator()
        while bytes.count < Self.length {
            guard bytes.isEmpty || characters.next() == UInt8(ascii: ":"),
                let high = characters.next().flatMap(Self.digit), let low = characters.next().flatMap(Self.digit)
            else { return nil }
            bytes.append(high << 4 | low)
        }
        guard characters.next() == nil else { return nil }
        self.bytes = bytes
    }

    /// Returns the value of a hexadecimal digit.
    private static func digit(_ character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
        default: nil
        }
    }

    /// Decodes the value of an identifier item. Returns `nil` unless it is a device ID in ASCII.
    init?(identifier: [UInt8]) {
        guard let text = String(validating: identifier, as: UTF8.self) else { return nil }
        self.init(text)
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Generates a device ID.
    public static func random(using generator: inout some RandomNumberGenerator) -> DeviceID {
        DeviceID(bytes: generator.bytes(length))
    }

    /// Generates a device ID with the system's generator.
    public static func random() -> DeviceID {
        var generator = SystemRandomNumberGenerator()
        return random(using: &generator)
    }

    /// The uppercase form in ASCII, which is sent and signed as the accessory's identifier.
    var identifier: [UInt8] { Array(description.utf8) }
}

extension DeviceID: LosslessStringConvertible {
    /// Parses a device ID. Returns `nil` unless it is six pairs of hexadecimal digits, separated by colons.
    public init?(_ description: String) {
        self.init(description[...])
    }

    /// The uppercase form with colons.
    public var description: String {
        bytes.map { [$0].hexadecimal.uppercased() }.joined(separator: ":")
    }
}

extension DeviceID: Codable {
    /// Decodes the form with colons.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let id = DeviceID(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(text) is not a device ID")
        }
        self = id
    }

    /// Encodes the form with colons.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
