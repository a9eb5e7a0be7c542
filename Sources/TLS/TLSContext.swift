internal import COpenSSL

/// The settings that the connections of a server share.
///
/// TLS 1.2 is the oldest version, with forward secrecy and authenticated encryption. There is no renegotiation and no
/// compression, and sessions aren't resumed: a full handshake with P-256 takes about a millisecond, and nothing needs to
/// be kept about connections that have ended.
package final class TLSContext: @unchecked Sendable {
    // This is a class because it owns memory of OpenSSL, which counts its users atomically. It isn't changed once it is
    // created.

    /// The cipher suites for TLS 1.2. Those of TLS 1.3 are OpenSSL's.
    private static let ciphers = "ECDHE+AESGCM:ECDHE+CHACHA20"

    let pointer: OpaquePointer

    /// Creates the settings.
    ///
    /// - Parameters:
    ///   - identity: What the server proves its identity with.
    ///   - servesHTTP2: Whether clients can choose HTTP/2. Otherwise, and for clients that don't choose, it is HTTP/1.1.
    package init(_ identity: TLSIdentity, servesHTTP2: Bool) throws(TLSError) {
        ERR_clear_error()
        guard let context = SSL_CTX_new(TLS_server_method()) else { throw .openSSL("TLS can't be set up") }
        pointer = context
        guard hearth_ssl_ctx_configure(context) == 1, SSL_CTX_set_cipher_list(context, Self.ciphers) == 1 else {
            throw .openSSL("TLS can't be set up")
        }
        guard SSL_CTX_use_certificate(context, identity.chain[0].pointer) == 1 else {
            throw .openSSL("The certificate can't be used")
        }
        guard SSL_CTX_use_PrivateKey(context, identity.key.pointer) == 1, SSL_CTX_check_private_key(context) == 1 else {
            throw .openSSL("The private key doesn't belong to the certificate")
        }
        for certificate in identity.chain.dropFirst() {
            guard hearth_ssl_ctx_add_chain_certificate(context, certificate.pointer) == 1 else {
                throw .openSSL("A certificate can't be used")
            }
        }
        hearth_ssl_ctx_set_protocols(context, servesHTTP2 ? 1 : 0)
    }

    deinit { SSL_CTX_free(pointer) }
}
