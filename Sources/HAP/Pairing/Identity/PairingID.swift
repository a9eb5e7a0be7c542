/// A controller's pairing identifier: a string of 1 to 36 UTF-8 bytes, by convention an uppercase UUID.
///
/// Two identifiers are equal only if their bytes are. Unlike strings, they aren't compared by canonical equivalence.
public struct PairingID: Hashable, Sendable {
    /// The bytes that are sent and signed, which are UTF-8.
    let identifier: [UInt8]

    /// Creates an identifier. Returns `nil` if the text is empty or longer than 36 bytes in UTF-8.
    public init?(_ text: String) {
        guard (1...PairingLimits.identifierLength).contains(text.utf8.count) else { return nil }
        identifier = Array(text.utf8)
    }

    /// Decodes the value of an identifier item. Returns `nil` unless it is 1 to 36 bytes of UTF-8.
    init?(identifier: [UInt8]) {
        guard let text = String(validating: identifier, as: UTF8.self) else { return nil }
        self.init(text)
    }
}

extension PairingID: LosslessStringConvertible {
    /// The identifier.
    public var description: String { String(decoding: identifier, as: UTF8.self) }
}

extension PairingID: Codable {
    /// Decodes the text.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let id = PairingID(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "A pairing identifier has 1 to \(PairingLimits.identifierLength) bytes"
            )
        }
        self = id
    }

    /// Encodes the text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
