import Crypto
import Foundation
package import HomeIdentity

/// What proves a session's key to the relay without a signature each time: the key, the end of its validity, and an HMAC by
/// the relay's secret. The relay keeps no sessions.
package struct SessionToken: Hashable, Sendable {
    /// The number of bytes of the relay's secret.
    package static let secretByteCount = 32

    private static let context = Array("hearth relay token 1\0".utf8)
    private static let version: UInt8 = 1

    /// The key.
    package let key: PublicKey
    /// The end of its validity, in seconds since 1970.
    package let expires: Int64

    /// Creates a token.
    package init(_ key: PublicKey, expires: Int64) {
        self.key = key
        self.expires = expires
    }

    /// Returns the text that a caller presents.
    package func text(secret: [UInt8]) -> String {
        let content = content
        let code = Self.code(content, secret)
        return (content + code).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
            .replacing("=", with: "")
    }

    /// Checks a text. Returns `nil` if it isn't a token of this secret, or too old.
    ///
    /// - Parameter now: The time in seconds since 1970.
    package init?(_ text: String, secret: [UInt8], now: Int64) {
        let size = 1 + PublicKey.byteCount + MemoryLayout<Int64>.size
        guard text.utf8.count <= 2 * (size + SHA256.byteCount) else { return nil }
        let standard = text.replacing("-", with: "+").replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - standard.utf8.count % 4) % 4)
        guard let data = Data(base64Encoded: standard + padding), data.count == size + SHA256.byteCount else {
            return nil
        }
        let content = Data(data.prefix(size))
        let key = SymmetricKey(data: secret)
        guard
            HMAC<SHA256>.isValidAuthenticationCode(
                Data(data.suffix(SHA256.byteCount)),
                authenticating: Self.context + content,
                using: key
            )
        else { return nil }
        var reader = ByteReader(content)
        guard reader.integer(UInt8.self) == Self.version,
            let key = reader.bytes(PublicKey.byteCount).flatMap({ PublicKey($0) }),
            let expires = reader.integer(Int64.self), expires > now
        else { return nil }
        self.key = key
        self.expires = expires
    }

    private var content: Data {
        var data = Data([Self.version]) + key.bytes
        data.append(bigEndian: expires)
        return data
    }

    private static func code(_ content: Data, _ secret: [UInt8]) -> Data {
        Data(HMAC<SHA256>.authenticationCode(for: context + content, using: SymmetricKey(data: secret)))
    }
}
