internal import Crypto

/// The nonce of a chunk: its number, and whether it is the last. This prevents chunks from being reordered and the end
/// from being truncated.
struct ChunkNonce {
    private var number: UInt64 = 0

    /// Returns the nonce of the next chunk.
    mutating func next(isLast: Bool) throws -> ChaChaPoly.Nonce {
        defer { number += 1 }
        let leading = [UInt8](repeating: 0, count: AgeFormat.nonceLength - 1 - MemoryLayout<UInt64>.size)
        return try ChaChaPoly.Nonce(
            data: leading + withUnsafeBytes(of: number.bigEndian) { Array($0) } + [isLast ? 1 : 0]
        )
    }

    /// Whether the next chunk is the first.
    var isFirst: Bool { number == 0 }
}
