/// The SHA-256 digest of an encoded entry, which the next entry of the log repeats.
package struct EntryHash: Hashable, Sendable {
    /// The digest's length in bytes.
    package static let length = 32

    /// What the first entry of a log has in place of a previous entry's hash: zeros.
    package static let none = EntryHash(unchecked: Array(repeating: 0, count: length))

    /// The digest.
    package let bytes: [UInt8]

    /// Wraps a digest; nil unless it is ``length`` bytes long.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.length else { return nil }
        self.bytes = bytes
    }

    private init(unchecked bytes: [UInt8]) {
        self.bytes = bytes
    }
}

extension EntryHash: LosslessStringConvertible {
    /// Lower-case hex.
    package var description: String { bytes.hexText }

    /// Reads hex of either case; nil for anything else.
    package init?(_ description: String) {
        guard let bytes = [UInt8](hexText: description) else { return nil }
        self.init(bytes)
    }
}

extension EntryHash: Codable {
    /// Reads hex.
    package init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        guard let hash = EntryHash(try value.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: value, debugDescription: "Not the hex of a SHA-256 digest.")
        }
        self = hash
    }

    /// Writes hex.
    package func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        try value.encode(description)
    }
}
