internal import HAPCatalog

/// A parser for one JSON text.
struct JSONReader {
    private let bytes: [UInt8]
    private let allowsTrailingCommas: Bool
    private var index = 0
    private var depth = 0
    /// The number of values that may follow.
    private var room: Int

    init(bytes: [UInt8], allowsTrailingCommas: Bool) {
        self.bytes = bytes
        self.allowsTrailingCommas = allowsTrailingCommas
        room = JSONValue.countLimit(forTextOf: bytes.count)
    }

    mutating func parse() throws(JSONError) -> JSONValue {
        let value = try value()
        skipWhitespace()
        guard index == bytes.count else { throw error(.trailingCharacters) }
        return value
    }

    // MARK: Values

    private mutating func value() throws(JSONError) -> JSONValue {
        skipWhitespace()
        guard room > 0 else { throw error(.tooMany) }
        room -= 1
        switch try peek() {
        case UInt8(ascii: "{"): return .object(try nested { reader throws(JSONError) in try reader.object() })
        case UInt8(ascii: "["): return .array(try nested { reader throws(JSONError) in try reader.array() })
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try literal("true", .bool(true))
        case UInt8(ascii: "f"): return try literal("false", .bool(false))
        case UInt8(ascii: "n"): return try literal("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
        default: throw error(.unexpectedCharacter)
        }
    }

    private mutating func nested<Value>(
        _ read: (inout JSONReader) throws(JSONError) -> Value
    ) throws(JSONError) -> Value {
        guard depth < JSONValue.depthLimit else { throw error(.tooDeep) }
        depth += 1
        let value = try read(&self)
        depth -= 1
        return value
    }

    private mutating func object() throws(JSONError) -> JSONObject {
        var object = JSONObject()
        index += 1
        skipWhitespace()
        if try peek() == UInt8(ascii: "}") {
            index += 1
            return object
        }
        while true {
            skipWhitespace()
            let start = index
            guard try peek() == UInt8(ascii: "\"") else { throw error(.unexpectedCharacter) }
            let name = try string()
            skipWhitespace()
            guard try peek() == UInt8(ascii: ":") else { throw error(.unexpectedCharacter) }
            index += 1
            let value = try value()
            guard object.add(name, value) else { throw JSONError(reason: .duplicateName, offset: start) }
            guard try hasNextElement(until: UInt8(ascii: "}")) else { return object }
        }
    }

    private mutating func array() throws(JSONError) -> [JSONValue] {
        var elements: [JSONValue] = []
        index += 1
        skipWhitespace()
        if try peek() == UInt8(ascii: "]") {
            index += 1
            return elements
        }
        while true {
            elements.append(try value())
            guard try hasNextElement(until: UInt8(ascii: "]")) else { return elements }
        }
    }

    /// Skips a comma or the end of an array or object. Returns whether another element follows.
    private mutating func hasNextElement(until end: UInt8) throws(JSONError) -> Bool {
        skipWhitespace()
        let byte = try peek()
        guard byte == end || byte == UInt8(ascii: ",") else { throw error(.unexpectedCharacter) }
        index += 1
        guard byte != end else { return false }
        guard allowsTrailingCommas else { return true }
        skipWhitespace()
        guard try peek() == end else { return true }
        index += 1
        return false
    }

    private mutating func literal(_ keyword: StaticString, _ value: JSONValue) throws(JSONError) -> JSONValue {
        for offset in 0..<keyword.utf8CodeUnitCount {
            guard try peek() == keyword.utf8Start[offset] else { throw error(.unexpectedCharacter) }
            index += 1
        }
        return value
    }

    // MARK: Strings

    private mutating func string() throws(JSONError) -> String {
        index += 1
        let start = index
        while index < bytes.count, !Self.endsPlainText(bytes[index]) { index += 1 }
        switch try peek() {
        case UInt8(ascii: "\""):
            let string = try decoded(bytes[start..<index], offset: start)
            index += 1
            return string
        case UInt8(ascii: "\\"):
            return try escapedString(from: start)
        default:
            throw error(.controlCharacter)
        }
    }

    private static func endsPlainText(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    /// Reads the rest of a string from its first escape sequence.
    private mutating func escapedString(from start: Int) throws(JSONError) -> String {
        var unescaped = Array(bytes[start..<index])
        while true {
            let byte = try peek()
            switch byte {
            case UInt8(ascii: "\""):
                let string = try decoded(unescaped[...], offset: start)
                index += 1
                return string
            case UInt8(ascii: "\\"):
                try escape(into: &unescaped)
            case 0..<0x20:
                throw error(.controlCharacter)
            default:
                unescaped.append(byte)
                index += 1
            }
        }
    }

    private func decoded(_ utf8: ArraySlice<UInt8>, offset: Int) throws(JSONError) -> String {
        let string = String(decoding: utf8, as: UTF8.self)
        // Decoding replaces invalid UTF-8, so that the result differs. It is several times faster than validating.
        guard string.utf8.elementsEqual(utf8) else { throw JSONError(reason: .invalidUTF8, offset: offset) }
        return string
    }

    private mutating func escape(into unescaped: inout [UInt8]) throws(JSONError) {
        let start = index
        index += 1
        let byte = try peek()
        index += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): unescaped.append(byte)
        case UInt8(ascii: "b"): unescaped.append(0x08)
        case UInt8(ascii: "f"): unescaped.append(0x0C)
        case UInt8(ascii: "n"): unescaped.append(0x0A)
        case UInt8(ascii: "r"): unescaped.append(0x0D)
        case UInt8(ascii: "t"): unescaped.append(0x09)
        case UInt8(ascii: "u"):
            var code = try hexQuad()
            if 0xD800..<0xDC00 ~= code, index + 1 < bytes.count, bytes[index] == UInt8(ascii: "\\"),
                bytes[index + 1] == UInt8(ascii: "u")
            {
                index += 2
                let low = try hexQuad()
                guard 0xDC00..<0xE000 ~= low else { throw JSONError(reason: .loneSurrogate, offset: start) }
                code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
            }
            guard let scalar = Unicode.Scalar(code) else { throw JSONError(reason: .loneSurrogate, offset: start) }
            unescaped += UTF8.encode(scalar).map { Array($0) } ?? []
        default: throw JSONError(reason: .malformedEscape, offset: start)
        }
    }

    private mutating func hexQuad() throws(JSONError) -> UInt32 {
        var code: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = HexDigit.value(of: try peek()) else { throw error(.malformedEscape) }
            code = code << 4 | UInt32(digit)
            index += 1
        }
        return code
    }

    // MARK: Numbers

    private mutating func number() throws(JSONError) -> JSONValue {
        let start = index
        let isNegative = bytes[index] == UInt8(ascii: "-")
        if isNegative { index += 1 }
        let magnitude = try wholePart()
        var isWhole = true
        if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
            isWhole = false
            index += 1
            try digits()
        }
        if index < bytes.count, bytes[index] | 0x20 == UInt8(ascii: "e") {
            isWhole = false
            index += 1
            if index < bytes.count, [UInt8(ascii: "+"), UInt8(ascii: "-")].contains(bytes[index]) { index += 1 }
            try digits()
        }
        if isWhole, let magnitude {
            if !isNegative { return Int64(exactly: magnitude).map { .integer($0) } ?? .unsigned(magnitude) }
            if let value = Int64(exactly: -Int128(magnitude)) { return .integer(value) }
        }
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        guard let value = Double(text), value.isFinite else {
            throw JSONError(reason: .numberOutOfRange, offset: start)
        }
        return .double(value)
    }

    /// Reads the digits before a fraction. Returns `nil` if the number overflows.
    private mutating func wholePart() throws(JSONError) -> UInt64? {
        let start = index
        var magnitude: UInt64? = 0
        while index < bytes.count, ASCII.isDigit(bytes[index]) {
            let digit = UInt64(bytes[index] - UInt8(ascii: "0"))
            let product = magnitude?.multipliedReportingOverflow(by: 10)
            let sum = product?.partialValue.addingReportingOverflow(digit)
            magnitude = product?.overflow ?? true || sum?.overflow ?? true ? nil : sum?.partialValue
            index += 1
        }
        guard index > start else { throw error(.malformedNumber) }
        guard index == start + 1 || bytes[start] != UInt8(ascii: "0") else {
            throw JSONError(reason: .malformedNumber, offset: start)
        }
        return magnitude
    }

    private mutating func digits() throws(JSONError) {
        let start = index
        while index < bytes.count, ASCII.isDigit(bytes[index]) { index += 1 }
        guard index > start else { throw error(.malformedNumber) }
    }

    // MARK: Bytes

    private func peek() throws(JSONError) -> UInt8 {
        guard index < bytes.count else { throw error(.unexpectedEnd) }
        return bytes[index]
    }

    private mutating func skipWhitespace() {
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): index += 1
            default: return
            }
        }
    }

    private func error(_ reason: JSONError.Reason) -> JSONError {
        JSONError(reason: reason, offset: index)
    }
}
