/// Random delays that keep hosts from sending at the same time. They can be predicted from the seed; don't use them for
/// secrets.
struct Jitter: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    /// Returns the next number of the SplitMix64 sequence.
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Returns a random duration within a range, to the microsecond.
    mutating func delay(in range: ClosedRange<Duration>) -> Duration {
        let span = (range.upperBound - range.lowerBound) / .microseconds(1)
        return range.lowerBound + .microseconds(Int64.random(in: 0...Int64(span), using: &self))
    }
}
