import Crypto
import Foundation
import HAP

/// Everything that both sides of an exchange have seen. It binds the encrypted messages and the check digits to this
/// exchange and to the two TLS keys: whoever sits between two connections sees other keys than the two ends.
package struct JoinTranscript: Sendable, Redacted {
    private static let context = Array("hearth join 1".utf8) + [0]
    private static let salt = Array("Hearth-Join-Salt".utf8)

    /// The parts so far: both messages, each with its line feed, A, M1, the hub's key, the device's key and, at the end,
    /// M2.
    private var parts: [UInt8]

    /// Creates the transcript up to the device's proof.
    package init(
        hello: [UInt8],
        challenge: [UInt8],
        clientKey: [UInt8],
        clientProof: [UInt8],
        hub: PublicKey,
        device: PublicKey
    ) {
        let lineFeed = [UInt8(ascii: "\n")]
        parts =
            Self.context + hello + lineFeed + challenge + lineFeed + clientKey + clientProof + hub.bytes + device.bytes
    }

    /// Adds the hub's proof.
    mutating func add(serverProof: [UInt8]) {
        parts += serverProof
    }

    /// What an encrypted message is for, which chooses its key.
    enum Purpose: String {
        case request
        case reply
        case check
    }

    /// Encrypts one message. Each purpose has a key of its own, which is used once, so the nonce is zero.
    func seal(_ plaintext: [UInt8], as purpose: Purpose, sessionKey: [UInt8]) -> [UInt8] {
        guard let nonce = try? ChaChaPoly.Nonce(data: Self.nonce),
            let box = try? ChaChaPoly.seal(
                plaintext,
                using: Self.key(purpose, sessionKey),
                nonce: nonce,
                authenticating: digest
            )
        else { preconditionFailure("a message of a few kilobytes can be encrypted") }
        return Array(box.ciphertext) + Array(box.tag)
    }

    /// Decrypts one message. Returns `nil` if it was altered or belongs to another exchange.
    func open(_ sealed: [UInt8], as purpose: Purpose, sessionKey: [UInt8]) -> [UInt8]? {
        guard let box = try? ChaChaPoly.SealedBox(combined: Self.nonce + sealed) else { return nil }
        return (try? ChaChaPoly.open(box, using: Self.key(purpose, sessionKey), authenticating: digest)).map(Array.init)
    }

    /// Returns the digits that people compare.
    ///
    /// - Parameter share: Random bytes of the hub, which it committed to in message 2 and tells in message 4. So neither
    ///   side, nor anybody between them, can try values until the digits match those of another exchange.
    func digits(share: [UInt8], sessionKey: [UInt8]) -> CheckDigits {
        let info = Array(Purpose.check.rawValue.utf8) + digest + share
        let key = HKDF<SHA512>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: sessionKey),
            salt: Self.salt,
            info: info,
            outputByteCount: MemoryLayout<UInt64>.size
        )
        return CheckDigits(secret: key.withUnsafeBytes { Array($0) })
    }

    /// Returns the commitment to the hub's share of the digits.
    static func commitment(to share: [UInt8]) -> [UInt8] {
        Array(SHA256.hash(data: share))
    }

    private static let nonce = [UInt8](repeating: 0, count: 12)

    private var digest: [UInt8] { Array(SHA256.hash(data: parts)) }

    private static func key(_ purpose: Purpose, _ sessionKey: [UInt8]) -> SymmetricKey {
        HKDF<SHA512>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: sessionKey),
            salt: salt,
            info: Array(purpose.rawValue.utf8),
            outputByteCount: 32
        )
    }
}
