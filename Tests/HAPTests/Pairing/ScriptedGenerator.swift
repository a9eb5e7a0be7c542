/// A generator that returns given bytes, so that an exchange reproduces its transcript, and then random ones.
struct ScriptedGenerator: RandomNumberGenerator {
    private var rest: ArraySlice<UInt8>
    private var system = SystemRandomNumberGenerator()

    init(_ bytes: [UInt8]...) {
        rest = Array(bytes.joined())[...]
    }

    /// Whether all given bytes have been used.
    var isUsedUp: Bool { rest.isEmpty }

    mutating func next() -> UInt64 {
        guard !rest.isEmpty else { return system.next() }
        let word = rest.prefix(8)
        rest = rest.dropFirst(8)
        return word.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
