/// A decrypter for one direction of a secured connection. The bytes may arrive in pieces of any size.
public struct FrameOpener: Sendable {
    private let key: AEADKey
    private var counter: UInt64
    /// The beginning of an incomplete frame.
    private var pending: [UInt8] = []
    private var isClosed = false

    /// Creates an opener that starts at counter 0.
    public init(key: FrameKey) {
        self.init(key: key, counter: 0)
    }

    init(key: FrameKey, counter: UInt64) {
        self.key = AEADKey(key.bytes)
        self.counter = counter
    }

    /// Whether all received bytes belong to frames that have been opened.
    public var isBetweenFrames: Bool { pending.isEmpty }

    /// Handles the next bytes from the connection, and returns the plaintext of all frames that they complete.
    ///
    /// - Throws: ``FrameError`` if a length or tag is wrong. Close the connection; every later call throws
    ///   ``FrameError/closed``.
    public mutating func open(_ bytes: some Collection<UInt8>) throws(FrameError) -> [UInt8] {
        let opened = Array(bytes).withUnsafeBytes { bytes in
            Result { () throws(FrameError) in try open(bytes) }
        }
        return try opened.get()
    }

    /// Handles the next bytes from the connection, as for other collections. It takes a pointer so that frames are opened
    /// in a network buffer, without a copy.
    public mutating func open(_ bytes: UnsafeRawBufferPointer) throws(FrameError) -> [UInt8] {
        var plaintext: [UInt8] = []
        try open(bytes, appendingTo: &plaintext)
        return plaintext
    }

    /// Handles the next bytes from the connection, and appends the plaintext of all frames that they complete to an array.
    ///
    /// - Throws: As ``open(_:)``. Nothing is appended then.
    package mutating func open(
        _ bytes: UnsafeRawBufferPointer,
        appendingTo plaintext: inout [UInt8]
    ) throws(FrameError) {
        guard !isClosed else { throw .closed }
        let count = plaintext.count
        var failure: FrameError?
        // Usually the bytes are whole frames, which are opened where they are.
        if pending.isEmpty {
            let end = open(bytes, &plaintext, &failure)
            if end < bytes.count { pending = Array(bytes[end...]) }
        } else {
            var received: [UInt8] = []
            swap(&received, &pending)
            received += bytes
            let end = received.withUnsafeBytes { open($0, &plaintext, &failure) }
            pending = end == 0 ? received : Array(received[end...])
        }
        guard let failure else { return }
        plaintext.removeLast(plaintext.count - count)
        isClosed = true
        pending = []
        throw failure
    }

    /// Opens the complete frames in `bytes` and appends their content to `plaintext`.
    ///
    /// - Returns: The length of the opened frames.
    private mutating func open(
        _ bytes: UnsafeRawBufferPointer,
        _ plaintext: inout [UInt8],
        _ failure: inout FrameError?
    ) -> Int {
        var start = 0
        plaintext.append(addingCapacity: bytes.count) { plaintext in
            plaintext.withUnsafeMutableBufferPointer { output, count in
                let output = UnsafeMutableRawBufferPointer(output)
                do throws(FrameError) {
                    while let length = try Self.length(of: bytes[start...]) {
                        let end = start + FrameFormat.sealedLength(of: length)
                        let frame = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
                        try open(frame, into: UnsafeMutableRawBufferPointer(rebasing: output[count..<count + length]))
                        count += length
                        start = end
                    }
                } catch {
                    failure = error
                }
            }
        }
        return start
    }

    /// Returns the length of the content of the first frame, or `nil` if the frame is incomplete.
    private static func length(of bytes: Slice<UnsafeRawBufferPointer>) throws(FrameError) -> Int? {
        guard bytes.count >= FrameFormat.headerLength else { return nil }
        let length = FrameFormat.length(of: UnsafeRawBufferPointer(rebasing: bytes))
        guard (1...FrameFormat.maximumLength).contains(length) else { throw .invalidLength(length) }
        return FrameFormat.sealedLength(of: length) <= bytes.count ? length : nil
    }

    /// Opens one frame.
    private mutating func open(
        _ frame: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) throws(FrameError) {
        let isOpened = key.open(
            UnsafeRawBufferPointer(rebasing: frame[FrameFormat.headerLength...]),
            nonce: AEADNonce(counter: counter),
            authenticating: UnsafeRawBufferPointer(rebasing: frame[..<FrameFormat.headerLength]),
            into: output
        )
        guard counter < .max, isOpened else { throw .authenticationFailed }
        counter += 1
    }
}
