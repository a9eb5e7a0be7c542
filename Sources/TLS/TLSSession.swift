internal import COpenSSL

/// One side of one TLS connection, as a state machine: bytes of the network and of the application go in and come out. It does no I/O, and keeps no more than a record that is incomplete.
struct TLSSession: ~Copyable {
    /// The state of the connection.
    enum State: Hashable {
        /// The two sides agree on keys.
        case handshaking
        /// Data can be exchanged.
        case open
        /// The other side has announced that it sends no more.
        case ended
        /// The connection has failed. What ``takeOutput(_:)`` returns explains it to the other side.
        case failed(TLSError)
    }

    /// The side of a connection.
    enum Role {
        case server
        /// A client that offers a protocol.
        case client(ApplicationProtocol)
        /// A client of HTTP/1.1 that expects a host.
        case webClient(host: String)
    }

    private let ssl: OpaquePointer
    /// What the network has received. `ssl` owns it.
    private let input: OpaquePointer
    /// What is to be sent to the network. `ssl` owns it.
    private let output: OpaquePointer
    private(set) var state = State.handshaking
    private var hasClosed = false
    /// What decides about the other side's key. `ssl` has a pointer to it.
    private let verifier: PeerVerifier?

    /// The largest number of bytes of one read: the content of a record.
    private static let recordBytes = 16_384

    /// Creates one side.
    ///
    /// - Parameter verifier: What decides about the other side's key, for pinned settings.
    init(_ context: TLSContext, as role: Role = .server, verifier: PeerVerifier? = nil) throws(TLSError) {
        precondition(context.isPinned == (verifier != nil), "pinned settings need a decision about keys")
        guard let ssl = SSL_new(context.pointer) else { throw .openSSL("TLS can't be set up") }
        guard let input = hearth_bio_new_memory(), let output = hearth_bio_new_memory() else {
            SSL_free(ssl)
            throw .openSSL("Memory is short")
        }
        hearth_bio_set_open(input)
        hearth_bio_set_open(output)
        SSL_set_bio(ssl, input, output)
        (self.ssl, self.input, self.output, self.verifier) = (ssl, input, output, verifier)
        if let verifier { _ = hearth_ssl_set_data(ssl, Unmanaged.passUnretained(verifier).toOpaque()) }
        switch role {
        case .server: SSL_set_accept_state(ssl)
        case .client(let name):
            SSL_set_connect_state(ssl)
            let names = name.wireName
            _ = SSL_set_alpn_protos(ssl, names, UInt32(names.count))
            handshake()
        case .webClient(let host):
            guard hearth_ssl_set_host(ssl, host) == 1 else {
                fail("“\(host)” isn't the name of a host")
                return
            }
            SSL_set_connect_state(ssl)
            let names = ApplicationProtocol.http1.wireName
            _ = SSL_set_alpn_protos(ssl, names, UInt32(names.count))
            handshake()
        }
    }

    deinit { SSL_free(ssl) }

    /// The key of the other side, 32 bytes, if the settings are pinned.
    var peerKey: [UInt8]? { verifier?.key }

    /// The protocol that the two sides agreed on; `nil` for none.
    var applicationProtocol: ApplicationProtocol? {
        var name: UnsafePointer<UInt8>?
        var length: UInt32 = 0
        SSL_get0_alpn_selected(ssl, &name, &length)
        return name.flatMap {
            ApplicationProtocol(
                rawValue: String(decoding: UnsafeBufferPointer(start: $0, count: Int(length)), as: UTF8.self)
            )
        }
    }

    /// Takes bytes that the network has received.
    ///
    /// - Parameter deliver: A closure that gets what the other side sent, in pieces.
    mutating func receive(_ bytes: UnsafeRawBufferPointer, deliver: (UnsafeRawBufferPointer) -> Void) {
        var rest = bytes
        while !rest.isEmpty {
            switch state {
            case .failed, .ended: return
            case .handshaking, .open: break
            }
            // The engine reads what it is given before it gets more, so the input holds an incomplete record at most.
            let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(Self.recordBytes))
            guard BIO_write(input, piece.baseAddress, Int32(piece.count)) == Int32(piece.count) else {
                return fail("Memory is short")
            }
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(piece.count))
            if state == .handshaking { handshake() }
            if state == .open { read(deliver) }
        }
    }

    private mutating func handshake() {
        ERR_clear_error()
        let result = SSL_do_handshake(ssl)
        if result == 1 {
            state = .open
        } else if SSL_get_error(ssl, result) != SSL_ERROR_WANT_READ {
            fail("The TLS handshake failed")
        }
    }

    private mutating func read(_ deliver: (UnsafeRawBufferPointer) -> Void) {
        withUnsafeTemporaryAllocation(byteCount: Self.recordBytes, alignment: 1) { buffer in
            while true {
                ERR_clear_error()
                var count = 0
                let result = SSL_read_ex(ssl, buffer.baseAddress, buffer.count, &count)
                if result == 1 {
                    deliver(UnsafeRawBufferPointer(rebasing: buffer.prefix(count)))
                    continue
                }
                switch SSL_get_error(ssl, result) {
                case SSL_ERROR_WANT_READ: return
                case SSL_ERROR_ZERO_RETURN: return state = .ended
                default: return fail("The TLS connection failed")
                }
            }
        }
    }

    /// Encrypts data for the other side.
    mutating func send(_ bytes: UnsafeRawBufferPointer) {
        guard state == .open || state == .ended, !hasClosed, !bytes.isEmpty else { return }
        ERR_clear_error()
        var count = 0
        guard SSL_write_ex(ssl, bytes.baseAddress, bytes.count, &count) == 1, count == bytes.count else {
            return fail("The TLS connection failed")
        }
    }

    /// Announces that this side sends no more.
    mutating func close() {
        guard state == .open || state == .ended, !hasClosed else { return }
        hasClosed = true
        ERR_clear_error()
        _ = SSL_shutdown(ssl)
        ERR_clear_error()
    }

    /// The number of bytes to send to the network.
    var outputCount: Int { BIO_ctrl_pending(output) }

    /// Takes bytes to send to the network.
    ///
    /// - Returns: How many bytes there were.
    mutating func takeOutput(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        max(0, Int(BIO_read(output, buffer.baseAddress, Int32(clamping: buffer.count))))
    }

    private mutating func fail(_ what: String) {
        state = .failed(.openSSL(what))
    }
}
