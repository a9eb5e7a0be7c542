/// An item of the Digital Media Access Protocol: a code of four characters and its content.
package struct DMAPItem: Hashable, Sendable {
    private static let headerLength = 8

    /// The code, such as `minm` for a title.
    package var code: String
    /// The content: text, a number, or further items.
    package var content: [UInt8]

    /// Creates an item.
    package init(_ code: String, _ content: [UInt8]) {
        self.code = code
        self.content = content
    }

    /// Creates an item with text.
    package init(_ code: String, _ text: String) {
        self.init(code, Array(text.utf8))
    }

    /// The unit of the lengths in a list of items.
    package enum LengthUnit: Hashable, Sendable {
        /// What the protocol says.
        case bytes
        /// What a widespread sender counts.
        case characters
    }

    /// Reads a list of items. Returns `nil` if a length exceeds the list, or a code isn't four letters or digits.
    package static func list(_ bytes: ArraySlice<UInt8>, lengthsIn unit: LengthUnit = .bytes) -> [DMAPItem]? {
        var items: [DMAPItem] = []
        var rest = bytes
        while !rest.isEmpty {
            let code = rest.prefix(4)
            guard rest.count >= headerLength, code.allSatisfy(isCodeCharacter) else { return nil }
            let length = Int(UInt32(bigEndian: rest.dropFirst(4).prefix(4)))
            rest = rest.dropFirst(headerLength)
            guard length <= rest.count, let content = prefix(of: rest, length, unit) else { return nil }
            items.append(DMAPItem(String(decoding: code, as: UTF8.self), Array(content)))
            rest = rest[content.endIndex...]
        }
        return items
    }

    /// Returns the first bytes or characters.
    private static func prefix(
        of bytes: ArraySlice<UInt8>,
        _ length: Int,
        _ unit: LengthUnit
    ) -> ArraySlice<UInt8>? {
        guard unit == .characters else { return bytes.prefix(length) }
        var end = bytes.startIndex
        for _ in 0..<length {
            guard end < bytes.endIndex else { return nil }
            end += 1
            // The further bytes of a character.
            while end < bytes.endIndex, bytes[end] & 0xC0 == 0x80 { end += 1 }
        }
        return bytes[..<end]
    }

    private static func isCodeCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }

    /// The item's bytes.
    package var bytes: [UInt8] {
        var bytes = Array(code.utf8)
        bytes.append(bigEndian: UInt32(content.count))
        return bytes + content
    }
}
