import Crypto
import CryptoExtras

/// The encryption of one configuration: AES-128 in counter mode, with one key stream for all messages in both directions.
///
/// The key and the first counter are the first 16 bytes of SHA-1 over a label and the shared secret. Counter mode doesn't
/// authenticate: a byte that is changed on the way arrives changed.
struct ExchangeCipher: Sendable {
    private static let blockLength = 16

    private let key: SymmetricKey
    private let counter: [UInt8]
    /// The number of bytes that were encrypted or decrypted.
    private var position = 0

    /// Creates the cipher of a shared secret.
    init(secret: SharedSecret) {
        key = SymmetricKey(data: Self.digest("AES-KEY", secret))
        counter = Self.digest("AES-IV", secret)
    }

    private static func digest(_ label: String, _ secret: SharedSecret) -> [UInt8] {
        var hash = Insecure.SHA1()
        hash.update(data: Array(label.utf8))
        secret.withUnsafeBytes { hash.update(bufferPointer: $0) }
        return Array(hash.finalize().prefix(blockLength))
    }

    /// Encrypts or decrypts the next bytes. Both are the same operation.
    mutating func apply(to bytes: [UInt8]) throws(WirelessSetupError) -> [UInt8] {
        guard !bytes.isEmpty else { return [] }
        // The library always starts at a block, so the part of the first block that was used before is encrypted again.
        let used = position % Self.blockLength
        do {
            let nonce = try AES._CTR.Nonce(nonceBytes: counter(after: position / Self.blockLength))
            let padded = [UInt8](repeating: 0, count: used) + bytes
            let result = try AES._CTR.encrypt(padded, using: key, nonce: nonce)
            position += bytes.count
            return Array(result.dropFirst(used))
        } catch {
            throw .malformedMessage("it can't be decrypted")
        }
    }

    /// Returns the first counter plus a number of blocks, as a big-endian number of 128 bits.
    private func counter(after blocks: Int) -> [UInt8] {
        var counter = counter
        var carry = blocks
        for index in counter.indices.reversed() where carry > 0 {
            carry += Int(counter[index])
            counter[index] = UInt8(truncatingIfNeeded: carry)
            carry >>= UInt8.bitWidth
        }
        return counter
    }
}
