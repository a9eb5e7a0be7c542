/// A number modulo N of ``SRPGroup``.
///
/// The time of an operation depends only on the lengths of its operands, which are public, and never on their values:
/// no branch and no address depends on a value. The only exception is ``power(of:publicExponent:)``.
struct SRPNumber: Sendable {
    /// The number times R = 2^3072 modulo N (Montgomery form), below N, padded for ``SRPProduct``.
    private var limbs: [UInt64]

    private init(limbs: [UInt64]) {
        self.limbs = limbs
    }

    /// The number 1.
    static let one = SRPNumber(limbs: residueOfR)

    /// Creates a number from bytes, most significant first. Returns `nil` if there are more bytes than N has.
    init?(_ bytes: [UInt8]) {
        guard bytes.count <= SRPGroup.byteCount else { return nil }
        self.init(lowBytesOf: bytes)
    }

    /// Creates a number from the last 384 bytes, most significant first.
    init(lowBytesOf bytes: [UInt8]) {
        let padding = [UInt8](repeating: 0, count: max(0, SRPGroup.byteCount - bytes.count))
        self.init(integer: Self.limbs(of: padding + bytes.suffix(SRPGroup.byteCount)))
    }

    /// Creates a number from 48 limbs, least significant first.
    init(integer: [UInt64]) {
        // The integer is below 2^3072, hence below 2 N, so one subtraction reduces it.
        var integer = SRPNumber(limbs: SRPProduct.padded(integer))
        integer.reduce(carry: 0)
        self = integer * SRPNumber(limbs: Self.residueOfRSquared)
    }

    /// The number as 384 bytes, most significant first.
    var bytes: [UInt8] {
        let unit = SRPProduct.padded([1] + [UInt64](repeating: 0, count: SRPGroup.limbCount - 1))
        let integer = (self * SRPNumber(limbs: unit)).limbs.dropFirst().dropLast()
        return integer.reversed().flatMap { limb in withUnsafeBytes(of: limb.bigEndian) { Array($0) } }
    }

    /// Whether the number is 0.
    var isZero: Bool {
        limbs.reduce(0, |) == 0
    }

    static func * (left: SRPNumber, right: SRPNumber) -> SRPNumber {
        var product = [UInt64](repeating: 0, count: 2 * SRPGroup.limbCount)
        SRPProduct.multiply(left.limbs, by: right.limbs, into: &product)
        return SRPNumber(dividing: &product)
    }

    /// The square of the number, which takes less time than a product.
    var squared: SRPNumber {
        var product = [UInt64](repeating: 0, count: 2 * SRPGroup.limbCount)
        SRPProduct.square(limbs, into: &product)
        return SRPNumber(dividing: &product)
    }

    static func + (left: SRPNumber, right: SRPNumber) -> SRPNumber {
        var sum = left
        let carry = add(right.limbs, to: &sum.limbs, mask: .max)
        sum.reduce(carry: carry)
        return sum
    }

    static func - (left: SRPNumber, right: SRPNumber) -> SRPNumber {
        var difference = left
        let borrow = subtract(right.limbs, from: &difference.limbs)
        _ = add(prime, to: &difference.limbs, mask: 0 &- borrow)
        return difference
    }
}

extension SRPNumber {
    private static let prime = SRPProduct.padded(SRPGroup.prime)

    /// R modulo N, which is R - N because N is above R / 2.
    private static let residueOfR: [UInt64] = {
        var limbs = SRPProduct.zero
        _ = subtract(prime, from: &limbs)
        return limbs
    }()

    /// R squared modulo N. A Montgomery product with it converts a number to Montgomery form.
    private static let residueOfRSquared: [UInt64] = {
        // The Montgomery form of 2^3, squared ten times, is that of 2^3072, which is R.
        var number = one
        for _ in 0..<3 {
            number = number + number
        }
        for _ in 0..<10 {
            number = number.squared
        }
        return number.limbs
    }()

    /// Returns the limbs of 384 bytes.
    private static func limbs(of bytes: [UInt8]) -> [UInt64] {
        stride(from: bytes.count, to: 0, by: -MemoryLayout<UInt64>.size).map { end in
            bytes[(end - MemoryLayout<UInt64>.size)..<end].reduce(0) { $0 << UInt8.bitWidth | UInt64($1) }
        }
    }

    /// Creates the quotient of a product and R.
    private init(dividing product: inout [UInt64]) {
        self.init(limbs: SRPProduct.zero)
        let carry = SRPProduct.divide(&product, modulo: Self.prime, into: &limbs)
        reduce(carry: carry)
    }

    /// Reduces `carry * R + limbs`, which is below 2 N, modulo N.
    private mutating func reduce(carry: UInt64) {
        let borrow = Self.subtract(Self.prime, from: &limbs)
        // Add N again if there was a borrow and no carry to offset it.
        _ = Self.add(Self.prime, to: &limbs, mask: 0 &- (borrow & ~carry))
    }

    /// Returns the entry of a table at a secret index. It reads all entries.
    static func select(_ index: UInt64, from table: [SRPNumber]) -> SRPNumber {
        var selected = SRPNumber(limbs: SRPProduct.zero)
        for (position, entry) in table.enumerated() {
            merge(entry.limbs, mask: mask(index, isAt: UInt64(position)), into: &selected.limbs)
        }
        return selected
    }

    /// Returns all ones if the two are equal, otherwise 0.
    ///
    /// Not inlined, because an optimizer that sees how the mask is computed replaces it with a branch.
    @inline(never)
    private static func mask(_ index: UInt64, isAt position: UInt64) -> UInt64 {
        let difference = index ^ position
        return ((difference | (0 &- difference)) &>> 63) &- 1
    }

    /// Sets the bits of `operand & mask` limb by limb.
    private static func merge(
        _ operand: UnsafePointer<UInt64>,
        mask: UInt64,
        into result: UnsafeMutablePointer<UInt64>
    ) {
        var index = 1
        while index <= SRPGroup.limbCount {
            result[index] |= operand[index] & mask
            index &+= 1
        }
    }

    /// Adds `operand & mask` limb by limb, and returns the carry, 0 or 1.
    ///
    /// Carries are computed from the highest bits, because the optimizer turns a comparison into a branch here.
    private static func add(
        _ operand: UnsafePointer<UInt64>,
        to sum: UnsafeMutablePointer<UInt64>,
        mask: UInt64
    ) -> UInt64 {
        var carry: UInt64 = 0
        var index = 1
        while index <= SRPGroup.limbCount {
            let left = sum[index]
            let right = operand[index] & mask
            let total = left &+ right &+ carry
            sum[index] = total
            carry = ((left & right) | ((left | right) & ~total)) &>> 63
            index &+= 1
        }
        return carry
    }

    /// Subtracts limb by limb, and returns the borrow, 0 or 1.
    private static func subtract(
        _ operand: UnsafePointer<UInt64>,
        from difference: UnsafeMutablePointer<UInt64>
    ) -> UInt64 {
        var borrow: UInt64 = 0
        var index = 1
        while index <= SRPGroup.limbCount {
            let left = difference[index]
            let right = operand[index]
            let total = left &- right &- borrow
            difference[index] = total
            borrow = ((~left & right) | ((~left | right) & total)) &>> 63
            index &+= 1
        }
        return borrow
    }
}
