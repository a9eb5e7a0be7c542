/// The features in a receiver's record, by the numbers of their bits.
package struct ReceiverFeatures: OptionSet, Hashable, Sendable {
    package let rawValue: UInt64

    /// Creates features from their bits.
    package init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    private init(bit: UInt64) {
        rawValue = 1 << bit
    }

    /// Addresses of films.
    package static let video = ReceiverFeatures(bit: 0)
    /// Audio.
    package static let audio = ReceiverFeatures(bit: 9)
    /// Pictures of what plays.
    package static let artwork = ReceiverFeatures(bit: 15)
    /// The progress of what plays.
    package static let progress = ReceiverFeatures(bit: 16)
    /// The names of what plays.
    package static let text = ReceiverFeatures(bit: 17)
    /// The formats of audio that senders of AirPlay 2 expect.
    package static let audioFormats: ReceiverFeatures = [
        ReceiverFeatures(bit: 18), ReceiverFeatures(bit: 19), ReceiverFeatures(bit: 20),
    ]
    /// Classic streams on the same port.
    package static let classicOnSamePort = ReceiverFeatures(bit: 30)
    /// Pairing and encryption as in HomeKit.
    package static let encryption = ReceiverFeatures(bit: 38)
    /// Pairing that Apple's accounts vouch for, in which receivers accept transient pairing, too.
    package static let systemPairing = ReceiverFeatures(bit: 43)
    /// Pairing with a PIN that is kept.
    package static let pairing = ReceiverFeatures(bit: 46)
    /// Pairing without a PIN, for one connection.
    package static let transientPairing = ReceiverFeatures(bit: 48)

    /// Whether the receiver has AirPlay 2.
    package var hasAirPlay2: Bool { contains(.encryption) || contains(.transientPairing) }

    /// Reads two hexadecimal numbers, the low half first: `0x445F8A00,0x1C340`. The high one may be missing.
    ///
    /// Returns `nil` if the text is malformed.
    package init?(_ text: String) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        func half(_ part: Substring) -> UInt64? {
            let digits = part.drop { $0 == " " }
            guard digits.lowercased().hasPrefix("0x"), (3...10).contains(digits.count) else { return nil }
            return UInt64(digits.dropFirst(2), radix: 16)
        }
        guard (1...2).contains(parts.count), let low = half(parts[0]),
            let high = parts.count == 2 ? half(parts[1]) : 0
        else { return nil }
        self.init(rawValue: high << 32 | low)
    }

    /// The two hexadecimal numbers.
    package var text: String {
        func half(_ number: UInt64) -> String { "0x" + String(number & 0xFFFF_FFFF, radix: 16, uppercase: true) }
        return "\(half(rawValue)),\(half(rawValue >> 32))"
    }
}

/// The state of a receiver in its record.
package struct ReceiverStatus: OptionSet, Hashable, Sendable {
    package let rawValue: UInt32

    /// Creates a state from its bits.
    package init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// Set by all receivers.
    package static let ready = ReceiverStatus(rawValue: 1 << 2)
    /// Pairing needs a PIN.
    package static let needsPIN = ReceiverStatus(rawValue: 1 << 3)
    /// Streams need a password.
    package static let needsPassword = ReceiverStatus(rawValue: 1 << 7)
    /// Senders must pair once.
    package static let needsPairing = ReceiverStatus(rawValue: 1 << 9)

    /// Reads a hexadecimal number such as `0x84`. Returns `nil` if the text is malformed.
    package init?(_ text: String) {
        guard text.lowercased().hasPrefix("0x"), let number = UInt32(text.dropFirst(2), radix: 16) else { return nil }
        self.init(rawValue: number)
    }

    /// The hexadecimal number.
    package var text: String { "0x" + String(rawValue, radix: 16) }
}
