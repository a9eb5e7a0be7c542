/// A time in the form of the Network Time Protocol: seconds since a start that both ends agree on by exchanging packets,
/// in units of 2⁻³² s.
package struct NTPTime: RawRepresentable, Hashable, Comparable, Sendable {
    /// The number of units.
    package let rawValue: UInt64

    /// Creates a time from its number of units.
    package init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// Creates a time a number of nanoseconds after another one.
    package func advanced(byNanoseconds nanoseconds: Int64) -> NTPTime {
        let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        let units = (seconds << 32) &+ (rest << 32) / 1_000_000_000
        return NTPTime(rawValue: rawValue &+ UInt64(bitPattern: units))
    }

    /// Returns the nanoseconds from another time to this one.
    package func nanoseconds(since other: NTPTime) -> Int64 {
        let units = Int64(bitPattern: rawValue &- other.rawValue)
        let seconds = units >> 32
        // The range of a difference of billions of seconds isn't needed.
        guard seconds.magnitude < 4_000_000_000 else { return seconds < 0 ? .min : .max }
        return seconds * 1_000_000_000 + ((units & 0xFFFF_FFFF) * 1_000_000_000) >> 32
    }

    /// Returns whether a time is earlier than another.
    package static func < (left: NTPTime, right: NTPTime) -> Bool {
        left.rawValue < right.rawValue
    }
}
