/// An encrypter for one direction of a secured connection.
///
/// Send frames in the order in which they were sealed, because each uses the next value of the direction's counter.
/// Don't copy a sealer: two copies would use a counter value twice.
public struct FrameSealer: Sendable {
    private let key: AEADKey
    private var counter: UInt64

    /// Creates a sealer that starts at counter 0.
    public init(key: FrameKey) {
        self.init(key: key, counter: 0)
    }

    init(key: FrameKey, counter: UInt64) {
        self.key = AEADKey(key.bytes)
        self.counter = counter
    }

    /// Encrypts bytes into as many frames as needed, or none if there are no bytes.
    ///
    /// - Throws: ``FrameError/sealingFailed``. Close the connection, because the counter must not be reused.
    public mutating func seal(_ plaintext: some Collection<UInt8>) throws(FrameError) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(Self.sealedLength(of: plaintext.count))
        try seal(Array(plaintext)) { output.append(contentsOf: $0) }
        return output
    }

    /// Encrypts bytes into as many frames as needed, and passes the frames to `write` in pieces of
    /// ``sealedLength(of:)`` bytes in total. `write` must not store the pointers.
    ///
    /// - Throws: ``FrameError/sealingFailed``. Close the connection, because the counter must not be reused.
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

    /// Returns the number of bytes that ``seal(_:_:)`` produces for the given number of bytes.
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
