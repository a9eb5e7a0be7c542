/// The cost of checking a passphrase: the base-2 logarithm of the number of scrypt rounds, each of which takes 1 KiB of
/// memory.
package struct ScryptWorkFactor: Hashable, Sendable {
    /// The default for new files: 256 MiB and about a second.
    package static let standard = ScryptWorkFactor(exponent: 18)
    /// The maximum for reading files: 1 GiB and a few seconds. A file that requires more is rejected, because it may be
    /// an attack on its reader.
    package static let limit = ScryptWorkFactor(exponent: 20)

    /// The exponent, 1 to 20.
    package let exponent: Int

    /// Creates a work factor, clamped to the valid range.
    package init(exponent: Int) {
        self.exponent = min(max(exponent, 1), 20)
    }

    /// The scrypt parameter N.
    var rounds: Int { 1 << exponent }
}
