/// The type of a HAP service or characteristic: a 128-bit UUID.
///
/// Apple's types share the base UUID `00000000-0000-1000-8000-0026BB765291`, and messages contain only their first 32
/// bits (`3E`). Manufacturers' types are written in full. Source: HAP specification 6.6.1.
public struct HAPType: Hashable, Sendable {
    /// The UUID as a number, most significant byte first.
    public let uuid: UInt128

    /// The base UUID of Apple's types.
    private static let base: UInt128 = 0x0000_0000_0000_1000_8000_0026_BB76_5291
    /// The part of the base UUID that all of Apple's types share.
    private static let baseMask = UInt128.max >> 32

    /// Creates a type from its full UUID, most significant byte first.
    public init(uuid: UInt128) {
        self.uuid = uuid
    }

    /// Creates one of Apple's types from its number, such as `0x3E`.
    public init(short: UInt32) {
        uuid = UInt128(short) << 96 | Self.base
    }

    /// Parses a type: 1 to 8 hex digits, or a UUID with or without hyphens, in any case. Returns `nil` for anything
    /// else.
    public init?(_ string: some StringProtocol) {
        var digits: UInt128 = 0
        var position = 0
        let utf8 = string.utf8
        let isLong = utf8.count == 36 || utf8.count == 32
        guard isLong || (1...8).contains(utf8.count) else { return nil }
        for byte in utf8 {
            if utf8.count == 36, [8, 13, 18, 23].contains(position) {
                guard byte == UInt8(ascii: "-") else { return nil }
            } else {
                guard let digit = HexDigit.value(of: byte) else { return nil }
                digits = digits << 4 | UInt128(digit)
            }
            position += 1
        }
        uuid = isLong ? digits : digits << 96 | Self.base
    }

    /// Whether the type has Apple's base UUID.
    public var isApple: Bool {
        uuid & Self.baseMask == Self.base
    }

    /// The number of one of Apple's types, or `nil` for a manufacturer's.
    public var short: UInt32? {
        isApple ? UInt32(truncatingIfNeeded: uuid >> 96) : nil
    }

    /// The form in messages: uppercase hex without leading zeros for Apple's types, otherwise ``longForm``.
    public var shortForm: String {
        guard let short else { return longForm }
        return String(short, radix: 16, uppercase: true)
    }

    /// The UUID as 36 uppercase characters.
    public var longForm: String {
        String(unsafeUninitializedCapacity: 36) { buffer in
            var nibble = 128
            for position in 0..<36 {
                if position == 8 || position == 13 || position == 18 || position == 23 {
                    buffer[position] = UInt8(ascii: "-")
                    continue
                }
                nibble -= 4
                let digit = UInt8(truncatingIfNeeded: uuid >> UInt128(nibble)) & 0xF
                buffer[position] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "A") + digit - 10
            }
            return 36
        }
    }
}

extension HAPType: Comparable {
    /// Orders types by their UUID.
    public static func < (left: HAPType, right: HAPType) -> Bool {
        left.uuid < right.uuid
    }
}

extension HAPType: CustomStringConvertible {
    /// The name of a known type without spaces (`TargetDoorState`), otherwise ``shortForm``.
    public var description: String {
        CharacteristicDefinition.of(self)?.identifier ?? ServiceDefinition.of(self)?.identifier ?? shortForm
    }
}

extension HAPType: Codable {
    /// Decodes any form that ``init(_:)-(StringProtocol)`` accepts.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let string = try container.decode(String.self)
        guard let type = HAPType(string) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "'\(string)' is not a HAP type")
        }
        self = type
    }

    /// Encodes ``shortForm``.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(shortForm)
    }
}
