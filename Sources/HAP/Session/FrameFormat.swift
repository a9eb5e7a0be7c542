/// The layout of a frame: length (2 bytes, little-endian), ciphertext of that length, tag. The length bytes are the
/// additional data; the nonce is the direction's counter.
enum FrameFormat {
    /// The maximum length of one frame's plaintext in bytes.
    static let maximumLength = 1024
    /// The size of the length field in bytes.
    static let headerLength = 2

    /// Returns the total length of the frames for a plaintext of the given length.
    static func sealedLength(of length: Int) -> Int {
        let frames = (length + maximumLength - 1) / maximumLength
        return length + frames * (headerLength + AEADKey.tagLength)
    }

    /// Calls `body` with the length field. `body` must not store the pointer.
    static func withHeader<Result>(length: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        withUnsafeBytes(of: UInt16(truncatingIfNeeded: length).littleEndian, body)
    }

    /// Returns the length in a length field.
    static func length(of header: UnsafeRawBufferPointer) -> Int {
        Int(UInt16(littleEndian: header.loadUnaligned(as: UInt16.self)))
    }

    /// Calls `body` with the nonce of the frame with this number: four zero bytes, then the number in eight bytes.
    /// `body` must not store the pointer.
    static func withNonce<Result>(_ counter: UInt64, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        withUnsafeBytes(of: (UInt64.zero, counter.littleEndian)) { bytes in
            body(UnsafeRawBufferPointer(rebasing: bytes.dropFirst(MemoryLayout<UInt32>.size)))
        }
    }
}
