/// How much it costs to try a passphrase: 2 to the power of this many rounds of scrypt, with 1 KiB of memory each.
package struct ScryptWorkFactor: Hashable, Sendable {
    /// What files are made with: 256 MiB, about a second.
    package static let standard = ScryptWorkFactor(exponent: 18)
    /// The most that is spent on a file: 1 GiB, some seconds. A file that asks for more is refused, for it may have been
    /// made to keep its reader busy.
    package static let limit = ScryptWorkFactor(exponent: 20)

    /// The exponent, 1 to 20.
    package let exponent: Int

    /// Creates an amount of work; one that is out of range is brought into it.
    package init(exponent: Int) {
        self.exponent = min(max(exponent, 1), 20)
    }

    /// Scrypt's N.
    var rounds: Int { 1 << exponent }
}
