/// A writer of bit fields, the most significant bit first.
struct BitWriter {
    private(set) var bytes: [UInt8] = []
    private var cache: UInt64 = 0
    private var cachedCount = 0

    /// The number of bits written.
    var bitCount: Int { bytes.count * 8 + cachedCount }

    init(capacity: Int) {
        bytes.reserveCapacity(capacity)
    }

    /// Writes the lowest 0 to 32 bits of a number.
    @inline(__always)
    mutating func write(_ bits: UInt32, _ count: Int) {
        let mask = (1 as UInt64) &<< UInt64(count) &- 1
        cache = cache &<< UInt64(count) | UInt64(bits) & mask
        cachedCount += count
        while cachedCount >= 8 {
            cachedCount -= 8
            bytes.append(UInt8(truncatingIfNeeded: cache &>> UInt64(cachedCount)))
        }
    }

    /// Fills the last byte with zeros.
    mutating func align() {
        if cachedCount > 0 { write(0, 8 - cachedCount) }
    }
}
