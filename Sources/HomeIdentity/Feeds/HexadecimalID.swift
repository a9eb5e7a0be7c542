import HAP

/// A fixed number of bytes that messages have in lowercase hexadecimal.
package protocol HexadecimalID: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The number of bytes.
    static var byteCount: Int { get }
    /// The bytes.
    var bytes: [UInt8] { get }
    /// Creates an ID from its bytes. Returns `nil` if their number is wrong.
    init?(_ bytes: some Sequence<UInt8>)
}

extension HexadecimalID {
    /// Creates a random ID.
    package static func random() -> Self {
        var generator = SystemRandomNumberGenerator()
        guard let id = Self(generator.bytes(byteCount)) else { preconditionFailure("the number of bytes is right") }
        return id
    }

    /// Reads lowercase hexadecimal. Returns `nil` if the text is anything else.
    package init?(hex text: some StringProtocol) {
        guard text.utf8.count == 2 * Self.byteCount, let id = Hexadecimal.bytes(text).flatMap(Self.init),
            id.description == text
        else { return nil }
        self = id
    }

    /// The bytes in hexadecimal.
    package var description: String { bytes.hexadecimal }

    /// Reads an ID in lowercase hexadecimal.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let id = Self(hex: try container.decode(String.self)) else {
            let reason = "An ID has \(2 * Self.byteCount) lowercase hexadecimal digits."
            throw DecodingError.dataCorruptedError(in: container, debugDescription: reason)
        }
        self = id
    }

    /// Writes the ID in lowercase hexadecimal.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
