internal import CChaCha20

/// The key stream of ChaCha20 for one nonce (RFC 8439, section 2.3), computed in batches of blocks.
struct ChaCha20 {
    /// The length of a block in bytes.
    static let blockLength = 64
    /// The number of blocks in a batch.
    static let batchSize = UInt32(HEARTH_CHACHA20_BATCH)
    /// The length of a batch in bytes.
    static let batchLength = Int(batchSize) * blockLength

    private let key: SIMD8<UInt32>
    private let nonce: SIMD3<UInt32>

    init(key: SIMD8<UInt32>, nonce: AEADNonce) {
        self.key = key
        self.nonce = nonce.words
    }

    /// Writes blocks to `stream`, which has ``batchLength`` bytes: those of a batch that contain the first `length` bytes
    /// from the given block on, and perhaps more.
    func write(from block: UInt32, length: Int, to stream: UnsafeMutableRawBufferPointer) {
        precondition(length > 0 && stream.count == Self.batchLength && block <= .max - Self.batchSize)
        let count = (min(length, Self.batchLength) + Self.blockLength - 1) / Self.blockLength
        withUnsafeBytes(of: key) { key in
            withUnsafeBytes(of: nonce) { nonce in
                hearth_chacha20_blocks(
                    key.assumingMemoryBound(to: UInt32.self).baseAddress,
                    block,
                    nonce.assumingMemoryBound(to: UInt32.self).baseAddress,
                    CInt(count),
                    stream.baseAddress
                )
            }
        }
    }
}
