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
        let plaintext = Array(plaintext)
        let length = Self.sealedLength(of: plaintext.count)
        var isSealed = false
        let output = [UInt8](unsafeUninitializedCapacity: length) { output, count in
            isSealed = seal(plaintext, into: UnsafeMutableRawBufferPointer(output))
            count = isSealed ? length : 0
        }
        guard isSealed else { throw .sealingFailed }
        return output
    }

    /// Encrypts bytes into as many frames as needed, and writes them to `output`, which has at least
    /// ``sealedLength(of:)`` bytes. It takes a pointer so that a network buffer can be filled without a copy.
    ///
    /// - Returns: `false` if the counter is exhausted. Close the connection, because it must not be reused.
    public mutating func seal(_ plaintext: [UInt8], into output: UnsafeMutableRawBufferPointer) -> Bool {
        precondition(output.count >= Self.sealedLength(of: plaintext.count))
        let frameCount = UInt64((plaintext.count + FrameFormat.maximumLength - 1) / FrameFormat.maximumLength)
        guard frameCount <= .max - counter else {
            counter = .max
            return false
        }
        plaintext.withUnsafeBytes { plaintext in
            var rest = output[...]
            for start in stride(from: 0, to: plaintext.count, by: FrameFormat.maximumLength) {
                let part = UnsafeRawBufferPointer(rebasing: plaintext[start...].prefix(FrameFormat.maximumLength))
                let length = FrameFormat.sealedLength(of: part.count)
                sealFrame(part, into: UnsafeMutableRawBufferPointer(rebasing: rest.prefix(length)))
                rest = rest.dropFirst(length)
            }
        }
        return true
    }

    /// Returns the number of bytes that ``seal(_:into:)`` writes for the given number of bytes.
    public static func sealedLength(of length: Int) -> Int {
        FrameFormat.sealedLength(of: length)
    }

    private mutating func sealFrame(_ part: UnsafeRawBufferPointer, into frame: UnsafeMutableRawBufferPointer) {
        FrameFormat.write(length: part.count, to: frame)
        let header = UnsafeRawBufferPointer(rebasing: frame[..<FrameFormat.headerLength])
        key.seal(
            part,
            nonce: AEADNonce(counter: counter),
            authenticating: header,
            into: UnsafeMutableRawBufferPointer(rebasing: frame[FrameFormat.headerLength...])
        )
        counter += 1
    }
}
