/// An accessory's device ID: six bytes, written `XX:XX:XX:XX:XX:XX`.
///
/// The device ID is the TXT record's `id` and the accessory's pairing identifier. It stays the same until a factory
/// reset. Parsing is case-insensitive; the output is in uppercase.
public struct DeviceID: Hashable, Sendable {
    private static let length = 6

    /// The bytes as a number, the first byte highest. It is compared and hashed faster than an array.
    private let number: UInt64

    /// The six bytes.
    public var bytes: [UInt8] {
        (1...Self.length).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * (Self.length - $0))) }
    }

    /// Parses a device ID. Returns `nil` unless it is six pairs of hexadecimal digits, separated by colons.
    public init?(_ text: some StringProtocol) {
        guard let number = Self.number(text.utf8) else { return nil }
        self.number = number
    }

    private static func number(_ text: some Sequence<UInt8>) -> UInt64? {
        var number: UInt64 = 0
        var characters = text.makeIterator()
        for index in 0..<length {
            guard index == 0 || characters.next() == UInt8(ascii: ":"),
                let high = characters.next().flatMap(digit), let low = characters.next().flatMap(digit)
            else { return nil }
            number = number << 8 | UInt64(high << 4 | low)
        }
        return characters.next() == nil ? number : nil
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
        number = bytes.reduce(0) { $0 << 8 | UInt64($1) }
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
        guard let number = Self.number(description.utf8) else { return nil }
        self.number = number
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
