internal import Crypto

/// A key of ChaCha20-Poly1305 (RFC 8439). Sealed bytes are the ciphertext followed by its tag.
struct AEADKey: Sendable, Redacted {
    private let key: SymmetricKey

    /// The length of a tag in bytes.
    static let tagLength = 16

    /// The 12-byte nonce that HAP makes of a counter or message name: four zero bytes, then these eight.
    static func nonce(_ bytes: some Collection<UInt8>) -> [UInt8] {
        [0, 0, 0, 0] + bytes
    }

    init(_ bytes: [UInt8]) {
        key = SymmetricKey(data: bytes)
    }

    /// Appends ciphertext and tag of a plaintext to `output`.
    func seal(
        _ plaintext: ArraySlice<UInt8>,
        nonce: [UInt8],
        authenticating additionalData: [UInt8] = [],
        into output: inout [UInt8]
    ) throws(CryptographyFailure) {
        do {
            let nonce = try ChaChaPoly.Nonce(data: nonce)
            let box = try ChaChaPoly.seal(plaintext, using: key, nonce: nonce, authenticating: additionalData)
            output.append(contentsOf: box.ciphertext)
            output.append(contentsOf: box.tag)
        } catch {
            throw CryptographyFailure()
        }
    }

    /// Appends the plaintext of a ciphertext with its tag to `output`; false, with `output` as it was, if either was
    /// altered or made with another key, nonce or additional data.
    func open(
        _ sealed: ArraySlice<UInt8>,
        nonce: [UInt8],
        authenticating additionalData: [UInt8] = [],
        into output: inout [UInt8]
    ) -> Bool {
        guard sealed.count >= Self.tagLength,
            let nonce = try? ChaChaPoly.Nonce(data: nonce),
            let box = try? ChaChaPoly.SealedBox(
                nonce: nonce,
                ciphertext: sealed.dropLast(Self.tagLength),
                tag: sealed.suffix(Self.tagLength)
            ),
            let plaintext = try? ChaChaPoly.open(box, using: key, authenticating: additionalData)
        else { return false }
        output.append(contentsOf: plaintext)
        return true
    }
}

extension AEADKey {
    /// Seals the inside of a pairing message.
    func seal(_ plaintext: [UInt8], nonce: MessageNonce) throws(CryptographyFailure) -> [UInt8] {
        var output: [UInt8] = []
        try seal(plaintext[...], nonce: nonce.bytes, into: &output)
        return output
    }

    /// Opens the encrypted data of a pairing message; nil if it was altered or sealed with another key.
    func open(_ sealed: [UInt8], nonce: MessageNonce) -> [UInt8]? {
        var output: [UInt8] = []
        return open(sealed[...], nonce: nonce.bytes, into: &output) ? output : nil
    }
}
