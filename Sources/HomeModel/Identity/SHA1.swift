/// SHA-1, which RFC 9562 uses for UUIDs of version 5. Not for security.
///
/// Every reader of a home computes the IDs of its services and characteristics, so a digest works in a fixed space.
///
/// Source: RFC 3174.
struct SHA1 {
    /// The words of a digest.
    typealias Words = (UInt32, UInt32, UInt32, UInt32, UInt32)

    private static let blockLength = 64
    private static let blockWords = 16
    /// The length of the end of a message's last block: the message's length in bits.
    private static let trailerLength = 8

    /// Returns the 20 bytes of a message's digest.
    static func digest(_ message: [UInt8]) -> [UInt8] {
        let state = message.withUnsafeBytes { message in
            Self.words(ofMessageWithLength: message.count) { $0.copyMemory(from: message) }
        }
        return [state.0, state.1, state.2, state.3, state.4].flatMap { word in
            withUnsafeBytes(of: word.bigEndian) { Array($0) }
        }
    }

    /// Returns the words of a message's digest.
    ///
    /// - Parameters:
    ///   - length: The message's length in bytes.
    ///   - fill: A closure that writes the message into memory of that length, which is zero before.
    static func words(ofMessageWithLength length: Int, fill: (UnsafeMutableRawBufferPointer) -> Void) -> Words {
        let padded = (length + trailerLength) / blockLength * blockLength + blockLength
        return withUnsafeTemporaryAllocation(byteCount: padded, alignment: 8) { bytes in
            bytes.initializeMemory(as: UInt8.self, repeating: 0)
            fill(UnsafeMutableRawBufferPointer(rebasing: bytes[..<length]))
            bytes[length] = 0x80
            let bitCount = UInt64(length) * 8
            bytes.storeBytes(of: bitCount.bigEndian, toByteOffset: padded - trailerLength, as: UInt64.self)
            return withUnsafeTemporaryAllocation(of: UInt32.self, capacity: blockWords) { words in
                words.initialize(repeating: 0)
                var state: Words = (0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0)
                for start in stride(from: 0, to: padded, by: blockLength) {
                    for index in 0..<blockWords {
                        words[index] = UInt32(
                            bigEndian: bytes.load(fromByteOffset: start + index * 4, as: UInt32.self)
                        )
                    }
                    mix(words, into: &state)
                }
                return state
            }
        }
    }

    /// Mixes a block into the state. The words are overwritten: only the last sixteen of the message schedule are needed.
    private static func mix(_ words: UnsafeMutableBufferPointer<UInt32>, into state: inout Words) {
        var (a, b, c, d, e) = state

        /// Mixes the words of a quarter of the rounds.
        @inline(__always)
        func mix(_ rounds: Range<Int>, _ constant: UInt32, _ choice: (UInt32, UInt32, UInt32) -> UInt32) {
            for round in rounds {
                if round >= blockWords {
                    let (third, eighth) = (words[(round - 3) & 15], words[(round - 8) & 15])
                    let (fourteenth, sixteenth) = (words[(round - 14) & 15], words[round & 15])
                    words[round & 15] = rotate(third ^ eighth ^ fourteenth ^ sixteenth, by: 1)
                }
                let next = rotate(a, by: 5) &+ choice(b, c, d) &+ e &+ words[round & 15] &+ constant
                (a, b, c, d, e) = (next, a, rotate(b, by: 30), c, d)
            }
        }

        mix(0..<20, 0x5A82_7999) { ($0 & $1) | (~$0 & $2) }
        mix(20..<40, 0x6ED9_EBA1) { $0 ^ $1 ^ $2 }
        mix(40..<60, 0x8F1B_BCDC) { ($0 & $1) | ($0 & $2) | ($1 & $2) }
        mix(60..<80, 0xCA62_C1D6) { $0 ^ $1 ^ $2 }
        state = (state.0 &+ a, state.1 &+ b, state.2 &+ c, state.3 &+ d, state.4 &+ e)
    }

    @inline(__always)
    private static func rotate(_ word: UInt32, by count: UInt32) -> UInt32 {
        word &<< count | word &>> (32 &- count)
    }
}
