/// Decrypts what one end of a secured connection receives, in pieces of any size.
public struct FrameOpener: Sendable {
    private let key: AEADKey
    private var counter: UInt64
    /// The beginning of a frame whose end has not come yet; shorter than one frame.
    private var pending: [UInt8] = []
    private var isClosed = false

    /// Starts a direction at counter 0.
    public init(key: FrameKey) {
        self.init(key: key, counter: 0)
    }

    init(key: FrameKey, counter: UInt64) {
        self.key = AEADKey(key.bytes)
        self.counter = counter
    }

    /// Whether every byte received belongs to a frame that has been opened.
    public var isBetweenFrames: Bool { pending.isEmpty }

    /// Takes the next bytes from the connection and gives the plaintext of every frame that they complete.
    ///
    /// - Throws: ``FrameError`` as soon as a length or tag is wrong. Close the connection; every later call throws
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
        var rest = pending[...]
        while rest.count >= FrameFormat.headerLength {
            let header = Array(rest.prefix(FrameFormat.headerLength))
            let length = FrameFormat.length(of: header)
            guard (1...FrameFormat.maximumLength).contains(length) else { throw .invalidLength(length) }
            let sealed = rest.dropFirst(header.count).prefix(length + AEADKey.tagLength)
            guard sealed.count == length + AEADKey.tagLength else { break }
            let nonce = FrameFormat.nonce(counter)
            guard counter < .max, key.open(sealed, nonce: nonce, authenticating: header, into: &plaintext) else {
                throw .authenticationFailed
            }
            counter += 1
            rest = rest.dropFirst(header.count + sealed.count)
        }
        if rest.count < pending.count {
            pending = Array(rest)
        }
        return plaintext
    }
}
