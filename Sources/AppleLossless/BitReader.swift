/// A reader of bit fields, the most significant bit first.
///
/// Reading past the end returns zeros and sets ``isExhausted``, so that a loop can check once for several fields.
struct BitReader {
    private let bytes: [UInt8]
    private var next = 0
    /// The next bits, from the most significant one. Bits after ``cachedCount`` are 0.
    private var cache: UInt64 = 0
    private var cachedCount = 0

    /// Whether more bits were read than there are.
    private(set) var isExhausted = false

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The number of bits that are left.
    var remaining: Int { cachedCount + (bytes.count - next) * 8 }

    /// Fills the cache to at least 57 bits, or with all that is left.
    private mutating func fill() {
        while cachedCount <= 56, next < bytes.count {
            cache |= UInt64(bytes[next]) &<< UInt64(56 - cachedCount)
            next += 1
            cachedCount += 8
        }
    }

    /// Returns the next 1 to 32 bits without consuming them.
    @inline(__always)
    mutating func peek(_ count: Int) -> UInt32 {
        if cachedCount < count { fill() }
        return UInt32(truncatingIfNeeded: cache &>> UInt64(64 - count))
    }

    /// Consumes 0 to 32 bits.
    @inline(__always)
    mutating func skip(_ count: Int) {
        if cachedCount < count { fill() }
        guard cachedCount >= count else {
            (cache, cachedCount, isExhausted) = (0, 0, true)
            return
        }
        cache &<<= UInt64(count)
        cachedCount -= count
    }

    /// Reads an unsigned field of 1 to 32 bits.
    @inline(__always)
    mutating func read(_ count: Int) -> UInt32 {
        let bits = peek(count)
        skip(count)
        return bits
    }

    /// Reads a field of 1 to 32 bits in two's complement.
    mutating func readSigned(_ count: Int) -> Int32 {
        Int32(bitPattern: read(count)).signExtended(from: count)
    }
}

extension Int32 {
    /// Returns the lowest bits as a number in two's complement.
    @inline(__always)
    func signExtended(from bitCount: Int) -> Int32 {
        let shift = Int32(truncatingIfNeeded: 32 - bitCount)
        return (self &<< shift) &>> shift
    }
}
