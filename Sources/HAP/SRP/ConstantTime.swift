/// Comparison of secrets.
enum ConstantTime {
    /// Whether two byte strings are the same, in a time that depends on their lengths only.
    static func equal(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == right.count else { return false }
        return zip(left, right).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    /// Whether every byte is 0, in a time that depends on the length only.
    static func isZero(_ bytes: [UInt8]) -> Bool {
        bytes.reduce(0, |) == 0
    }
}
