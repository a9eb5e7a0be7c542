import Crypto
import Foundation
import HomeIdentity

/// Texts that only their holder can know: codes, tokens and credentials.
enum SecretText {
    /// The number of characters of a code.
    static let codeLength = 8

    /// The number of characters of an invitation's code, which is valid for longer.
    static let invitationLength = 16

    /// Returns a random code: 40 bits, or 80 for an invitation.
    static func code(length: Int = codeLength) -> String {
        let alphabet = CrockfordBase32.alphabet
        return String((0..<length).map { _ in alphabet[Int.random(in: 0..<alphabet.count)] })
    }

    /// Returns a code as it was created from what a user typed: in capitals, without separators, with the digits that
    /// some letters look like.
    static func normalized(_ code: String) -> String {
        CrockfordBase32.normalized(code.prefix(64))
    }

    /// Returns a random text of 256 bits, in base64 for URLs.
    static func random() -> String {
        let bytes = SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) }
        return bytes.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// Returns the digest of a text. The texts of 256 bits can't be found from it; those of 40 bits expire before.
    static func digest(_ text: String) -> [UInt8] {
        Array(SHA256.hash(data: Data(text.utf8)))
    }
}
