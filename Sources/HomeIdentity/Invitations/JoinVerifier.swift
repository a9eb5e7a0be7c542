import Foundation
import HAP

/// A salt and verifier with which a hub checks the secret of an invitation. Printing it doesn't reveal it.
///
/// Keep it as secret as a code: anyone who has it can try the 10^8 codes.
package struct JoinVerifier: Hashable, Sendable, Redacted {
    /// The username in the exchange.
    static let username = "Hearth-Join"

    /// The salt, 16 bytes. The first one isn't 0, because implementations differ in how they hash a leading zero.
    package let salt: [UInt8]
    /// The verifier, 384 bytes.
    package let verifier: [UInt8]

    /// Creates the verifier of a secret with a new salt, with one exponentiation.
    package init(_ secret: InvitationSecret) {
        var generator = SystemRandomNumberGenerator()
        var salt = generator.bytes(JoinLimits.saltByteCount)
        salt[0] = UInt8.random(in: 1...UInt8.max, using: &generator)
        self.init(secret, salt: salt)
    }

    init(_ secret: InvitationSecret, salt: [UInt8]) {
        let verifier = SRPVerifier(username: Self.username, password: secret.text, salt: salt)
        self.salt = salt
        self.verifier = verifier.bytes
    }

    /// Creates a verifier from its stored parts. Returns `nil` unless they have 16 and 384 bytes and the verifier isn't 0.
    package init?(salt: some Sequence<UInt8>, verifier: some Sequence<UInt8>) {
        guard let verifier = SRPVerifier(username: Self.username, salt: salt, bytes: verifier) else { return nil }
        self.salt = verifier.salt
        self.verifier = verifier.bytes
    }

    /// The verifier for the exchange.
    var srp: SRPVerifier? { SRPVerifier(username: Self.username, salt: salt, bytes: verifier) }
}

extension JoinVerifier: Codable {
    private enum CodingKeys: String, CodingKey {
        case salt, verifier
    }

    /// Reads salt and verifier, each in base64.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let salt = try container.decode(Data.self, forKey: .salt)
        guard let verifier = JoinVerifier(salt: salt, verifier: try container.decode(Data.self, forKey: .verifier))
        else {
            throw DecodingError.dataCorruptedError(
                forKey: .verifier,
                in: container,
                debugDescription: "A verifier has 384 bytes and isn't 0; its salt has 16 bytes."
            )
        }
        self = verifier
    }

    /// Writes salt and verifier, each in base64.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(Data(salt), forKey: .salt)
        try container.encode(Data(verifier), forKey: .verifier)
    }
}
