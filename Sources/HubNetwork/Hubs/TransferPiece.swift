/// A piece of a large transfer between two hubs: the content of a frame of the kind ``HubFrame/Kind/piece``.
///
/// Each hub sends one transfer at a time: a start, then all bytes in order. The receiver answers once it has handled them, or
/// refuses at any time. With the connection, the transfer ends.
enum TransferPiece: Hashable, Sendable {
    /// A transfer begins, with what the receiver must know of it, and takes the place of an earlier one.
    case start(number: UInt32, length: Int, note: [UInt8])
    /// The next bytes.
    case data(number: UInt32, [UInt8])
    /// The receiver has handled all bytes.
    case answer(number: UInt32, [UInt8])
    /// The receiver doesn't take the transfer.
    case refusal(number: UInt32)

    private enum Tag: UInt8 {
        case start = 0
        case data = 1
        case answer = 2
        case refusal = 3
    }

    /// The number of bytes before the content: the tag and the transfer's number.
    private static let headerBytes = 1 + MemoryLayout<UInt32>.size
    private static let lengthBytes = MemoryLayout<UInt64>.size

    /// The transfer's number, which its sender has chosen.
    var number: UInt32 {
        switch self {
        case .start(let number, _, _), .data(let number, _), .answer(let number, _), .refusal(let number): number
        }
    }

    /// The bytes.
    var bytes: [UInt8] {
        switch self {
        case .start(let number, let length, let note):
            Self.header(.start, number) + Self.bigEndian(UInt64(length)) + note
        case .data(let number, let data): Self.header(.data, number) + data
        case .answer(let number, let answer): Self.header(.answer, number) + answer
        case .refusal(let number): Self.header(.refusal, number)
        }
    }

    /// Reads a piece. Returns `nil` if the bytes aren't one, or if a note is too long.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= Self.headerBytes, let tag = Tag(rawValue: bytes[0]) else { return nil }
        let number = UInt32(truncatingIfNeeded: Self.number(bytes[1..<Self.headerBytes]))
        let rest = bytes.dropFirst(Self.headerBytes)
        switch tag {
        case .start:
            guard rest.count >= Self.lengthBytes,
                rest.count - Self.lengthBytes <= HubLinkLimits.noteBytes,
                let length = Int(exactly: Self.number(rest.prefix(Self.lengthBytes)))
            else { return nil }
            self = .start(number: number, length: length, note: Array(rest.dropFirst(Self.lengthBytes)))
        case .data: self = .data(number: number, Array(rest))
        case .answer:
            guard rest.count <= HubLinkLimits.noteBytes else { return nil }
            self = .answer(number: number, Array(rest))
        case .refusal: self = .refusal(number: number)
        }
    }

    private static func header(_ tag: Tag, _ number: UInt32) -> [UInt8] { [tag.rawValue] + bigEndian(number) }

    private static func bigEndian(_ value: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: value.bigEndian) { Array($0) }
    }

    private static func number(_ bytes: some Sequence<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
}
