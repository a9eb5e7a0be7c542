import Crypto
import Foundation

/// The public half of a ``BoxKey``: everybody can encrypt with it what only the key's owner can read.
package struct PublicBox: Hashable, Sendable {
    /// The number of bytes of a public X-Wing key.
    package static let byteCount = 1_216

    /// The 1,216 bytes.
    package let bytes: [UInt8]

    /// Creates a box from its bytes. Returns `nil` unless there are 1,216.
    package init?(_ bytes: some Sequence<UInt8>) {
        let bytes = Array(bytes)
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    /// Whether the bytes are a key.
    package var isKey: Bool { seal([], info: [], authenticating: []) != nil }

    /// Encrypts a message for the box's owner. Returns `nil` if the bytes of the box aren't a key.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - info: The purpose. The message opens for the same purpose only.
    ///   - data: Further data that the message is bound to and that isn't encrypted.
    package func seal(_ message: [UInt8], info: [UInt8], authenticating data: [UInt8]) -> BoxMessage? {
        guard let key = try? XWingMLKEM768X25519.PublicKey(rawRepresentation: bytes),
            var sender = try? HPKE.Sender(recipientKey: key, ciphersuite: BoxKey.suite, info: Data(info)),
            let ciphertext = try? sender.seal(Data(message), authenticating: Data(data))
        else { return nil }
        return BoxMessage(encapsulatedKey: Array(sender.encapsulatedKey), ciphertext: Array(ciphertext))
    }
}

extension PublicBox: Codable {
    /// Reads a box in base64.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let data = Data(base64Encoded: try container.decode(String.self)), let box = PublicBox(data) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "A box has 1,216 bytes, in base64.")
        }
        self = box
    }

    /// Writes the box in base64.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Data(bytes).base64EncodedString())
    }
}
