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

    /// Writes the length field of a frame.
    static func write(length: Int, to frame: UnsafeMutableRawBufferPointer) {
        frame.storeBytes(of: UInt16(truncatingIfNeeded: length).littleEndian, as: UInt16.self)
    }

    /// Returns the length in a length field.
    static func length(of frame: UnsafeRawBufferPointer) -> Int {
        Int(UInt16(littleEndian: frame.loadUnaligned(as: UInt16.self)))
    }
}
