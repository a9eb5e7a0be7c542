/// Encrypts what one end of a secured connection sends.
///
/// Frames must go out in the order in which they were sealed: each uses the next value of the direction's one counter.
/// Not to be copied: two copies would use one counter value twice.
public struct FrameSealer: Sendable {
    private let key: AEADKey
    private var counter: UInt64

    /// Starts a direction at counter 0.
    public init(key: FrameKey) {
        self.init(key: key, counter: 0)
    }

    init(key: FrameKey, counter: UInt64) {
        self.key = AEADKey(key.bytes)
        self.counter = counter
    }

    /// Seals bytes into as many frames as they need; none for no bytes.
    ///
    /// - Throws: ``FrameError/sealingFailed``. Close the connection: the counter must not be used again.
    public mutating func seal(_ plaintext: some Collection<UInt8>) throws(FrameError) -> [UInt8] {
        var rest = Array(plaintext)[...]
        let frames = (rest.count + FrameFormat.maximumLength - 1) / FrameFormat.maximumLength
        var output: [UInt8] = []
        output.reserveCapacity(rest.count + frames * (FrameFormat.headerLength + AEADKey.tagLength))
        while !rest.isEmpty {
            let part = rest.prefix(FrameFormat.maximumLength)
            rest = rest.dropFirst(part.count)
            try sealFrame(part, into: &output)
        }
        return output
    }

    private mutating func sealFrame(_ part: ArraySlice<UInt8>, into output: inout [UInt8]) throws(FrameError) {
        guard counter < .max else { throw .sealingFailed }
        let header = FrameFormat.header(length: part.count)
        output += header
        do {
            try key.seal(part, nonce: FrameFormat.nonce(counter), authenticating: header, into: &output)
        } catch {
            throw .sealingFailed
        }
        counter += 1
    }
}
