/// A number modulo N of ``SRPGroup``.
///
/// The time that an operation takes depends on the lengths of its operands only, which are public, never on their
/// values: no branch and no address depends on a value.
struct SRPNumber: Sendable {
    /// The number times R = 2^3072 modulo N (Montgomery form), below N, least significant limb first.
    private let limbs: [UInt64]

    private init(limbs: [UInt64]) {
        self.limbs = limbs
    }

    /// The number 1.
    static let one = SRPNumber(limbs: residueOfR)
    /// The generator g.
    static let generator = SRPNumber(lowBytesOf: [SRPGroup.generator])

    /// The number that bytes stand for, most significant first; nil for more bytes than N has.
    init?(_ bytes: [UInt8]) {
        guard bytes.count <= SRPGroup.byteCount else { return nil }
        self.init(lowBytesOf: bytes)
    }

    /// The number that bytes stand for, most significant first; of more than 384 bytes the last ones.
    init(lowBytesOf bytes: [UInt8]) {
        let padding = [UInt8](repeating: 0, count: max(0, SRPGroup.byteCount - bytes.count))
        // Below 2^3072, hence below 2 N: one subtraction reduces it.
        var integer = Self.integer(padding + bytes.suffix(SRPGroup.byteCount))
        Self.reduce(&integer, carry: 0)
        self.init(limbs: Self.montgomeryProduct(integer, Self.residueOfRSquared))
    }

    /// The number as 384 bytes, most significant first.
    var bytes: [UInt8] {
        var unit = [UInt64](repeating: 0, count: SRPGroup.limbCount)
        unit[0] = 1
        let integer = Self.montgomeryProduct(limbs, unit)
        return integer.reversed().flatMap { limb in withUnsafeBytes(of: limb.bigEndian) { Array($0) } }
    }

    /// Whether the number is 0.
    var isZero: Bool {
        limbs.reduce(0, |) == 0
    }

    static func * (left: SRPNumber, right: SRPNumber) -> SRPNumber {
        SRPNumber(limbs: montgomeryProduct(left.limbs, right.limbs))
    }

    static func + (left: SRPNumber, right: SRPNumber) -> SRPNumber {
        var sum = left.limbs
        let carry = add(right.limbs, to: &sum, mask: .max)
        reduce(&sum, carry: carry)
        return SRPNumber(limbs: sum)
    }

    static func - (left: SRPNumber, right: SRPNumber) -> SRPNumber {
        var difference = left.limbs
        let borrow = subtract(right.limbs, from: &difference)
        _ = add(SRPGroup.prime, to: &difference, mask: 0 &- borrow)
        return SRPNumber(limbs: difference)
    }

    /// The number raised to an exponent given most significant byte first. Takes a time that depends on the number of
    /// bytes only.
    func power(_ exponent: [UInt8]) -> SRPNumber {
        var table = [SRPNumber.one, self]
        while table.count < 1 << Self.windowBits {
            table.append(table[table.count - 1] * self)
        }
        var result = SRPNumber.one
        for byte in exponent {
            for window in [byte >> Self.windowBits, byte & (1 << Self.windowBits - 1)] {
                for _ in 0..<Self.windowBits {
                    result = result * result
                }
                result = result * Self.select(UInt64(window), from: table)
            }
        }
        return result
    }

    private static let windowBits = 4
}

extension SRPNumber {
    /// R modulo N: as N is above R / 2, that is R - N.
    private static let residueOfR: [UInt64] = {
        var limbs = [UInt64](repeating: 0, count: SRPGroup.limbCount)
        _ = subtract(SRPGroup.prime, from: &limbs)
        return limbs
    }()

    /// R squared modulo N, by which a Montgomery product brings a number into Montgomery form.
    private static let residueOfRSquared: [UInt64] = {
        // The Montgomery form of 2^3, squared ten times: that of 2^3072, which is R.
        var number = SRPNumber(limbs: residueOfR)
        for _ in 0..<3 {
            number = number + number
        }
        for _ in 0..<10 {
            number = number * number
        }
        return number.limbs
    }()

    /// The limbs of 384 bytes.
    private static func integer(_ bytes: [UInt8]) -> [UInt64] {
        stride(from: bytes.count, to: 0, by: -MemoryLayout<UInt64>.size).map { end in
            bytes[(end - MemoryLayout<UInt64>.size)..<end].reduce(0) { $0 << UInt8.bitWidth | UInt64($1) }
        }
    }

    /// The entry of a table at a secret index: reads all of them.
    private static func select(_ index: UInt64, from table: [SRPNumber]) -> SRPNumber {
        var limbs = [UInt64](repeating: 0, count: SRPGroup.limbCount)
        for (position, entry) in table.enumerated() {
            merge(entry.limbs, mask: mask(index, isAt: UInt64(position)), into: &limbs)
        }
        return SRPNumber(limbs: limbs)
    }

    /// Sets the bits of `operand & mask`, limb by limb.
    private static func merge(
        _ operand: UnsafePointer<UInt64>,
        mask: UInt64,
        into result: UnsafeMutablePointer<UInt64>
    ) {
        var index = 0
        while index < SRPGroup.limbCount {
            result[index] |= operand[index] & mask
            index &+= 1
        }
    }

    /// All ones if the two are the same, else 0.
    ///
    /// Not inlined: an optimizer that knows how the mask was made replaces it by a branch.
    @inline(never)
    private static func mask(_ index: UInt64, isAt position: UInt64) -> UInt64 {
        let difference = index ^ position
        return ((difference | (0 &- difference)) &>> 63) &- 1
    }

    /// Adds `operand & mask`, limb by limb, and gives the carry, 0 or 1.
    ///
    /// Carries are computed from the highest bits: of a comparison the optimizer makes a branch here.
    private static func add(
        _ operand: UnsafePointer<UInt64>,
        to sum: UnsafeMutablePointer<UInt64>,
        mask: UInt64
    ) -> UInt64 {
        var carry: UInt64 = 0
        var index = 0
        while index < SRPGroup.limbCount {
            let left = sum[index]
            let right = operand[index] & mask
            let total = left &+ right &+ carry
            sum[index] = total
            carry = ((left & right) | ((left | right) & ~total)) &>> 63
            index &+= 1
        }
        return carry
    }

    /// Subtracts, limb by limb, and gives the borrow, 0 or 1.
    private static func subtract(
        _ operand: UnsafePointer<UInt64>,
        from difference: UnsafeMutablePointer<UInt64>
    ) -> UInt64 {
        var borrow: UInt64 = 0
        var index = 0
        while index < SRPGroup.limbCount {
            let left = difference[index]
            let right = operand[index]
            let total = left &- right &- borrow
            difference[index] = total
            borrow = ((~left & right) | ((~left | right) & total)) &>> 63
            index &+= 1
        }
        return borrow
    }

    /// Brings `carry * R + integer`, which is below 2 N, below N.
    private static func reduce(_ integer: inout [UInt64], carry: UInt64) {
        let borrow = subtract(SRPGroup.prime, from: &integer)
        // Too much was subtracted if there was a borrow and no carry to pay for it.
        _ = add(SRPGroup.prime, to: &integer, mask: 0 &- (borrow & ~carry))
    }

    /// The product divided by R modulo N.
    ///
    /// Unlike in the general algorithm there is no factor -1/N modulo 2^64: N's lowest limb is 2^64 - 1, so it is 1.
    private static func montgomeryProduct(_ left: [UInt64], _ right: [UInt64]) -> [UInt64] {
        var carry: UInt64 = 0
        var product = [UInt64](repeating: 0, count: SRPGroup.limbCount)
        for limb in right {
            carry = accumulate(left, times: limb, modulo: SRPGroup.prime, into: &product, carry: carry)
        }
        reduce(&product, carry: carry)
        return product
    }

    /// Adds `left * limb` to the product and then the multiple of N that makes its lowest limb 0, which is dropped.
    ///
    /// Full-width multiplication and explicit carries instead of 128-bit integers: as fast in release builds, and
    /// more than ten times as fast in debug builds.
    private static func accumulate(
        _ left: UnsafePointer<UInt64>,
        times limb: UInt64,
        modulo prime: UnsafePointer<UInt64>,
        into product: UnsafeMutablePointer<UInt64>,
        carry: UInt64
    ) -> UInt64 {
        var overflow: Bool
        var (leftHigh, factor) = left[0].multipliedFullWidth(by: limb)
        (factor, overflow) = factor.addingReportingOverflow(product[0])
        leftHigh &+= overflow ? 1 : 0
        var (primeHigh, low) = factor.multipliedFullWidth(by: prime[0])
        (low, overflow) = low.addingReportingOverflow(factor)
        primeHigh &+= overflow ? 1 : 0
        var index = 1
        while index < SRPGroup.limbCount {
            var (high, low) = left[index].multipliedFullWidth(by: limb)
            (low, overflow) = low.addingReportingOverflow(product[index])
            high &+= overflow ? 1 : 0
            (low, overflow) = low.addingReportingOverflow(leftHigh)
            leftHigh = high &+ (overflow ? 1 : 0)
            var (secondHigh, sum) = factor.multipliedFullWidth(by: prime[index])
            (sum, overflow) = sum.addingReportingOverflow(low)
            secondHigh &+= overflow ? 1 : 0
            (sum, overflow) = sum.addingReportingOverflow(primeHigh)
            primeHigh = secondHigh &+ (overflow ? 1 : 0)
            product[index &- 1] = sum
            index &+= 1
        }
        var carryOut: UInt64 = 0
        (low, overflow) = carry.addingReportingOverflow(leftHigh)
        carryOut &+= overflow ? 1 : 0
        (low, overflow) = low.addingReportingOverflow(primeHigh)
        carryOut &+= overflow ? 1 : 0
        product[SRPGroup.limbCount &- 1] = low
        return carryOut
    }
}
