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
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == Self.length, parts.allSatisfy({ $0.utf8.count == 2 }) else { return nil }
        guard let bytes = Hexadecimal.bytes(parts.joined()) else { return nil }
        self.bytes = bytes
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
