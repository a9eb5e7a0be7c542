internal import COpenSSL

/// The settings that connections share.
///
/// TLS 1.2 is the oldest version, with forward secrecy and authenticated encryption. There is no renegotiation and no
/// compression, and sessions aren't resumed: a full handshake with P-256 takes about a millisecond, and nothing needs to
/// be kept about connections that have ended.
package final class TLSContext: @unchecked Sendable {
    // This is a class because it owns memory of OpenSSL, which counts its users atomically. It isn't changed once it is
    // created.

    /// The cipher suites for TLS 1.2. Those of TLS 1.3 are OpenSSL's.
    private static let ciphers = "ECDHE+AESGCM:ECDHE+CHACHA20"

    /// The protocols above TLS between hubs and devices, with an empty name at the end. All contexts refer to it for good.
    private nonisolated(unsafe) static let pinnedProtocols: UnsafeMutablePointer<UInt8> = {
        let names = ApplicationProtocol.pinned.flatMap(\.wireName) + [0]
        let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: names.count)
        guard let start = memory.baseAddress else { preconditionFailure("there are names") }
        _ = memory.initialize(from: names)
        return start
    }()

    let pointer: OpaquePointer
    /// Whether connections decide by the other end's key.
    let isPinned: Bool

    /// Creates the settings.
    ///
    /// - Parameters:
    ///   - identity: What the server proves its identity with.
    ///   - servesHTTP2: Whether clients can choose HTTP/2. Otherwise, and for clients that don't choose, it is HTTP/1.1.
    package convenience init(_ identity: TLSIdentity, servesHTTP2: Bool) throws(TLSError) {
        try self.init(identity, isPinned: false)
        hearth_ssl_ctx_set_protocols(pointer, servesHTTP2 ? 1 : 0)
    }

    /// Creates the settings of connections between hubs and devices, for both of their ends.
    ///
    /// Both ends have a certificate with an Ed25519 key, and each connection decides by the other's key. Nothing else in
    /// the certificate is believed, its validity least of all.
    ///
    /// - Parameter identity: The identity of an Ed25519 key.
    package convenience init(pinned identity: TLSIdentity) throws(TLSError) {
        try self.init(identity, isPinned: true)
        guard hearth_ssl_ctx_configure_pinned(pointer, Self.pinnedProtocols) == 1 else {
            throw .openSSL("TLS can't be set up")
        }
        SSL_CTX_set_cert_verify_callback(pointer, { store, _ in PeerVerifier.verify(store) }, nil)
    }

    /// Creates the settings of clients that check a server's certificate and its name.
    ///
    /// - Parameter certificates: The certificates to trust: servers' own, or authorities'; `nil` for the system's
    ///   authorities.
    package convenience init(trusting certificates: [Certificate]?) throws(TLSError) {
        try self.init(method: TLS_client_method(), isPinned: false)
        guard let certificates else {
            guard hearth_ssl_ctx_trust_system(pointer) == 1 else {
                throw .openSSL("The system's authorities can't be read")
            }
            return
        }
        for certificate in certificates {
            guard hearth_ssl_ctx_trust(pointer, certificate.pointer) == 1 else {
                throw .openSSL("A certificate can't be used")
            }
        }
    }

    /// Creates the settings of clients that know their server by its key. Each connection decides by the key's digest. Nothing else
    /// in the certificate is believed: neither names nor the validity.
    package static func pinningServers() throws(TLSError) -> TLSContext {
        let context = try TLSContext(method: TLS_client_method(), isPinned: true)
        SSL_CTX_set_verify(context.pointer, SSL_VERIFY_PEER, nil)
        SSL_CTX_set_cert_verify_callback(context.pointer, { store, _ in PeerVerifier.verifyServer(store) }, nil)
        return context
    }

    private init(method: OpaquePointer?, isPinned: Bool) throws(TLSError) {
        ERR_clear_error()
        guard let context = SSL_CTX_new(method) else { throw .openSSL("TLS can't be set up") }
        pointer = context
        self.isPinned = isPinned
        guard hearth_ssl_ctx_configure(context) == 1, SSL_CTX_set_cipher_list(context, Self.ciphers) == 1 else {
            throw .openSSL("TLS can't be set up")
        }
    }

    private convenience init(_ identity: TLSIdentity, isPinned: Bool) throws(TLSError) {
        try self.init(method: isPinned ? TLS_method() : TLS_server_method(), isPinned: isPinned)
        let context = pointer
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
    }

    deinit { SSL_CTX_free(pointer) }
}
