/// Arithmetic on exponents, which are integers and not reduced. Its time depends only on their lengths.
enum SRPExponent {
    private typealias Digit = UInt32

    /// Returns `addend + left * right`, all most significant byte first. The sum has the maximum length of the product.
    ///
    /// - Parameter addend: Not longer than `left` or `right`.
    static func sum(_ addend: [UInt8], product left: [UInt8], _ right: [UInt8]) -> [UInt8] {
        let leftDigits = digits(left)
        let rightDigits = digits(right)
        var sum = digits(addend)
        sum += [Digit](repeating: 0, count: leftDigits.count + rightDigits.count - sum.count)
        for (index, digit) in leftDigits.enumerated() {
            var carry: UInt64 = 0
            for (offset, other) in rightDigits.enumerated() {
                carry += UInt64(sum[index + offset]) + UInt64(digit) * UInt64(other)
                sum[index + offset] = Digit(truncatingIfNeeded: carry)
                carry >>= Digit.bitWidth
            }
            // Propagate the carry into the rest of the sum.
            for position in (index + rightDigits.count)..<sum.count {
                carry += UInt64(sum[position])
                sum[position] = Digit(truncatingIfNeeded: carry)
                carry >>= Digit.bitWidth
            }
        }
        return sum.reversed().flatMap { digit in withUnsafeBytes(of: digit.bigEndian) { Array($0) } }
    }

    /// The digits, least significant first.
    private static func digits(_ bytes: [UInt8]) -> [Digit] {
        stride(from: bytes.count, to: 0, by: -MemoryLayout<Digit>.size).map { end in
            bytes[max(0, end - MemoryLayout<Digit>.size)..<end].reduce(0) { $0 << UInt8.bitWidth | Digit($1) }
        }
    }
}
