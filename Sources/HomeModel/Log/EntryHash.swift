/// The SHA-256 digest of an encoded entry, which is stored in the next entry of the log.
package struct EntryHash: Hashable, Sendable {
    /// The digest's length in bytes.
    package static let length = 32

    /// The previous hash of the first entry of a log: zeros.
    package static let none = EntryHash(unchecked: Array(repeating: 0, count: length))

    /// The digest.
    package let bytes: [UInt8]

    /// Creates a hash from a digest; `nil` unless it has ``length`` bytes.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.length else { return nil }
        self.bytes = bytes
    }

    private init(unchecked bytes: [UInt8]) {
        self.bytes = bytes
    }
}

extension EntryHash: LosslessStringConvertible {
    /// The digest in lowercase hex.
    package var description: String { bytes.hexText }

    /// Creates a hash from hex of either case; `nil` if the text isn't a digest.
    package init?(_ description: String) {
        guard let bytes = [UInt8](hexText: description) else { return nil }
        self.init(bytes)
    }
}

extension EntryHash: Codable {
    /// Decodes hex.
    package init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        guard let hash = EntryHash(try value.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: value, debugDescription: "Not the hex of a SHA-256 digest.")
        }
        self = hash
    }

    /// Encodes hex.
    package func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        try value.encode(description)
    }
}
