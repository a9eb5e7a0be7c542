import Foundation

/// Cuts a JSON object into its top-level members without looking inside them.
///
/// A message's envelope is read this way so that its parameters are decoded once, into their own type. The cut is by
/// brackets and strings only; whether a member is well-formed shows when it is decoded.
struct JSONMembers {
    private let bytes: Data
    private var members: [String: Range<Data.Index>] = [:]

    /// Cuts `bytes`; nil when they are not an object, or name a member twice.
    init?(_ bytes: Data) {
        self.bytes = bytes
        var scanner = Scanner(bytes)
        guard scanner.take(Character.openBrace) else { return nil }
        if scanner.take(Character.closeBrace) {
            guard scanner.isAtEnd else { return nil }
            return
        }
        repeat {
            guard let key = scanner.string(), scanner.take(Character.colon), let value = scanner.value(),
                let name = try? JSONDecoder().decode(String.self, from: bytes[key]), members[name] == nil
            else { return nil }
            members[name] = value
        } while scanner.take(Character.comma)
        guard scanner.take(Character.closeBrace), scanner.isAtEnd else { return nil }
    }

    /// The bytes of a member's value; nil when there is no such member.
    subscript(name: String) -> Data? {
        members[name].map { bytes[$0] }
    }

    private enum Character {
        static let openBrace = UInt8(ascii: "{")
        static let closeBrace = UInt8(ascii: "}")
        static let openBracket = UInt8(ascii: "[")
        static let closeBracket = UInt8(ascii: "]")
        static let quote = UInt8(ascii: "\"")
        static let backslash = UInt8(ascii: "\\")
        static let colon = UInt8(ascii: ":")
        static let comma = UInt8(ascii: ",")
        static let spaces: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]
    }

    private struct Scanner {
        let bytes: Data
        var position: Data.Index

        init(_ bytes: Data) {
            self.bytes = bytes
            position = bytes.startIndex
        }

        var isAtEnd: Bool {
            mutating get {
                skipSpaces()
                return position == bytes.endIndex
            }
        }

        mutating func skipSpaces() {
            while position < bytes.endIndex, Character.spaces.contains(bytes[position]) { position += 1 }
        }

        mutating func take(_ byte: UInt8) -> Bool {
            skipSpaces()
            guard position < bytes.endIndex, bytes[position] == byte else { return false }
            position += 1
            return true
        }

        mutating func string() -> Range<Data.Index>? {
            skipSpaces()
            let start = position
            guard take(Character.quote) else { return nil }
            while position < bytes.endIndex {
                let byte = bytes[position]
                position += byte == Character.backslash ? 2 : 1
                if byte == Character.quote { return start..<position }
            }
            return nil
        }

        mutating func value() -> Range<Data.Index>? {
            skipSpaces()
            let start = position
            var depth = 0
            while position < bytes.endIndex {
                let byte = bytes[position]
                switch byte {
                case Character.quote:
                    guard string() != nil else { return nil }
                    continue
                case Character.openBrace, Character.openBracket:
                    depth += 1
                case Character.closeBrace, Character.closeBracket:
                    if depth == 0 { return start < position ? start..<position : nil }
                    depth -= 1
                case Character.comma where depth == 0:
                    return start < position ? start..<position : nil
                default:
                    break
                }
                position += 1
            }
            return nil
        }
    }
}
