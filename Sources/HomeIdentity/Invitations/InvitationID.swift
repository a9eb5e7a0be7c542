package import Foundation

/// The ID of an invitation in links and messages: 8 bytes, which aren't secret.
package struct InvitationID: Hashable, Sendable {
    /// The number of bytes of an ID.
    package static let byteCount = 8

    /// The 8 bytes.
    package let bytes: [UInt8]

    /// Creates an ID from its bytes. Returns `nil` unless there are 8.
    package init?(_ bytes: some Sequence<UInt8>) {
        let bytes = Array(bytes)
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    /// Creates the ID of the invitation that the hub stores under a UUID: the UUID's first 8 bytes.
    package init(_ id: UUID) {
        bytes = withUnsafeBytes(of: id.uuid) { Array($0.prefix(Self.byteCount)) }
    }

    /// Reads an ID in hexadecimal.
    package init?(_ text: String) {
        let digits = text.utf8.map { Character(UnicodeScalar($0)).hexDigitValue }
        guard digits.count == 2 * Self.byteCount, !digits.contains(nil) else { return nil }
        let values = digits.compactMap(\.self)
        bytes = stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
    }
}

extension InvitationID: CustomStringConvertible {
    /// The ID in hexadecimal.
    package var description: String {
        bytes.map { String(UInt16($0) | 0x100, radix: 16).dropFirst() }.joined()
    }
}

extension InvitationID: Codable {
    /// Reads an ID in hexadecimal.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let id = InvitationID(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "An ID has 16 hexadecimal digits.")
        }
        self = id
    }

    /// Writes the ID in hexadecimal.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
