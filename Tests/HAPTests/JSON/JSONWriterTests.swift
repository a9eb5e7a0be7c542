import Foundation
import HAP
import Testing

@Suite struct JSONWriterTests {
    private func text(_ write: (inout JSONWriter) -> Void) -> String {
        var writer = JSONWriter()
        write(&writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    @Test func commasStandBetweenValuesOnly() {
        let written = text { writer in
            writer.object { writer in
                writer.member("a", 1)
                writer.key("b")
                writer.array { writer in
                    writer.write(true)
                    writer.writeNull()
                    writer.array { _ in }
                    writer.object { _ in }
                    writer.write("x")
                }
                writer.member("c", "y")
                writer.member("d", false)
            }
        }
        #expect(written == #"{"a":1,"b":[true,null,[],{},"x"],"c":"y","d":false}"#)
    }

    @Test(
        arguments: [
            (0, "0"), (-0.0, "0"), (21, "21"), (-40, "-40"), (21.5, "21.5"), (0.1, "0.1"), (100_000, "100000"),
            (Double(Float(22.7)), "22.700000762939453"), (1e16, "10000000000000000"), (.nan, "null"),
            (.infinity, "null"),
            (-.infinity, "null"), (9_007_199_254_740_992, "9007199254740992"),
        ] as [(Double, String)]
    )
    func doublesAreShortAndWholeOnesAreIntegers(_ value: Double, _ expected: String) {
        #expect(text { $0.write(value) } == expected)
    }

    @Test func doublesReadBackAsTheyWere() throws {
        var random = SplitMix64(seed: 1)
        let edges: [Double] = [
            .leastNonzeroMagnitude, .leastNormalMagnitude, .greatestFiniteMagnitude, 1e-7, 1e300, 0.0001,
        ]
        let some = (0..<2_000).map { _ in Double(bitPattern: random.next()) }.filter(\.isFinite)
        for value in edges + some {
            var writer = JSONWriter()
            writer.array { $0.write(value) }
            let read = try #require(try JSONValue(parsing: writer.bytes).array?.first)
            switch read {
            case .double(let read): #expect(read == value)
            case .integer(let read): #expect(Double(read) == value)
            default: Issue.record("\(value) became \(read)")
            }
            #expect(try JSONDecoder().decode([Double].self, from: Data(writer.bytes)) == [value])
        }
    }

    @Test func integersOfEveryWidthAreExact() {
        #expect(text { $0.write(UInt64.max) } == "18446744073709551615")
        #expect(text { $0.write(Int64.min) } == "-9223372036854775808")
        #expect(text { $0.write(UInt8(7)) } == "7")
    }

    @Test func stringsAreEscapedWhereJSONAsksForIt() throws {
        let all = String(String.UnicodeScalarView((0..<0x100).compactMap(Unicode.Scalar.init))) + "💡\u{2028}"
        var writer = JSONWriter()
        writer.array { $0.write(all) }
        #expect(try JSONValue(parsing: writer.bytes) == .array([.string(all)]))
        #expect(try JSONSerialization.jsonObject(with: Data(writer.bytes)) as? [String] == [all])
        #expect(text { $0.write("\"\\/\n\r\t\u{1}é") } == #""\"\\/\n\r\t\u0001é""#)
    }

    @Test func aTreeIsWrittenAsItWasRead() throws {
        let json = #"{"z":[1,-2,18446744073709551615,0.5,"é\\",true,false,null],"a":{"b":{}}}"#
        let value = try JSONValue(parsing: Array(json.utf8))
        #expect(text { $0.write(value) } == json)
    }
}
