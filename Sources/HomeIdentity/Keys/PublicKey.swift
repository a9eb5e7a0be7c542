import Crypto
import Foundation

/// The public half of an Ed25519 key (RFC 8032), by which a hub or a device is known.
package struct PublicKey: Hashable, Sendable {
    /// The number of bytes of a key.
    package static let byteCount = 32
    /// The number of bytes of a ``fingerprint``.
    package static let fingerprintByteCount = 16
    /// The number of bytes of a ``discoveryID``, before they are written in hexadecimal.
    private static let discoveryByteCount = 8

    /// The 32 bytes.
    package let bytes: [UInt8]

    /// Creates a key from its bytes. Returns `nil` unless there are 32.
    package init?(_ bytes: some Sequence<UInt8>) {
        let bytes = Array(bytes)
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    /// The first 16 bytes of the key's SHA-256 digest. A link holds them, so that the hub can't be confused with another.
    package var fingerprint: [UInt8] { Array(digest.prefix(Self.fingerprintByteCount)) }

    /// The first 8 bytes of the key's SHA-256 digest in hexadecimal: the ID under which a hub is found on the network. It
    /// is a hint only.
    package var discoveryID: String { Self.discoveryID(of: fingerprint) }

    /// Returns the ``discoveryID`` of the key with a fingerprint.
    static func discoveryID(of fingerprint: [UInt8]) -> String {
        fingerprint.prefix(discoveryByteCount).map { byte in
            let text = String(byte, radix: 16)
            return byte < 16 ? "0" + text : text
        }.joined()
    }

    /// The key in base64.
    package var base64: String { Data(bytes).base64EncodedString() }

    private var digest: [UInt8] { Array(SHA256.hash(data: bytes)) }
}

extension PublicKey: Codable {
    /// Reads a key in base64.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let data = Data(base64Encoded: try container.decode(String.self)), let key = PublicKey(data) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "A key has 32 bytes, in base64.")
        }
        self = key
    }

    /// Writes the key in base64.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(base64)
    }
}

extension PublicKey: CustomStringConvertible {
    /// The key in base64.
    package var description: String { base64 }
}
