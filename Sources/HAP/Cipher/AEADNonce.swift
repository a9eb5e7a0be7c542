/// A nonce of ChaCha20-Poly1305, 12 bytes. Each message of a key has its own.
struct AEADNonce: Hashable, Sendable {
    /// The bytes as words, least significant byte first.
    let words: SIMD3<UInt32>
}

extension AEADNonce {
    /// Creates the nonce of a frame: four zero bytes, then the frame's number, least significant byte first.
    init(counter: UInt64) {
        let high = counter >> UInt32.bitWidth
        words = SIMD3(0, UInt32(truncatingIfNeeded: counter), UInt32(truncatingIfNeeded: high))
    }

    /// Creates the nonce of a pairing message: four zero bytes, then the eight characters of the message's name.
    init(_ name: MessageNonce) {
        self.init(counter: name.rawValue.utf8.reversed().reduce(0) { $0 << UInt8.bitWidth | UInt64($1) })
    }
}
