/// A finder for the position of a value in a JSON text. The text must be valid JSON.
struct FilePosition {
    private let bytes: [UInt8]
    private var index = 0

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Returns the line of a value, or of the member's name, starting from 1. If the value is missing, returns the line
    /// of the value that should contain it.
    static func line(of path: FilePath, in bytes: [UInt8]) -> Int {
        var position = FilePosition(bytes)
        position.skipSpace()
        for step in path.steps where !position.descend(step) { break }
        return line(at: position.index, in: bytes)
    }

    /// Returns the line of a byte, starting from 1.
    static func line(at offset: Int, in bytes: [UInt8]) -> Int {
        1 + bytes.prefix(offset).count { $0 == UInt8(ascii: "\n") }
    }
}

extension FilePosition {
    /// Moves from the start of a value to a member's name or an element. If there is none, doesn't move and returns
    /// `false`.
    private mutating func descend(_ step: FilePath.Step) -> Bool {
        let start = index
        // After a member, the position is at its name.
        if peek == UInt8(ascii: "\""), skipToMemberValue() == false {
            index = start
            return false
        }
        let isObject = peek == UInt8(ascii: "{")
        guard isObject || peek == UInt8(ascii: "[") else { return move(to: start) }
        index += 1
        var element = 0
        while true {
            skipSpace()
            guard let byte = peek, byte != UInt8(ascii: "}"), byte != UInt8(ascii: "]") else { return move(to: start) }
            let candidate = index
            switch step {
            case .member(let name) where isObject:
                if readString() == name { return move(to: candidate, true) }
            case .element(element) where !isObject:
                return true
            default:
                break
            }
            index = candidate
            if isObject, !skipToMemberValue() { return move(to: start) }
            skipValue()
            skipSpace()
            if peek == UInt8(ascii: ",") { index += 1 }
            element += 1
        }
    }

    private mutating func move(to position: Int, _ result: Bool = false) -> Bool {
        index = position
        return result
    }

    /// Moves from a member's name to its value. Returns `false` if the string isn't a name.
    private mutating func skipToMemberValue() -> Bool {
        _ = readString()
        skipSpace()
        guard peek == UInt8(ascii: ":") else { return false }
        index += 1
        skipSpace()
        return true
    }

    private mutating func skipValue() {
        switch peek {
        case UInt8(ascii: "\""):
            _ = readString()
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            var depth = 0
            repeat {
                switch peek {
                case UInt8(ascii: "\""):
                    _ = readString()
                    continue
                case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
                case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
                default: break
                }
                index += 1
            } while depth > 0 && index < bytes.count
        default:
            while let byte = peek, !Self.ends.contains(byte) { index += 1 }
        }
    }

    /// The characters that end a number or a literal.
    private static let ends = Set(",]} \t\r\n".utf8)
    private static let space = Set(" \t\r\n".utf8)

    /// Skips a string and returns its content, with escape sequences unchanged.
    private mutating func readString() -> String {
        index += 1
        let start = index
        while let byte = peek, byte != UInt8(ascii: "\"") {
            index += byte == UInt8(ascii: "\\") ? 2 : 1
        }
        defer { index += 1 }
        return String(decoding: bytes[start..<min(index, bytes.count)], as: UTF8.self)
    }

    private mutating func skipSpace() {
        while let byte = peek, Self.space.contains(byte) { index += 1 }
    }

    private var peek: UInt8? { index < bytes.count ? bytes[index] : nil }
}
