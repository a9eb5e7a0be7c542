/// Reproducible randomness.
struct SimulationRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
        for _ in 0..<4 { _ = next() }
    }

    // xorshift64* by Vigna.
    mutating func next() -> UInt64 {
        state ^= state >> 12
        state ^= state << 25
        state ^= state >> 27
        return state &* 0x2545_F491_4F6C_DD1D
    }

    mutating func number(below limit: Int) -> Int { Int(next() >> 33) % limit }

    mutating func happens(_ share: Double) -> Bool { Double(next() >> 11) * 0x1p-53 < share }

    /// Returns a time between two numbers of milliseconds.
    mutating func time(_ minimum: Int, _ maximum: Int) -> Duration {
        .milliseconds(minimum + number(below: max(1, maximum - minimum)))
    }

    /// Returns a time until the next fault.
    mutating func interval(_ seconds: Int, isBursty: Bool) -> Duration {
        isBursty ? spread(1_000, seconds * 2_000) : time(0, seconds * 2_000)
    }

    /// Returns a time that is as often short as it is long, within some orders of magnitude.
    mutating func spread(_ minimum: Int, _ maximum: Int) -> Duration {
        var value = minimum
        while value < maximum, happens(0.75) { value *= 2 }
        return time(min(value, maximum) / 2, min(value, maximum))
    }
}
