/// The random times of elections, so that two hubs rarely stand at the same moment. Anyone may predict them.
struct ElectionRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    // SplitMix64 by Steele, Lea and Flood.
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }

    /// Returns a time of at least `minimum` and less than `maximum`, which are whole milliseconds.
    mutating func time(_ minimum: Duration, _ maximum: Duration) -> Duration {
        let width = Int64((maximum - minimum) / .milliseconds(1))
        return minimum + .milliseconds(Int64(next() % UInt64(max(1, width))))
    }
}
