import Foundation
import HAP
import Testing

@Suite struct JSONReaderTests {
    @Test(arguments: [
        ("0", JSONValue.integer(0)), ("-0", .integer(0)), ("1", .integer(1)), ("-1", .integer(-1)),
        ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
        ("9223372036854775808", .unsigned(9_223_372_036_854_775_808)), ("18446744073709551615", .unsigned(.max)),
        ("18446744073709551616", .double(18_446_744_073_709_551_616)),
        ("-9223372036854775809", .double(-9_223_372_036_854_775_808)),
        ("1.0", .double(1)), ("1e2", .double(100)), ("1E+2", .double(100)), ("0.1e-1", .double(0.01)),
        ("1e-400", .double(0)), ("1.7976931348623157e308", .double(.greatestFiniteMagnitude)),
        ("0.1", .double(0.1)), ("22.700000762939453", .double(Double(Float(22.7)))),
    ])
    func numbersAreKeptExactly(_ text: String, _ value: JSONValue) throws {
        #expect(try JSONValue(parsing: Array(text.utf8)) == value)
        #expect(try JSONValue(parsing: Array(" [\(text)]\n".utf8)) == .array([value]))
    }

    @Test(arguments: [
        (#""""#, ""), (#""a""#, "a"), (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{c}\n\r\t"), (#""\u0041\u00e9""#, "Aé"),
        (#""\uD83D\uDCA1""#, "💡"), (#""💡é""#, "💡é"), (#""\u0000""#, "\u{0}"), (#""\uFFFF""#, "\u{FFFF}"),
        ("\"\u{7F}\"", "\u{7F}"), (#""aéb\nc""#, "aéb\nc"),
    ])
    func stringsAreUnescaped(_ text: String, _ value: String) throws {
        #expect(try JSONValue(parsing: Array(text.utf8)) == .string(value))
    }

    @Test func aTreeKeepsItsOrder() throws {
        let value = try JSONValue(parsing: Array(#" { "b" : [ true , false , null , { } , [ ] ] , "a" : "x" } "#.utf8))
        let object = try #require(value.object)
        #expect(object.map(\.name) == ["b", "a"])
        #expect(object["b"]?.array == [.bool(true), .bool(false), .null, .object(JSONObject()), .array([])])
        #expect(object["a"]?.string == "x")
        #expect(object["c"] == nil)
    }

    @Test(arguments: [
        ("", JSONError.Reason.unexpectedEnd), (" ", .unexpectedEnd), ("[", .unexpectedEnd), ("[1", .unexpectedEnd),
        ("[1,", .unexpectedEnd), ("{", .unexpectedEnd), (#"{"a""#, .unexpectedEnd), (#"{"a":"#, .unexpectedEnd),
        (#"{"a":1"#, .unexpectedEnd), (#"{"a":1,"#, .unexpectedEnd), (#"""#, .unexpectedEnd), (#""\"#, .unexpectedEnd),
        (#""\u00"#, .unexpectedEnd), ("tru", .unexpectedEnd), ("nul", .unexpectedEnd),
        ("]", .unexpectedCharacter), ("}", .unexpectedCharacter), (",", .unexpectedCharacter),
        ("[,]", .unexpectedCharacter),
        ("[1,]", .unexpectedCharacter), ("[1 2]", .unexpectedCharacter), (#"{"a":1,}"#, .unexpectedCharacter),
        (#"{a:1}"#, .unexpectedCharacter), (#"{"a" 1}"#, .unexpectedCharacter), (#"{1:1}"#, .unexpectedCharacter),
        ("'a'", .unexpectedCharacter), ("True", .unexpectedCharacter), ("nuLl", .unexpectedCharacter),
        ("NaN", .unexpectedCharacter), ("nan", .unexpectedCharacter), ("Infinity", .unexpectedCharacter),
        ("+1", .unexpectedCharacter), (".5", .unexpectedCharacter), ("/**/1", .unexpectedCharacter),
        ("\u{FEFF}1", .unexpectedCharacter), ("\u{A0}1", .unexpectedCharacter), ("\u{B}1", .unexpectedCharacter),
        ("1 2", .trailingCharacters), ("{}}", .trailingCharacters), ("[]x", .trailingCharacters),
        ("1\u{0}", .trailingCharacters),
        ("0x10", .trailingCharacters), ("truee", .trailingCharacters), ("1.5.2", .trailingCharacters),
        ("01", .malformedNumber), ("-01", .malformedNumber), ("00", .malformedNumber), ("-", .malformedNumber),
        ("1.", .malformedNumber), ("1.e1", .malformedNumber), ("1e", .malformedNumber), ("1e+", .malformedNumber),
        ("-Infinity", .malformedNumber), ("-a", .malformedNumber),
        ("1e400", .numberOutOfRange), ("-1e400", .numberOutOfRange), ("1e99999999999999999999", .numberOutOfRange),
        ("\"\n\"", .controlCharacter), ("\"a\u{1F}\"", .controlCharacter), ("\"\\n\t\"", .controlCharacter),
        (#""\x""#, .malformedEscape), (#""\u12G4""#, .malformedEscape), (#""\U0041""#, .malformedEscape),
        (#""\uD800""#, .loneSurrogate), (#""\uDC00""#, .loneSurrogate), (#""\uD800\uD800""#, .loneSurrogate),
        (#""\uD800x""#, .loneSurrogate), (#""\uD800\n""#, .loneSurrogate), (#""\uDCA1\uD83D""#, .loneSurrogate),
        (#"{"a":1,"a":1}"#, .duplicateName), (#"{"a":1,"\u0061":2}"#, .duplicateName),
    ])
    func whatIsNoJSONIsRefused(_ text: String, _ reason: JSONError.Reason) {
        let error = #expect(throws: JSONError.self) { try JSONValue(parsing: Array(text.utf8)) }
        #expect(error?.reason == reason)
        #expect(error.map { (0...text.utf8.count).contains($0.offset) } == true)
    }

    @Test(
        arguments: [
            [0x22, 0xFF, 0x22], [0x22, 0xC3, 0x22], [0x22, 0xC0, 0xAF, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22],
            [0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], [0x22, 0x5C, 0x6E, 0xFF, 0x22], [0x22, 0x80, 0x22],
        ] as [[UInt8]]
    )
    func bytesThatAreNoUTF8AreRefused(_ bytes: [UInt8]) {
        #expect(throws: JSONError(reason: .invalidUTF8, offset: 1)) { try JSONValue(parsing: bytes) }
    }

    @Test func oneTrailingCommaIsPassedOverWhereThatIsAskedFor() throws {
        let text = Array(#"{"a":[1,{"b":2 , } , ],}"#.utf8)
        #expect(throws: JSONError.self) { try JSONValue(parsing: text) }
        let value = try JSONValue(parsing: text, allowingTrailingCommas: true)
        #expect(value.object?["a"]?.array?.count == 2)
        for bad in ["[,]", "{,}", "[1,,]", "[1,", "1,", "[1],"] {
            #expect(throws: JSONError.self) { try JSONValue(parsing: Array(bad.utf8), allowingTrailingCommas: true) }
        }
    }

    @Test func theErrorSaysWhere() {
        #expect(throws: JSONError(reason: .unexpectedCharacter, offset: 5)) {
            try JSONValue(parsing: Array("[1, 2x]".utf8))
        }
        #expect(JSONError(reason: .tooDeep, offset: 3).description == "invalid JSON: nested too deeply at byte 3")
    }

    @Test func nestingEndsAtItsLimit() {
        for (open, close) in [("[", "]"), (#"{"a":"#, "}")] {
            let deepest = String(repeating: open, count: 32) + "1" + String(repeating: close, count: 32)
            #expect(throws: Never.self) { try JSONValue(parsing: Array(deepest.utf8)) }
            let deeper = open + deepest + close
            #expect(throws: JSONError.self) { try JSONValue(parsing: Array(deeper.utf8)) }
            let bomb = String(repeating: open, count: 100_000)
            let error = #expect(throws: JSONError.self) { try JSONValue(parsing: Array(bomb.utf8)) }
            #expect(error?.reason == .tooDeep)
        }
    }

    /// Returns an array of the given number of zeros, padded with spaces to a length in bytes.
    private static func zeros(_ count: Int, length: Int) -> [UInt8] {
        let text = "[" + Array(repeating: "0", count: count).joined(separator: ",") + "]"
        return Array(text.utf8) + [UInt8](repeating: 0x20, count: length - text.utf8.count)
    }

    @Test(arguments: [20_000, 100_000])
    func valuesAreCountedAgainstTheLengthOfTheText(length: Int) throws {
        let limit = JSONValue.countLimit(forTextOf: length)
        #expect(limit == 4_096 + length / 4)
        // The array is a value too.
        #expect(try JSONValue(parsing: Self.zeros(limit - 1, length: length)).array?.count == limit - 1)
        let error = #expect(throws: JSONError.self) { try JSONValue(parsing: Self.zeros(limit, length: length)) }
        #expect(error?.reason == .tooMany)
    }

    @Test func theTreeOfTheLongestBodyTakesLittleMoreThanTheBody() {
        let length = HTTPLimits.response.bodyLength
        let size = JSONValue.countLimit(forTextOf: length) * MemoryLayout<JSONObject.Member>.stride
        #expect(JSONValue.countLimit(forTextOf: length) == 1_000_000)
        #expect(size <= 3 * length)
    }

    @Test func anObjectMayHaveManyMembersAndNoneTwice() throws {
        for count in [15, 16, 17, 18, 5_000] {
            let members = (0..<count).map { #""k\#($0)":\#($0)"# }
            let object = try #require(try JSONValue(parsing: Array("{\(members.joined(separator: ","))}".utf8)).object)
            #expect(object.count == count)
            #expect(object["k0"]?.integer == 0)
            #expect(object["k\(count - 1)"]?.integer == Int64(count - 1))
            #expect(object["k\(count)"] == nil)
            for repeated in [0, count - 1] {
                let text = "{\(members.joined(separator: ",")),\"k\(repeated)\":1}"
                let error = #expect(throws: JSONError.self) { try JSONValue(parsing: Array(text.utf8)) }
                #expect(error?.reason == .duplicateName)
            }
        }
    }

    /// For any input, the reader returns a value or an error, and Foundation's reader accepts what ours accepts.
    @Test func changedTextsNeverTrapAndWhatIsTakenIsJSON() {
        var random = SplitMix64(seed: 7)
        let text =
            #"{"accessories":[{"aid":1,"v":[-1.5e3,"\u00e9\uD83D\uDCA1",true,null],"iid":18446744073709551615}]}"#
        let alphabet = Array(#"{}[]:,"\u019.eE+-tfn "#.utf8) + [0, 0x1F, 0x80, 0xC3, 0xFF]
        for _ in 0..<4_000 {
            var bytes = Array(text.utf8)
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let index = Int.random(in: bytes.indices, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[index] = alphabet.randomElement(using: &random) ?? 0
                case 1: bytes.insert(alphabet.randomElement(using: &random) ?? 0, at: index)
                default: bytes.remove(at: index)
                }
            }
            guard (try? JSONValue(parsing: bytes)) != nil else { continue }
            #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(bytes)) }
        }
    }
}
