/// The layout of a frame: length (2 bytes, little-endian), ciphertext of that length, tag. The length bytes are the
/// additional data; the nonce is the direction's counter.
enum FrameFormat {
    /// The longest plaintext of one frame in bytes.
    static let maximumLength = 1024
    /// The length of the length in bytes.
    static let headerLength = 2

    /// The length bytes.
    static func header(length: Int) -> [UInt8] {
        withUnsafeBytes(of: UInt16(truncatingIfNeeded: length).littleEndian) { Array($0) }
    }

    /// The length that length bytes stand for.
    static func length(of header: [UInt8]) -> Int {
        header.reversed().reduce(0) { $0 << UInt8.bitWidth | Int($1) }
    }

    /// The nonce of the frame with this number.
    static func nonce(_ counter: UInt64) -> [UInt8] {
        withUnsafeBytes(of: counter.littleEndian) { AEADKey.nonce($0) }
    }
}
