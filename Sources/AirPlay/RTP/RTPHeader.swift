/// The fields that all packets begin with.
enum RTPHeader {
    /// RTP version 2, without padding, extension and contributing sources.
    static let version: UInt8 = 0x80
    /// The bit of the first packet after the start or a flush, in a sync packet.
    static let extensionBit: UInt8 = 0x10
    /// The number in the packets that don't count themselves.
    static let fixedSequence: UInt16 = 7
}

/// The kinds of packets apart from audio, with the marker bit.
enum RTPPacketType: UInt8 {
    case timingRequest = 0xD2
    case timingReply = 0xD3
    case sync = 0xD4
    case resendRequest = 0xD5
    case resent = 0xD6
}

extension FixedWidthInteger {
    /// Creates a number from its bytes, the most significant one first.
    init(bigEndian bytes: some Collection<UInt8>) {
        self = bytes.reduce(0) { $0 << 8 | Self(truncatingIfNeeded: $1) }
    }
}

extension [UInt8] {
    /// Appends the bytes of a number, the most significant one first.
    mutating func append<Number: FixedWidthInteger>(bigEndian number: Number) {
        for shift in stride(from: Number.bitWidth - 8, through: 0, by: -8) {
            append(UInt8(truncatingIfNeeded: number >> Number(shift)))
        }
    }
}
