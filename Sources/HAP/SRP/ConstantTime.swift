/// Comparison of secrets in constant time.
enum ConstantTime {
    /// Returns whether two byte strings are equal, in a time that depends only on their lengths.
    static func equal(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == right.count else { return false }
        return zip(left, right).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    /// Returns whether all bytes are 0, in a time that depends only on the length.
    static func isZero(_ bytes: [UInt8]) -> Bool {
        bytes.reduce(0, |) == 0
    }
}
