/// The ways to split a stream into pieces.
enum StreamSplits {
    /// Returns the stream byte by byte, and split at indices that depend on the bytes.
    static func of(_ bytes: [UInt8]) -> [[ArraySlice<UInt8>]] {
        var random = RepeatableGenerator(seed: UInt64(bytes.count))
        for byte in bytes { random.stir(byte) }
        return [bytes.indices.map { bytes[$0...$0] }]
            + [4, 64].map { longest in
                var pieces: [ArraySlice<UInt8>] = []
                var rest = bytes[...]
                while !rest.isEmpty {
                    let piece = rest.prefix(Int.random(in: 1...longest, using: &random))
                    pieces.append(piece)
                    rest = rest.dropFirst(piece.count)
                }
                return pieces
            }
    }
}
