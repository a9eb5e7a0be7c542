/// The one-time authenticator Poly1305 (RFC 8439, section 2.5), for messages whose parts are padded with zero bytes to a
/// multiple of 16, as in ChaCha20-Poly1305.
///
/// The time depends only on the length of the message.
struct Poly1305 {
    /// The length of a block in bytes.
    private static let blockLength = 16

    /// r without the bits that the algorithm clears, in two limbs, least significant first.
    private let r0, r1: UInt64
    /// r1 times 5/4. A product with it is one with r1 times 2^128, modulo 2^130 - 5.
    private let s1: UInt64
    /// s, which is added to the result.
    private let pad0, pad1: UInt64
    /// The sum, below 2^131.
    private var h0: UInt64 = 0
    private var h1: UInt64 = 0
    private var h2: UInt64 = 0

    /// - Parameter key: 32 bytes, for one message only.
    init(key: UnsafeRawBufferPointer) {
        r0 = UInt64(littleEndian: key.loadUnaligned(as: UInt64.self)) & 0x0FFF_FFFC_0FFF_FFFF
        r1 = UInt64(littleEndian: key.loadUnaligned(fromByteOffset: 8, as: UInt64.self)) & 0x0FFF_FFFC_0FFF_FFFC
        s1 = r1 &+ r1 &>> 2
        pad0 = UInt64(littleEndian: key.loadUnaligned(fromByteOffset: 16, as: UInt64.self))
        pad1 = UInt64(littleEndian: key.loadUnaligned(fromByteOffset: 24, as: UInt64.self))
    }

    /// Adds a part, padded to full blocks.
    mutating func add(_ bytes: UnsafeRawBufferPointer) {
        var index = 0
        while index + Self.blockLength <= bytes.count {
            add(
                UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)),
                UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index + 8, as: UInt64.self))
            )
            index += Self.blockLength
        }
        guard index < bytes.count else { return }
        var (low, high) = (UInt64(0), UInt64(0))
        for offset in 0..<bytes.count - index {
            let byte = UInt64(bytes[index + offset]) &<< UInt64(offset % 8 * 8)
            if offset < 8 { low |= byte } else { high |= byte }
        }
        add(low, high)
    }

    /// Adds one block, least significant limb first.
    @inline(__always)
    mutating func add(_ low: UInt64, _ high: UInt64) {
        var overflow: Bool
        (h0, overflow) = h0.addingReportingOverflow(low)
        h2 &+= 1 &+ Self.add(ConstantTime.carry(overflow), to: &h1)
        (h1, overflow) = h1.addingReportingOverflow(high)
        h2 &+= ConstantTime.carry(overflow)
        multiply()
    }

    /// Multiplies the sum by r. The result is below 2^131, but not fully reduced.
    @inline(__always)
    private mutating func multiply() {
        // None of the sums overflows, because r0 and r1 are below 2^60, and h2 is at most 7.
        let low = Self.sum(h0.multipliedFullWidth(by: r0), h1.multipliedFullWidth(by: s1))
        let middle = Self.sum(h0.multipliedFullWidth(by: r1), h1.multipliedFullWidth(by: r0))
        let high = Self.sum(middle, (high: 0, low: low.high &+ h2 &* s1))
        (h0, h1, h2) = (low.low, high.low, h2 &* r0 &+ high.high)
        // 2^130 is 5 modulo 2^130 - 5.
        let excess = (h2 & ~3) &+ h2 &>> 2
        h2 &= 3
        let overflow: Bool
        (h0, overflow) = h0.addingReportingOverflow(excess)
        h2 &+= Self.add(ConstantTime.carry(overflow), to: &h1)
    }

    /// The tag, in two limbs, least significant first. Its bytes are those of the limbs.
    var tag: SIMD2<UInt64> {
        // Subtract 2^130 - 5 if the sum isn't below it: if adding 5 reaches 2^130.
        var (g0, g1, g2) = (h0, h1, h2)
        var overflow: Bool
        (g0, overflow) = g0.addingReportingOverflow(5)
        g2 &+= Self.add(ConstantTime.carry(overflow), to: &g1)
        let mask = 0 &- (g2 &>> 2)
        (g0, g1) = (h0 & ~mask | g0 & mask, h1 & ~mask | g1 & mask)
        (g0, overflow) = g0.addingReportingOverflow(pad0)
        return SIMD2(g0, g1 &+ pad1 &+ ConstantTime.carry(overflow))
    }

    /// Adds a carry to a limb, and returns the limb's carry.
    @inline(__always)
    private static func add(_ carry: UInt64, to limb: inout UInt64) -> UInt64 {
        let overflow: Bool
        (limb, overflow) = limb.addingReportingOverflow(carry)
        return ConstantTime.carry(overflow)
    }

    /// Returns the sum of two numbers of 128 bits, which doesn't overflow.
    @inline(__always)
    private static func sum(
        _ left: (high: UInt64, low: UInt64),
        _ right: (high: UInt64, low: UInt64)
    ) -> (high: UInt64, low: UInt64) {
        let (low, overflow) = left.low.addingReportingOverflow(right.low)
        return (left.high &+ right.high &+ ConstantTime.carry(overflow), low)
    }
}
