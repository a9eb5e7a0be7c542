internal import COpenSSL

/// A private key.
package final class PrivateKey: @unchecked Sendable {
    // This is a class because it owns memory of OpenSSL, which counts its users atomically and doesn't change the key.

    let pointer: OpaquePointer

    private init(owning pointer: OpaquePointer) {
        self.pointer = pointer
    }

    deinit { EVP_PKEY_free(pointer) }

    /// Creates a random key on the curve P-256.
    package convenience init() throws(TLSError) {
        guard let key = hearth_generate_p256() else { throw .openSSL("A key can't be created") }
        self.init(owning: key)
    }

    /// Creates the Ed25519 key of a seed (RFC 8032, 5.1.5).
    ///
    /// - Parameter seed: 32 bytes.
    package convenience init(ed25519Seed seed: [UInt8]) throws(TLSError) {
        guard let key = hearth_ed25519(seed, seed.count) else { throw .openSSL("The key can't be used") }
        self.init(owning: key)
    }

    /// Reads a key in PEM's format that isn't encrypted.
    package convenience init(pem: [UInt8]) throws(TLSError) {
        let key = try withMemoryBIO(pem) { bio in
            // Without this function, OpenSSL would ask on the terminal for the passphrase of an encrypted key.
            PEM_read_bio_PrivateKey(bio, nil, { _, _, _, _ in 0 }, nil)
        }
        guard let key else { throw .openSSL("The private key can't be read") }
        self.init(owning: key)
    }

    /// The public half of an Ed25519 key, 32 bytes; `nil` for a key of another kind.
    package var ed25519PublicKey: [UInt8]? { Self.ed25519PublicKey(pointer) }

    static func ed25519PublicKey(_ key: OpaquePointer?) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 32)
        return hearth_ed25519_public(key, &bytes) == 1 ? bytes : nil
    }

    /// The key in PEM's format.
    package func pem() throws(TLSError) -> [UInt8] {
        try bytesWritten { PEM_write_bio_PKCS8PrivateKey($0, pointer, nil, nil, 0, nil, nil) == 1 }
    }
}
