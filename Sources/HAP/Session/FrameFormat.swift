/// The layout of a frame: length (2 bytes, little-endian), ciphertext of that length, tag. The length bytes are the
/// additional data; the nonce is the direction's counter.
enum FrameFormat {
    /// The longest plaintext of one frame in bytes.
    static let maximumLength = 1024
    /// The length of the length in bytes.
    static let headerLength = 2

    /// The bytes that frames need for so many bytes of plaintext.
    static func sealedLength(of length: Int) -> Int {
        let frames = (length + maximumLength - 1) / maximumLength
        return length + frames * (headerLength + AEADKey.tagLength)
    }

    /// Gives the length bytes to `body`, which must not keep the pointer.
    static func withHeader<Result>(length: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        withUnsafeBytes(of: UInt16(truncatingIfNeeded: length).littleEndian, body)
    }

    /// The length that length bytes stand for.
    static func length(of header: UnsafeRawBufferPointer) -> Int {
        Int(UInt16(littleEndian: header.loadUnaligned(as: UInt16.self)))
    }

    /// Gives the nonce of the frame with this number to `body`, which must not keep the pointer: four zero bytes, then
    /// the number in eight.
    static func withNonce<Result>(_ counter: UInt64, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        withUnsafeBytes(of: (UInt64.zero, counter.littleEndian)) { bytes in
            body(UnsafeRawBufferPointer(rebasing: bytes.dropFirst(MemoryLayout<UInt32>.size)))
        }
    }
}
