internal import HAP
internal import NIOCore

/// The bytes that a connection receives: its frames, once it is secured, and the requests in them.
///
/// It can't be copied, so that the memory of one request is used again for the next one.
struct ConnectionInput: ~Copyable {
    private var requests = HTTPRequestReader(limits: .pairing)
    private var limits = HTTPLimits.pairing
    /// The decrypter of frames; `nil` before the connection is secured.
    private var opener: FrameOpener?

    /// Whether all received bytes belong to requests that ``next()`` has returned.
    var isBetweenRequests: Bool {
        requests.isBetweenMessages && opener?.isBetweenFrames ?? true
    }

    /// Whether the buffered bytes exceed the maximum length of a request.
    var exceedsLimit: Bool {
        requests.bufferedLength > limits.total
    }

    /// Handles bytes from the network.
    ///
    /// - Throws: ``FrameError`` if the bytes aren't frames of the session. Close the connection.
    mutating func receive(_ buffer: ByteBuffer) throws(FrameError) {
        guard opener != nil else { return requests.receive(buffer.readableBytesView) }
        try requests.receive { (plaintext) throws(FrameError) in
            let opened = buffer.withUnsafeReadableBytes { bytes in
                Result { () throws(FrameError) in try opener?.open(bytes, appendingTo: &plaintext) }
            }
            try opened.get()
        }
    }

    /// Returns the next complete request, or `nil` if more bytes are needed.
    ///
    /// - Throws: ``HTTPError`` if the bytes aren't requests. Every further call throws the same error.
    mutating func next() throws(HTTPError) -> HTTPRequest? {
        try requests.next()
    }

    /// Expects all further bytes in frames, and requests of the length that controllers may send.
    ///
    /// - Returns: `false` if bytes in the clear are left that belong to no handled request. They can't be attributed to
    ///   the controller.
    mutating func secure(_ key: FrameKey) -> Bool {
        guard requests.isBetweenMessages else { return false }
        limits = .request
        requests = HTTPRequestReader(limits: limits)
        opener = FrameOpener(key: key)
        return true
    }
}
