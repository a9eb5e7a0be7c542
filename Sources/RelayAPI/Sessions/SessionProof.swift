import Crypto
package import Foundation
package import HomeIdentity

/// The body of a request for a session: a signature that proves that the caller has a key.
package struct SessionProof: Hashable, Sendable, Codable {
    /// The key.
    package var key: PublicKey
    /// The caller's time, in milliseconds since 1970.
    package var time: Int64
    /// Random bytes.
    package var nonce: Data
    /// The signature over the relay's host, the time and the nonce.
    package var signature: Data

    /// What the signature is for, so that it can't be taken for another.
    private static let context = "hearth relay session 1"

    /// Signs a proof.
    ///
    /// - Parameters:
    ///   - host: The host and port of the relay as in its URL, as ``signedHost(_:)`` returns them.
    ///   - time: The time in milliseconds since 1970.
    package init(by key: IdentityKey, host: String, time: Int64, nonce: [UInt8]) throws {
        self.key = key.publicKey
        self.time = time
        self.nonce = Data(nonce)
        let signer = try Curve25519.Signing.PrivateKey(rawRepresentation: key.seed)
        signature = try signer.signature(for: Self.message(host, time, Data(nonce)))
    }

    /// Throws if the proof isn't for a host, or not from about now.
    ///
    /// - Parameter now: The time in milliseconds since 1970.
    package func check(host: String, now: Int64) throws(RelayError) {
        guard nonce.count == RelayLimits.nonceBytes else {
            throw .malformed("The nonce must have \(RelayLimits.nonceBytes) bytes.")
        }
        // The range comes first: the difference of any two numbers may not be one.
        guard (0..<RelayLimits.maximumNumber).contains(time), abs(now - time) <= 1_000 * RelayLimits.clockSeconds else {
            throw RelayError(.wrongTime, "The proof's time differs from the relay's by more than 5 minutes.", time: now)
        }
        guard let verifier = try? Curve25519.Signing.PublicKey(rawRepresentation: key.bytes),
            verifier.isValidSignature(signature, for: Self.message(host, time, nonce))
        else { throw RelayError(.noSession, "The signature isn't the key's over this relay's host.") }
    }

    /// Returns the host and port of a relay as proofs hold them: in lowercase, with the port unless it is the scheme's own.
    package static func signedHost(_ authority: String) -> String { authority.lowercased() }

    private static func message(_ host: String, _ time: Int64, _ nonce: Data) -> Data {
        Data("\(context)\0\(host)\n\(time)\n".utf8) + nonce
    }
}
