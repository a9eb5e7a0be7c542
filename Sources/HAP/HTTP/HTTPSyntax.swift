internal import HAPCatalog

/// The character classes of HTTP (RFC 9110, section 5.6, and RFC 9112).
package enum HTTPSyntax {
    static let carriageReturn = UInt8(ascii: "\r")
    static let lineFeed = UInt8(ascii: "\n")
    package static let space = UInt8(ascii: " ")
    static let tab = UInt8(ascii: "\t")
    static let colon = UInt8(ascii: ":")
    static let lineEnd: [UInt8] = [carriageReturn, lineFeed]

    /// Returns whether the byte may occur in a method or a header's name.
    package static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"),
            UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
            true
        default:
            false
        }
    }

    /// Returns whether the byte may occur in a header's value or a reason phrase: no control characters except tab.
    package static func isText(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte != 0x7F || byte == tab
    }

    /// Returns whether the byte is a visible ASCII character, as in request targets.
    package static func isVisible(_ byte: UInt8) -> Bool {
        0x21...0x7E ~= byte
    }

    /// Returns the index of the first line feed or carriage return at or after a position, or the end of the bytes.
    static func lineEnd(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
        var end = start
        // Eight bytes at a time take a third of the time.
        while bytes.count - end >= MemoryLayout<UInt64>.size {
            let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: end, as: UInt64.self))
            let found = lowestMatch(in: word, of: lineFeed) | lowestMatch(in: word, of: carriageReturn)
            guard found == 0 else { return end + found.trailingZeroBitCount / UInt8.bitWidth }
            end += MemoryLayout<UInt64>.size
        }
        while end < bytes.count, bytes[end] != lineFeed, bytes[end] != carriageReturn { end += 1 }
        return end
    }

    /// Returns a word whose lowest bit that is set is in the lowest of eight bytes that equals `byte`, or 0 if none does.
    /// Bits above it mean nothing.
    private static func lowestMatch(in word: UInt64, of byte: UInt8) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        // A byte that equals becomes 0, and only a 0, or what is above one, borrows from its high bit.
        let differences = word ^ (ones &* UInt64(byte))
        return (differences &- ones) & ~differences & (ones << 7)
    }

    /// Returns whether the bytes are a text.
    static func isSame(_ bytes: UnsafeRawBufferPointer, _ text: StaticString) -> Bool {
        guard bytes.count == text.utf8CodeUnitCount else { return false }
        var index = 0
        while index < bytes.count, bytes[index] == text.utf8Start[index] { index += 1 }
        return index == bytes.count
    }

    /// Returns whether the bytes are a text.
    static func isSame(_ bytes: some Collection<UInt8>, _ text: StaticString) -> Bool {
        bytes.count == text.utf8CodeUnitCount
            && bytes.elementsEqual(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Returns whether two names are equal, ignoring the case of ASCII letters.
    package static func isSameName(_ left: ArraySlice<UInt8>, _ right: String) -> Bool {
        left.withUnsafeBytes { isSameName($0, right) }
    }

    /// Returns whether two names are equal, ignoring the case of ASCII letters.
    @inline(__always)  // Most names have another length.
    static func isSameName(_ left: UnsafeRawBufferPointer, _ right: String) -> Bool {
        var right = right
        return left.count == right.utf8.count && right.withUTF8 { isSameName(left, $0) }
    }

    private static func isSameName(_ left: UnsafeRawBufferPointer, _ right: UnsafeBufferPointer<UInt8>) -> Bool {
        guard left.count == right.count else { return false }
        // Most senders write names as we do.
        return left.indices.allSatisfy { index in
            left[index] == right[index] || ASCII.lowercased(left[index]) == ASCII.lowercased(right[index])
        }
    }

    /// Returns whether the byte is a space or a tab.
    static func isBlank(_ byte: UInt8) -> Bool {
        byte == space || byte == tab
    }

    /// Returns the bytes without leading and trailing spaces and tabs.
    static func trimmed(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: bytes[trimmed(bytes, 0..<bytes.count)])
    }

    /// Returns a range of bytes without leading and trailing spaces and tabs.
    static func trimmed(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, isBlank(bytes[start]) { start += 1 }
        while start < end, isBlank(bytes[end - 1]) { end -= 1 }
        return start..<end
    }

    /// Decodes the percent escapes in part of a query. Returns `nil` if one is malformed or the result is not UTF-8.
    static func percentDecoded(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard text.contains(UInt8(ascii: "%")) else { return text }
        var decoded: [UInt8] = []
        var index = text.startIndex
        while index < text.endIndex {
            if text[index] == UInt8(ascii: "%") {
                guard index + 2 < text.endIndex, let high = HexDigit.value(of: text[index + 1]),
                    let low = HexDigit.value(of: text[index + 2])
                else { return nil }
                decoded.append(high << 4 | low)
                index += 3
            } else {
                decoded.append(text[index])
                index += 1
            }
        }
        return String(validating: decoded, as: UTF8.self) == nil ? nil : decoded[...]
    }
}
