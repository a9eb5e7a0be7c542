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
        var output: [UInt8] = []
        output.reserveCapacity(Self.sealedLength(of: plaintext.count))
        try seal(Array(plaintext)) { output.append(contentsOf: $0) }
        return output
    }

    /// Seals bytes into as many frames as they need, and gives the frames piece by piece to `write`, which must not keep
    /// the pointers. It is given ``sealedLength(of:)`` bytes in all.
    ///
    /// - Throws: ``FrameError/sealingFailed``. Close the connection: the counter must not be used again.
    public mutating func seal(
        _ plaintext: [UInt8],
        _ write: (UnsafeRawBufferPointer) -> Void
    ) throws(FrameError) {
        let isSealed = plaintext.withUnsafeBytes { plaintext in
            stride(from: 0, to: plaintext.count, by: FrameFormat.maximumLength).allSatisfy { start in
                let part = plaintext.dropFirst(start).prefix(FrameFormat.maximumLength)
                return sealFrame(UnsafeRawBufferPointer(rebasing: part), write)
            }
        }
        guard isSealed else { throw .sealingFailed }
    }

    /// The bytes that ``seal(_:_:)`` makes of so many bytes.
    public static func sealedLength(of length: Int) -> Int {
        FrameFormat.sealedLength(of: length)
    }

    private mutating func sealFrame(_ part: UnsafeRawBufferPointer, _ write: (UnsafeRawBufferPointer) -> Void) -> Bool {
        guard counter < .max else { return false }
        let counter = counter
        self.counter += 1
        return FrameFormat.withHeader(length: part.count) { header in
            FrameFormat.withNonce(counter) { nonce in
                key.seal(part, nonce: nonce, authenticating: header) { sealed in
                    write(header)
                    write(sealed)
                }
            }
        }
    }
}
