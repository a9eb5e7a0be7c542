/// A scanner that finds the parts of JSON text without decoding them.
///
/// It looks at brackets, strings and delimiters only. Decoding a part shows whether it is well-formed.
package struct JSONScanner: ~Copyable {
    private let bytes: UnsafeRawBufferPointer
    /// The offset of the next byte.
    package private(set) var position = 0

    /// Creates a scanner at the first byte. The bytes must outlive the scanner.
    package init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    /// Returns the next byte that isn't white space; `nil` at the end.
    package mutating func next() -> UInt8? {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x09, 0x0A, 0x0D: position += 1
            case let byte: return byte
            }
        }
        return nil
    }

    /// Skips a byte if it comes next.
    package mutating func consume(_ byte: UInt8) -> Bool {
        guard next() == byte else { return false }
        position += 1
        return true
    }

    /// Skips a keyword if it comes next.
    package mutating func consume(word: StaticString) -> Bool {
        guard next() != nil, position + word.utf8CodeUnitCount <= bytes.count else { return false }
        for offset in 0..<word.utf8CodeUnitCount where bytes[position + offset] != word.utf8Start[offset] {
            return false
        }
        position += word.utf8CodeUnitCount
        return true
    }

    /// Skips a string and returns its range, quotes included.
    package mutating func string() -> Range<Int>? {
        guard next() == Self.quote else { return nil }
        let start = position
        position += 1
        while position < bytes.count {
            let byte = bytes[position]
            position += byte == Self.backslash ? 2 : 1
            if byte == Self.quote { return start..<position }
        }
        return nil
    }

    /// Skips a value of any kind and returns its range.
    package mutating func value() -> Range<Int>? {
        guard next() != nil else { return nil }
        let start = position
        var depth = 0
        while position < bytes.count {
            switch bytes[position] {
            case Self.quote:
                guard string() != nil else { return nil }
                continue
            case Self.openBrace, Self.openBracket:
                depth += 1
            case Self.closeBrace, Self.closeBracket:
                if depth == 0 { return start < position ? start..<position : nil }
                depth -= 1
            case Self.comma where depth == 0:
                return start < position ? start..<position : nil
            default:
                break
            }
            position += 1
        }
        return start < position && depth == 0 ? start..<position : nil
    }

    /// Skips an integer of at most 18 digits and returns it; returns `nil` and skips nothing for any other value.
    package mutating func smallInteger() -> Int64? {
        guard next() != nil else { return nil }
        var end = position
        let isNegative = bytes[end] == UInt8(ascii: "-")
        if isNegative { end += 1 }
        let first = end
        var magnitude: Int64 = 0
        while end < bytes.count, Self.digits ~= bytes[end], end - first < Self.smallDigits {
            magnitude = magnitude * 10 + Int64(bytes[end] - Self.digits.lowerBound)
            end += 1
        }
        guard end > first, end - first == 1 || bytes[first] != Self.digits.lowerBound else { return nil }
        if end < bytes.count {
            switch bytes[end] {
            case Self.comma, Self.closeBrace, Self.closeBracket, 0x20, 0x09, 0x0A, 0x0D: break
            default: return nil
            }
        }
        position = end
        return isNegative ? -magnitude : magnitude
    }

    /// Skips a string without escapes and returns its text; returns `nil` and skips nothing for any other value.
    package mutating func plainString() -> String? {
        let start = position
        guard let range = plainStringRange() else { return nil }
        let text = String(validating: UnsafeRawBufferPointer(rebasing: bytes[range]), as: UTF8.self)
        if text == nil { position = start }
        return text
    }

    /// Skips a string without escapes and returns the range of its text, which may not be UTF-8; returns `nil` and skips
    /// nothing for any other value.
    package mutating func plainStringRange() -> Range<Int>? {
        guard next() == Self.quote else { return nil }
        var end = position + 1
        while end < bytes.count, bytes[end] != Self.quote {
            guard bytes[end] >= 0x20, bytes[end] != Self.backslash else { return nil }
            end += 1
        }
        guard end < bytes.count else { return nil }
        let range = (position + 1)..<end
        position = end + 1
        return range
    }

    @inlinable package static var openBrace: UInt8 { UInt8(ascii: "{") }
    @inlinable package static var closeBrace: UInt8 { UInt8(ascii: "}") }
    @inlinable package static var openBracket: UInt8 { UInt8(ascii: "[") }
    @inlinable package static var closeBracket: UInt8 { UInt8(ascii: "]") }
    @inlinable package static var quote: UInt8 { UInt8(ascii: "\"") }
    @inlinable package static var backslash: UInt8 { UInt8(ascii: "\\") }
    @inlinable package static var colon: UInt8 { UInt8(ascii: ":") }
    @inlinable package static var comma: UInt8 { UInt8(ascii: ",") }
    private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    private static let smallDigits = 18
}
