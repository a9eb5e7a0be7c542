/// Finds where in a JSON text a value stands. The text was parsed before, so that it is known to be well formed.
struct FilePosition {
    private let bytes: [UInt8]
    private var index = 0

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The line of a value, counted from 1; for a member that of its name. Where a value is missing, that of the value
    /// that should have it.
    static func line(of path: FilePath, in bytes: [UInt8]) -> Int {
        var position = FilePosition(bytes)
        position.skipSpace()
        for step in path.steps where !position.descend(step) { break }
        return line(at: position.index, in: bytes)
    }

    /// The line of a byte, counted from 1.
    static func line(at offset: Int, in bytes: [UInt8]) -> Int {
        1 + bytes.prefix(offset).count { $0 == UInt8(ascii: "\n") }
    }
}

extension FilePosition {
    /// Goes from the start of a value to that of a member's name or of an element; stays and returns `false` if there
    /// is none.
    private mutating func descend(_ step: FilePath.Step) -> Bool {
        let start = index
        // A step down from a member begins at its name.
        if peek == UInt8(ascii: "\""), skipToMemberValue() == false {
            index = start
            return false
        }
        let isObject = peek == UInt8(ascii: "{")
        guard isObject || peek == UInt8(ascii: "[") else { return stay(start) }
        index += 1
        var element = 0
        while true {
            skipSpace()
            guard let byte = peek, byte != UInt8(ascii: "}"), byte != UInt8(ascii: "]") else { return stay(start) }
            let candidate = index
            switch step {
            case .member(let name) where isObject:
                if takeString() == name { return stay(candidate, true) }
            case .element(element) where !isObject:
                return true
            default:
                break
            }
            index = candidate
            if isObject, !skipToMemberValue() { return stay(start) }
            skipValue()
            skipSpace()
            if peek == UInt8(ascii: ",") { index += 1 }
            element += 1
        }
    }

    private mutating func stay(_ place: Int, _ result: Bool = false) -> Bool {
        index = place
        return result
    }

    /// Goes from a member's name to its value; `false` if this is a string that is no name.
    private mutating func skipToMemberValue() -> Bool {
        _ = takeString()
        skipSpace()
        guard peek == UInt8(ascii: ":") else { return false }
        index += 1
        skipSpace()
        return true
    }

    private mutating func skipValue() {
        switch peek {
        case UInt8(ascii: "\""):
            _ = takeString()
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            var depth = 0
            repeat {
                switch peek {
                case UInt8(ascii: "\""):
                    _ = takeString()
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

    /// Passes over a string and gives what stands between its quotes, escapes as they are written.
    private mutating func takeString() -> String {
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
