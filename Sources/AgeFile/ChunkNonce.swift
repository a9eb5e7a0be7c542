internal import Crypto

/// The nonce of a chunk of the content: its number, and whether it is the last. So chunks cannot change places, and the
/// end cannot be cut off.
struct ChunkNonce {
    private var number: UInt64 = 0

    /// The nonce of the next chunk.
    mutating func next(isLast: Bool) throws -> ChaChaPoly.Nonce {
        defer { number += 1 }
        let leading = [UInt8](repeating: 0, count: AgeFormat.nonceLength - 1 - MemoryLayout<UInt64>.size)
        return try ChaChaPoly.Nonce(
            data: leading + withUnsafeBytes(of: number.bigEndian) { Array($0) } + [isLast ? 1 : 0]
        )
    }

    /// Whether a chunk came before.
    var isFirst: Bool { number == 0 }
}
