internal import HAPCatalog

/// The character classes of HTTP (RFC 9110, section 5.6, and RFC 9112).
package enum HTTPSyntax {
    static let carriageReturn = UInt8(ascii: "\r")
    static let lineFeed = UInt8(ascii: "\n")
    package static let space = UInt8(ascii: " ")
    static let tab = UInt8(ascii: "\t")
    static let colon = UInt8(ascii: ":")

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
    static func lineEnd(in bytes: [UInt8], from start: Int) -> Int {
        bytes.withUnsafeBufferPointer { bytes in
            var end = start
            while end < bytes.count, bytes[end] != lineFeed, bytes[end] != carriageReturn { end += 1 }
            return end
        }
    }

    /// Returns whether the bytes are a text.
    static func isSame(_ bytes: some Collection<UInt8>, _ text: StaticString) -> Bool {
        bytes.count == text.utf8CodeUnitCount
            && bytes.elementsEqual(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Returns whether two names are equal, ignoring the case of ASCII letters.
    package static func isSameName(_ left: ArraySlice<UInt8>, _ right: String) -> Bool {
        guard left.count == right.utf8.count else { return false }
        var right = right
        return right.withUTF8 { right in
            left.withUnsafeBufferPointer { left in
                // Most senders write names as we do.
                left.indices.allSatisfy { index in
                    left[index] == right[index] || ASCII.lowercased(left[index]) == ASCII.lowercased(right[index])
                }
            }
        }
    }

    /// Returns the bytes without leading and trailing spaces and tabs.
    static func trimmed(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        let isBlank = { (byte: UInt8) in byte == space || byte == tab }
        var (start, end) = (0, bytes.count)
        while start < end, isBlank(bytes[start]) { start += 1 }
        while start < end, isBlank(bytes[end - 1]) { end -= 1 }
        return UnsafeRawBufferPointer(rebasing: bytes[start..<end])
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
