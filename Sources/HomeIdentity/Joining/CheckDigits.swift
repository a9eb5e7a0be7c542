/// Six digits that both sides compute at the end of an exchange, and that people compare.
package struct CheckDigits: Hashable, Sendable {
    /// The number of possible values.
    static let count: UInt64 = 1_000_000

    /// The digits as a number below 1,000,000.
    package let number: UInt32

    /// Creates digits from a number. Returns `nil` unless it is below 1,000,000.
    package init?(_ number: UInt32) {
        guard number < Self.count else { return nil }
        self.number = number
    }

    /// Creates the digits of the last eight bytes of a secret, most significant byte first.
    init(secret: some Sequence<UInt8>) {
        let value = secret.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        number = UInt32(value % Self.count)
    }

    /// The six digits, without a space.
    package var digits: String {
        let text = String(number)
        return String(repeating: "0", count: 6 - text.count) + text
    }

    /// The six digits in two groups, as people read them: `482 913`.
    package var text: String { digits.prefix(3) + " " + digits.suffix(3) }
}
