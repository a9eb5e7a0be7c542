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
        guard !isClosed else { throw .closed }
        pending.append(contentsOf: bytes)
        do {
            return try openPending()
        } catch {
            isClosed = true
            pending = []
            throw error
        }
    }

    private mutating func openPending() throws(FrameError) -> [UInt8] {
        var plaintext: [UInt8] = []
        var start = 0
        while let frame = try nextFrame(from: start) {
            guard counter < .max, open(frame, into: &plaintext) else { throw .authenticationFailed }
            counter += 1
            start = frame.upperBound
        }
        if start == pending.count {
            pending.removeAll(keepingCapacity: pending.count <= FrameFormat.sealedLength(of: FrameFormat.maximumLength))
        } else {
            pending.removeFirst(start)
        }
        return plaintext
    }

    /// Returns the range of the next frame, or `nil` if it is incomplete.
    private func nextFrame(from start: Int) throws(FrameError) -> Range<Int>? {
        guard pending.count - start >= FrameFormat.headerLength else { return nil }
        let length = pending.withUnsafeBytes { FrameFormat.length(of: UnsafeRawBufferPointer(rebasing: $0[start...])) }
        guard (1...FrameFormat.maximumLength).contains(length) else { throw .invalidLength(length) }
        let end = start + FrameFormat.sealedLength(of: length)
        return end <= pending.count ? start..<end : nil
    }

    private func open(_ frame: Range<Int>, into plaintext: inout [UInt8]) -> Bool {
        pending.withUnsafeBytes { pending in
            let frame = pending[frame]
            let header = UnsafeRawBufferPointer(rebasing: frame.prefix(FrameFormat.headerLength))
            let sealed = UnsafeRawBufferPointer(rebasing: frame.dropFirst(FrameFormat.headerLength))
            return FrameFormat.withNonce(counter) { nonce in
                key.open(sealed, nonce: nonce, authenticating: header, into: &plaintext)
            }
        }
    }
}
