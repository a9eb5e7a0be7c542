internal import COpenSSL

/// Decides by its key whether the other side of a connection is the expected one.
final class PeerVerifier {
    // This is a class because OpenSSL keeps a pointer to it while the handshake runs.

    private let accepts: ([UInt8]) -> Bool
    /// The key that was accepted, 32 bytes.
    private(set) var key: [UInt8]?

    init(accepts: @escaping ([UInt8]) -> Bool) {
        self.accepts = accepts
    }

    /// Takes the place of OpenSSL's check of a chain.
    ///
    /// - Returns: 1 if the other side is accepted.
    static func verify(_ context: OpaquePointer?) -> Int32 {
        guard let context, let connection = hearth_x509_store_ctx_ssl(context), let data = hearth_ssl_data(connection)
        else { return 0 }
        let verifier = Unmanaged<PeerVerifier>.fromOpaque(data).takeUnretainedValue()
        // A second certificate means that somebody vouches for the first, which counts for nothing here.
        guard hearth_x509_store_ctx_count(context) == 1,
            let key = PrivateKey.ed25519PublicKey(X509_get0_pubkey(X509_STORE_CTX_get0_cert(context))),
            verifier.accepts(key)
        else {
            X509_STORE_CTX_set_error(context, X509_V_ERR_CERT_UNTRUSTED)
            return 0
        }
        verifier.key = key
        return 1
    }

    /// Takes the place of OpenSSL's check of a server's chain. The digest of the server's key decides, and nothing else in the
    /// certificates.
    ///
    /// - Returns: 1 if the server is accepted.
    static func verifyServer(_ context: OpaquePointer?) -> Int32 {
        guard let context, let connection = hearth_x509_store_ctx_ssl(context), let data = hearth_ssl_data(connection)
        else { return 0 }
        let verifier = Unmanaged<PeerVerifier>.fromOpaque(data).takeUnretainedValue()
        guard verifier.accepts(Certificate.keyDigest(of: X509_STORE_CTX_get0_cert(context))) else {
            X509_STORE_CTX_set_error(context, X509_V_ERR_CERT_UNTRUSTED)
            return 0
        }
        return 1
    }
}
