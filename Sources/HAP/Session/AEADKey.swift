internal import Crypto
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A ChaCha20-Poly1305 key (RFC 8439). Sealed bytes are the ciphertext followed by its tag.
struct AEADKey: Sendable, Redacted {
    private let key: SymmetricKey

    /// The length of a nonce in bytes.
    private static let nonceLength = 12
    /// The length of a tag in bytes.
    static let tagLength = 16

    init(_ bytes: [UInt8]) {
        key = SymmetricKey(data: bytes)
    }

    /// Encrypts a plaintext and passes the ciphertext and tag to `write`, which must not store the pointer.
    ///
    /// - Returns: `false` if the cryptographic library failed and nothing was written.
    func seal(
        _ plaintext: UnsafeRawBufferPointer,
        nonce: UnsafeRawBufferPointer,
        authenticating additionalData: UnsafeRawBufferPointer,
        _ write: (UnsafeRawBufferPointer) -> Void
    ) -> Bool {
        guard let nonce = try? ChaChaPoly.Nonce(data: nonce),
            let box = try? ChaChaPoly.seal(plaintext, using: key, nonce: nonce, authenticating: additionalData)
        else { return false }
        box.combined.withUnsafeBytes { write(UnsafeRawBufferPointer(rebasing: $0.dropFirst(Self.nonceLength))) }
        return true
    }

    /// Decrypts a ciphertext with its tag and appends the plaintext to `output`.
    ///
    /// - Returns: `false`, with `output` unchanged, if the bytes were altered or sealed with another key, nonce or
    ///   additional data.
    func open(
        _ sealed: UnsafeRawBufferPointer,
        nonce: UnsafeRawBufferPointer,
        authenticating additionalData: UnsafeRawBufferPointer,
        into output: inout [UInt8]
    ) -> Bool {
        guard nonce.count == Self.nonceLength else { return false }
        // The library copies a sealed box in combined form only once.
        return withUnsafeTemporaryAllocation(byteCount: nonce.count + sealed.count, alignment: 1) { combined in
            combined.copyMemory(from: nonce)
            UnsafeMutableRawBufferPointer(rebasing: combined.dropFirst(nonce.count)).copyMemory(from: sealed)
            guard let box = try? ChaChaPoly.SealedBox(combined: UnsafeRawBufferPointer(combined)),
                let plaintext = try? ChaChaPoly.open(box, using: key, authenticating: additionalData)
            else { return false }
            plaintext.withUnsafeBytes { output.append(contentsOf: $0) }
            return true
        }
    }
}

extension AEADKey {
    /// Encrypts the payload of a pairing message.
    func seal(_ plaintext: [UInt8], nonce: MessageNonce) throws(CryptographyFailure) -> [UInt8] {
        var output: [UInt8] = []
        let isSealed = plaintext.withUnsafeBytes { plaintext in
            nonce.bytes.withUnsafeBytes { nonce in
                seal(plaintext, nonce: nonce, authenticating: Self.noData) { output.append(contentsOf: $0) }
            }
        }
        guard isSealed else { throw CryptographyFailure() }
        return output
    }

    /// Decrypts the payload of a pairing message. Returns `nil` if it was altered or sealed with another key.
    func open(_ sealed: [UInt8], nonce: MessageNonce) -> [UInt8]? {
        var output: [UInt8] = []
        let isOpened = sealed.withUnsafeBytes { sealed in
            nonce.bytes.withUnsafeBytes { open(sealed, nonce: $0, authenticating: Self.noData, into: &output) }
        }
        return isOpened ? output : nil
    }

    private static var noData: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: nil, count: 0) }
}
