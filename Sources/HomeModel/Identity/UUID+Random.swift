package import Foundation

extension UUID {
    /// Returns a random UUID.
    ///
    /// `UUID()` opens a device file each time. This one is for what happens often.
    package static func random() -> UUID {
        var generator = SystemRandomNumberGenerator()
        return UUID(generator.next(), generator.next(), version: 4)
    }

    /// Returns a random UUID that is greater than those of earlier milliseconds. An index adds such IDs at its end.
    ///
    /// Source: RFC 9562, section 5.7.
    package static func ordered(at time: Date) -> UUID {
        var generator = SystemRandomNumberGenerator()
        let milliseconds = UInt64(clamping: time.milliseconds)
        // The time is in the first six bytes, and the first byte is the lowest here.
        let first = (milliseconds << 16).byteSwapped
        let random = generator.next() as UInt64
        return UUID(first | random << 48, generator.next(), version: 7)
    }

    /// Creates a UUID of 16 bytes, the lowest byte of each word first, except for the version and the variant.
    private init(_ high: UInt64, _ low: UInt64, version: UInt8) {
        func byte(_ word: UInt64, _ index: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: word >> (8 * index)) }
        self.init(
            uuid: (
                byte(high, 0), byte(high, 1), byte(high, 2), byte(high, 3), byte(high, 4), byte(high, 5),
                // The version and the variant of RFC 9562.
                byte(high, 6) & 0x0F | version << 4, byte(high, 7), byte(low, 0) & 0x3F | 0x80, byte(low, 1),
                byte(low, 2),
                byte(low, 3), byte(low, 4), byte(low, 5), byte(low, 6), byte(low, 7)
            )
        )
    }
}
