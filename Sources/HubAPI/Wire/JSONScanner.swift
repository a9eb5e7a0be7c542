/// Goes through the bytes of a JSON text, and finds its parts without making values of them.
///
/// It sees brackets, strings and delimiters only: whether a part is well-formed shows when it is decoded.
struct JSONScanner: ~Copyable {
    private let bytes: UnsafeRawBufferPointer
    /// The offset of the next byte.
    private(set) var position = 0

    /// Begins at the first byte. The bytes must outlive the scanner.
    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    /// The next byte that is no space; nil at the end.
    mutating func next() -> UInt8? {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x09, 0x0A, 0x0D: position += 1
            case let byte: return byte
            }
        }
        return nil
    }

    /// Passes over a byte if it comes next.
    mutating func take(_ byte: UInt8) -> Bool {
        guard next() == byte else { return false }
        position += 1
        return true
    }

    /// Passes over a word if it comes next.
    mutating func take(word: StaticString) -> Bool {
        guard next() != nil, position + word.utf8CodeUnitCount <= bytes.count else { return false }
        for offset in 0..<word.utf8CodeUnitCount where bytes[position + offset] != word.utf8Start[offset] {
            return false
        }
        position += word.utf8CodeUnitCount
        return true
    }

    /// Passes over a string, its quotes included.
    mutating func string() -> Range<Int>? {
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

    /// Passes over a value of any kind.
    mutating func value() -> Range<Int>? {
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

    /// Passes over a whole number of no more than 18 digits that stands by itself; nil, and nothing is passed over, for
    /// any other.
    mutating func smallInteger() -> Int64? {
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

    /// Passes over a string without escapes and gives its text; nil, and nothing is passed over, for any other.
    mutating func plainString() -> String? {
        guard next() == Self.quote else { return nil }
        var end = position + 1
        while end < bytes.count, bytes[end] != Self.quote {
            guard bytes[end] >= 0x20, bytes[end] != Self.backslash else { return nil }
            end += 1
        }
        guard end < bytes.count,
            let text = String(validating: UnsafeRawBufferPointer(rebasing: bytes[(position + 1)..<end]), as: UTF8.self)
        else { return nil }
        position = end + 1
        return text
    }

    static let openBrace = UInt8(ascii: "{")
    static let closeBrace = UInt8(ascii: "}")
    static let openBracket = UInt8(ascii: "[")
    static let closeBracket = UInt8(ascii: "]")
    static let quote = UInt8(ascii: "\"")
    static let backslash = UInt8(ascii: "\\")
    static let colon = UInt8(ascii: ":")
    static let comma = UInt8(ascii: ",")
    private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    private static let smallDigits = 18
}
