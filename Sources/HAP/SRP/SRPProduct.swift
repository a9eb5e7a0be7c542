/// Products of numbers of ``SRPGroup``, and their division by R = 2^3072.
///
/// Operands are padded with a zero limb before and after the number's limbs, which are least significant first. The
/// columns of a product are summed in pairs and need no special case at their ends.
enum SRPProduct {
    /// The padded limbs of 0.
    static let zero = [UInt64](repeating: 0, count: SRPGroup.limbCount + 2)

    /// Returns the padded form of limbs.
    static func padded(_ limbs: [UInt64]) -> [UInt64] {
        [0] + limbs + [0]
    }

    /// Multiplies two numbers into twice as many limbs, not padded.
    static func multiply(
        _ left: UnsafePointer<UInt64>,
        by right: UnsafePointer<UInt64>,
        into product: UnsafeMutablePointer<UInt64>
    ) {
        let left = left + 1
        let right = right + 1
        var sum = Column()
        var index = 0
        while index < 2 * SRPGroup.limbCount {
            var next = Column()
            var position = firstPosition(index)
            let end = index < SRPGroup.limbCount ? index &+ 2 : SRPGroup.limbCount
            while position < end {
                sum.add(left[position], times: right[index &- position])
                next.add(left[position], times: right[index &+ 1 &- position])
                position &+= 1
            }
            product[index] = sum.removeLow()
            sum.add(next)
            product[index &+ 1] = sum.removeLow()
            index &+= 2
        }
    }

    /// Squares a number into twice as many limbs, not padded. Each product of two different limbs is computed once and
    /// counted twice.
    static func square(_ number: UnsafePointer<UInt64>, into product: UnsafeMutablePointer<UInt64>) {
        let number = number + 1
        var sum = Column()
        var index = 0
        while index < 2 * SRPGroup.limbCount {
            var even = Column()
            var odd = Column()
            var position = firstPosition(index)
            let middle = index / 2
            while position < middle {
                even.add(number[position], times: number[index &- position])
                odd.add(number[position], times: number[index &+ 1 &- position])
                position &+= 1
            }
            odd.add(number[middle], times: number[middle &+ 1])
            even.double()
            odd.double()
            even.add(number[middle], times: number[middle])
            sum.add(even)
            product[index] = sum.removeLow()
            sum.add(odd)
            product[index &+ 1] = sum.removeLow()
            index &+= 2
        }
    }

    /// Divides a product by R modulo the prime N (Montgomery reduction). The quotient is below 2 N and padded.
    ///
    /// The factor -1/N modulo 2^64 of the general algorithm is 1, because N's lowest limb is 2^64 - 1.
    ///
    /// - Parameter product: The product, which is overwritten.
    /// - Returns: The carry of the quotient at R, 0 or 1.
    static func divide(
        _ product: UnsafeMutablePointer<UInt64>,
        modulo prime: UnsafePointer<UInt64>,
        into quotient: UnsafeMutablePointer<UInt64>
    ) -> UInt64 {
        let prime = prime + 1
        var sum = Column()
        var index = 0
        // Find the multiple of N, limb by limb, that makes the lower half 0. Its factors replace the lower half.
        while index < SRPGroup.limbCount {
            var next = Column()
            var position = 0
            while position < index {
                sum.add(product[position], times: prime[index &- position])
                next.add(product[position], times: prime[index &+ 1 &- position])
                position &+= 1
            }
            sum.add(product[index])
            let factor = sum.removeLow()
            product[index] = factor
            // The factor times 2^64 - 1, added to the factor, leaves the factor in the next column.
            sum.add(factor)
            sum.add(next)
            sum.add(factor, times: prime[1])
            sum.add(product[index &+ 1])
            let nextFactor = sum.removeLow()
            product[index &+ 1] = nextFactor
            sum.add(nextFactor)
            index &+= 2
        }
        while index < 2 * SRPGroup.limbCount {
            var next = Column()
            var position = firstPosition(index)
            while position < SRPGroup.limbCount {
                sum.add(product[position], times: prime[index &- position])
                next.add(product[position], times: prime[index &+ 1 &- position])
                position &+= 1
            }
            sum.add(product[index])
            quotient[index &- SRPGroup.limbCount &+ 1] = sum.removeLow()
            sum.add(next)
            sum.add(product[index &+ 1])
            quotient[index &- SRPGroup.limbCount &+ 2] = sum.removeLow()
            index &+= 2
        }
        return sum.low
    }

    /// Returns the lowest limb that contributes to a column.
    private static func firstPosition(_ index: Int) -> Int {
        index < SRPGroup.limbCount ? 0 : index &- SRPGroup.limbCount &+ 1
    }
}

extension SRPProduct {
    /// The sum of one column of a product.
    ///
    /// It uses full-width multiplication and explicit carries instead of 128-bit integers, which is as fast in release
    /// builds and more than ten times as fast in debug builds.
    private struct Column {
        var low: UInt64 = 0
        private var middle: UInt64 = 0
        private var high: UInt64 = 0

        @inline(__always)
        mutating func add(_ left: UInt64, times right: UInt64) {
            let product = left.multipliedFullWidth(by: right)
            var overflow: Bool
            (low, overflow) = low.addingReportingOverflow(product.low)
            (middle, overflow) = middle.addingReportingOverflow(product.high &+ ConstantTime.carry(overflow))
            high &+= ConstantTime.carry(overflow)
        }

        @inline(__always)
        mutating func add(_ value: UInt64) {
            var overflow: Bool
            (low, overflow) = low.addingReportingOverflow(value)
            (middle, overflow) = middle.addingReportingOverflow(ConstantTime.carry(overflow))
            high &+= ConstantTime.carry(overflow)
        }

        @inline(__always)
        mutating func add(_ other: Column) {
            var overflow: Bool
            (low, overflow) = low.addingReportingOverflow(other.low)
            let carry = ConstantTime.carry(overflow)
            (middle, overflow) = middle.addingReportingOverflow(other.middle)
            high &+= other.high &+ ConstantTime.carry(overflow)
            (middle, overflow) = middle.addingReportingOverflow(carry)
            high &+= ConstantTime.carry(overflow)
        }

        @inline(__always)
        mutating func double() {
            high = high &<< 1 | middle &>> 63
            middle = middle &<< 1 | low &>> 63
            low = low &<< 1
        }

        /// Removes and returns the lowest limb. The rest belongs to the next column.
        @inline(__always)
        mutating func removeLow() -> UInt64 {
            defer { (low, middle, high) = (middle, high, 0) }
            return low
        }
    }
}
