import Foundation
import LocalRPC

/// The text of UUIDs, as JSON has it.
///
/// Foundation reads and writes it with the C library's formatted input and output, which costs more than all other work
/// on a short message.
extension UUID {
    private static let textLength = 36

    /// Creates a UUID from its text; `nil` if the bytes are anything else.
    init?(text: UnsafeRawBufferPointer) {
        guard text.count == Self.textLength else { return nil }
        var id: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        let isValid = withUnsafeMutableBytes(of: &id) { bytes in
            var position = 0
            for index in bytes.indices {
                if Self.isAfterDash(index) {
                    guard text[position] == UInt8(ascii: "-") else { return false }
                    position += 1
                }
                guard let high = Self.digit(text[position]), let low = Self.digit(text[position + 1]) else {
                    return false
                }
                bytes[index] = high << 4 | low
                position += 2
            }
            return true
        }
        guard isValid else { return nil }
        self.init(uuid: id)
    }

    /// Returns whether a dash precedes a byte.
    fileprivate static func isAfterDash(_ index: Int) -> Bool { index == 4 || index == 6 || index == 8 || index == 10 }

    private static func digit(_ character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

extension [UInt8] {
    /// Appends a UUID with its quotes.
    mutating func append(jsonID id: UUID) {
        append(JSONScanner.quote)
        Swift.withUnsafeBytes(of: id.uuid) { bytes in
            for index in bytes.indices {
                if UUID.isAfterDash(index) { append(UInt8(ascii: "-")) }
                append(Self.digit(bytes[index] >> 4))
                append(Self.digit(bytes[index] & 0x0F))
            }
        }
        append(JSONScanner.quote)
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }
}

extension JSONScanner {
    /// Skips a UUID and returns it; returns `nil` for any other value.
    mutating func id(_ bytes: UnsafeRawBufferPointer) -> UUID? {
        plainStringRange().flatMap { UUID(text: UnsafeRawBufferPointer(rebasing: bytes[$0])) }
    }
}
