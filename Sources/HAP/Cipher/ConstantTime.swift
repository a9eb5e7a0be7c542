/// Operations on secrets in constant time.
package enum ConstantTime {
    /// Returns whether two byte strings are equal, in a time that depends only on their lengths.
    package static func equal(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == right.count else { return false }
        return zip(left, right).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    /// Returns whether all bytes are 0, in a time that depends only on the length.
    static func isZero(_ bytes: [UInt8]) -> Bool {
        bytes.reduce(0, |) == 0
    }

    /// Returns the carry of an addition, 1 or 0.
    ///
    /// Not written as a choice between 1 and 0, which the optimizer turns into a branch.
    @inline(__always)
    static func carry(_ overflow: Bool) -> UInt64 {
        UInt64(unsafeBitCast(overflow, to: UInt8.self))
    }
}
