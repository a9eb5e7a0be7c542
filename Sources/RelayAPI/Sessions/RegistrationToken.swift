import Crypto
package import Foundation

/// What a relay's operator gives to somebody who may register houses. The relay stores its hash only.
package struct RegistrationToken: Hashable, Sendable {
    private static let byteCount = 16
    private static let prefix = "hearth-relay-"

    /// The text, which is a secret.
    package let text: String

    /// Draws a token.
    package init() {
        var generator = SystemRandomNumberGenerator()
        let bytes = (0..<Self.byteCount).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        text = Self.prefix + digits
    }

    /// Uses a token that a caller presents.
    package init(_ text: String) {
        self.text = text
    }

    /// The hash that the relay stores. The token has 128 random bits, so the hash needs no salt.
    package var hash: Data { Data(SHA256.hash(data: Data(text.utf8))) }
}
