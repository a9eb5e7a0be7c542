import Foundation
import HAPCatalog
import Testing

@Suite struct CharacteristicValueTests {
    static let integerFormats: [CharacteristicFormat] = [.uint8, .uint16, .uint32, .uint64, .int]

    @Test func numbersAreEqualByWhatTheyAre() {
        #expect(CharacteristicValue.integer(21) == .double(21))
        #expect(CharacteristicValue.integer(21).hashValue == CharacteristicValue.double(21).hashValue)
        #expect(CharacteristicValue.unsigned(5) == .integer(5))
        #expect(CharacteristicValue.unsigned(5).hashValue == CharacteristicValue.integer(5).hashValue)
        #expect(CharacteristicValue.double(0) == .double(-0.0))
        #expect(CharacteristicValue.double(0).hashValue == CharacteristicValue.double(-0.0).hashValue)
        #expect(CharacteristicValue.double(21.5) != .integer(21))
        #expect(CharacteristicValue.integer(Int64.max) != .double(9_223_372_036_854_775_808))
        #expect(CharacteristicValue.unsigned(.max) != .double(18_446_744_073_709_551_616))
        #expect(CharacteristicValue.integer(1) != .bool(true))
        #expect(CharacteristicValue.string("AQ==") != .data([1]))
        #expect(CharacteristicValue.double(.nan) != .double(.nan))
    }

    @Test func anUnsignedNumberIsAnIntegerWhereItFits() {
        guard case .integer(.max) = CharacteristicValue.number(UInt64(Int64.max)) else { Issue.record(); return }
        guard case .unsigned(.max) = CharacteristicValue.number(UInt64.max) else { Issue.record(); return }
    }

    @Test func boolsAndOnesAndZeroesConvert() {
        for (value, flag) in [(CharacteristicValue.integer(0), false), (.integer(1), true), (.double(1), true)] {
            #expect(value.converted(to: .bool) == .bool(flag))
        }
        for format in Self.integerFormats {
            #expect(CharacteristicValue.bool(true).converted(to: format) == .integer(1))
            #expect(CharacteristicValue.bool(false).converted(to: format) == .integer(0))
        }
        #expect(CharacteristicValue.integer(2).converted(to: .bool) == nil)
        #expect(CharacteristicValue.integer(-1).converted(to: .bool) == nil)
        #expect(CharacteristicValue.double(0.5).converted(to: .bool) == nil)
        #expect(CharacteristicValue.bool(true).converted(to: .float) == nil)
    }

    @Test(arguments: [
        (CharacteristicFormat.uint8, Int128(0), Int128(255)), (.uint16, 0, 65_535), (.uint32, 0, 4_294_967_295),
        (.uint64, 0, 18_446_744_073_709_551_615), (.int, -2_147_483_648, 2_147_483_647),
    ])
    func anIntegerFormatTakesItsRangeAndNoMore(_ format: CharacteristicFormat, _ low: Int128, _ high: Int128) {
        for number in [low, high] {
            let value =
                number > Int128(Int64.max) ? CharacteristicValue.unsigned(UInt64(number)) : .integer(Int64(number))
            #expect(value.converted(to: format) == value)
        }
        #expect(CharacteristicValue.integer(Int64(low) - 1).converted(to: format) == nil)
        #expect(CharacteristicValue.double(Double(high) + 1).converted(to: format) == nil)
        #expect(CharacteristicValue.double(7).converted(to: format) == .integer(7))
        #expect(CharacteristicValue.double(7.5).converted(to: format) == nil)
        #expect(CharacteristicValue.double(.nan).converted(to: format) == nil)
        #expect(CharacteristicValue.double(.infinity).converted(to: format) == nil)
        #expect(CharacteristicValue.string("7").converted(to: format) == nil)
    }

    @Test func aFloatTakesFiniteExactNumbers() {
        #expect(CharacteristicValue.integer(21).converted(to: .float) == .double(21))
        #expect(CharacteristicValue.double(0.1).converted(to: .float) == .double(0.1))
        #expect(CharacteristicValue.integer(9_007_199_254_740_993).converted(to: .float) == nil)
        #expect(CharacteristicValue.unsigned(.max).converted(to: .float) == nil)
        #expect(CharacteristicValue.double(.nan).converted(to: .float) == nil)
        #expect(CharacteristicValue.double(-.infinity).converted(to: .float) == nil)
        #expect(CharacteristicValue.string("1").converted(to: .float) == nil)
    }

    @Test func textBecomesBytesOnlyWhereTheFormatIsBytes() {
        #expect(CharacteristicValue.string("AQEA").converted(to: .tlv8) == .data([1, 1, 0]))
        #expect(CharacteristicValue.string("").converted(to: .data) == .data([]))
        #expect(CharacteristicValue.string("AQEA").converted(to: .string) == .string("AQEA"))
        #expect(CharacteristicValue.string("AQE").converted(to: .tlv8) == nil)
        #expect(CharacteristicValue.data([1]).converted(to: .string) == nil)
        #expect(CharacteristicValue.integer(1).converted(to: .string) == nil)
    }

    @Test func anUnknownFormatTakesAValueAsItIs() {
        #expect(CharacteristicValue.string("x").converted(to: .other("color")) == .string("x"))
    }

    @Test(arguments: [
        CharacteristicValue.bool(true), .bool(false), .integer(0), .integer(1), .integer(.min), .integer(.max),
        .unsigned(.max), .double(0.1), .double(21), .double(-1.5e-300), .double(.greatestFiniteMagnitude),
        .string(""), .string("AQ=="), .string("1"), .string("true"), .string("é\u{0}\"\\"), .data([]),
        .data([0, 255, 1]),
    ])
    func codingKeepsTheValue(_ value: CharacteristicValue) throws {
        let encoded = try JSONEncoder().encode(["value": value])
        #expect(try JSONDecoder().decode([String: CharacteristicValue].self, from: encoded) == ["value": value])
    }

    @Test func bytesAreMarkedWhenCoded() throws {
        let encoded = try JSONEncoder().encode([CharacteristicValue.data([1])])
        #expect(String(decoding: encoded, as: UTF8.self) == #"[{"base64":"AQ=="}]"#)
        for bad in [#"[{"base64":"AQ"}]"#, #"[{"base64":1}]"#, "[{}]", "[null]", "[[1]]"] {
            #expect(throws: DecodingError.self) {
                try JSONDecoder().decode([CharacteristicValue].self, from: Data(bad.utf8))
            }
        }
    }

    @Test func metadataIsCodable() throws {
        let metadata = CharacteristicMetadata(
            format: .other("color"),
            unit: .lux,
            minValue: .double(0.1),
            maxValue: .unsigned(.max),
            validValues: [1, 2],
            validRanges: [5...9]
        )
        let encoded = try JSONEncoder().encode(metadata)
        #expect(try JSONDecoder().decode(CharacteristicMetadata.self, from: encoded) == metadata)
        let format = try JSONEncoder().encode([CharacteristicFormat.uint8, .other("x")])
        #expect(String(decoding: format, as: UTF8.self) == #"["uint8","x"]"#)
        let permissions = try JSONEncoder().encode(CharacteristicPermissions([.writeResponse, .read]))
        #expect(String(decoding: permissions, as: UTF8.self) == #"["pr","wr"]"#)
    }
}

@Suite struct CharacteristicValidationTests {
    @Test func theErrorNamesWhatIsWrong() {
        let metadata = CharacteristicMetadata(
            format: .uint8,
            minValue: .integer(10),
            maxValue: .integer(20),
            stepValue: .integer(2),
            validValues: [10, 12, 14]
        )
        let cases: [(CharacteristicValue, CharacteristicValueError)] = [
            (.string("12"), .wrongType(.string("12"), expected: .uint8)),
            (.double(12.5), .wrongType(.double(12.5), expected: .uint8)),
            (.integer(9), .belowMinimum(.integer(9), minimum: .integer(10))),
            (.integer(21), .aboveMaximum(.integer(21), maximum: .integer(20))),
            (.integer(13), .notAStep(.integer(13), step: .integer(2))),
            (.integer(16), .notAValidValue(.integer(16))),
        ]
        for (value, expected) in cases {
            #expect(throws: expected) { try metadata.validate(value) }
        }
        #expect(
            CharacteristicValueError.belowMinimum(.integer(9), minimum: .integer(10)).description
                == "9 is below the minimum 10"
        )
    }

    @Test(arguments: [
        (CharacteristicFormat.uint8, CharacteristicValue.integer(-1), CharacteristicValue.integer(256)),
        (.int, .integer(-2_147_483_649), .double(2_147_483_648)),
        (.uint64, .integer(-1), .double(0x1p64)),
    ])
    func anIntegerBeyondItsFormatIsTooLowOrTooHigh(
        _ format: CharacteristicFormat,
        _ low: CharacteristicValue,
        _ high: CharacteristicValue
    ) throws {
        let range = try #require(format.integerRange)
        let minimum = CharacteristicValue.integer(Int64(range.lowerBound))
        let maximum = CharacteristicValue.unsigned(UInt64(range.upperBound))
        let free = CharacteristicMetadata(format: format)
        #expect(throws: CharacteristicValueError.belowMinimum(low, minimum: minimum)) { try free.validate(low) }
        #expect(throws: CharacteristicValueError.aboveMaximum(high, maximum: maximum)) { try free.validate(high) }
        let bound = CharacteristicMetadata(format: format, minValue: .integer(1), maxValue: .integer(9))
        #expect(throws: CharacteristicValueError.belowMinimum(low, minimum: .integer(1))) { try bound.validate(low) }
        #expect(throws: CharacteristicValueError.aboveMaximum(high, maximum: .integer(9))) { try bound.validate(high) }
    }

    @Test func theResultHasTheFormOfTheFormat() throws {
        let brightness = CharacteristicMetadata(format: .int, minValue: .integer(0), maxValue: .integer(100))
        guard case .integer(50) = try brightness.validate(.double(50)) else { Issue.record(); return }
        guard case .double(50) = try CharacteristicMetadata(format: .float).validate(.integer(50)) else {
            Issue.record()
            return
        }
        guard case .bool(true) = try CharacteristicMetadata(format: .bool).validate(.integer(1)) else {
            Issue.record()
            return
        }
    }

    @Test func stepsCountFromTheMinimumWithATolerance() throws {
        let metadata = CharacteristicMetadata(
            format: .float,
            minValue: .integer(10),
            maxValue: .integer(38),
            stepValue: .double(0.1)
        )
        for value in [10, 21.3, 38, 10.1, 21.309, 21.291, Double(Float(22.7)), 0.1 + 0.2 + 20] {
            #expect(throws: Never.self) { try metadata.validate(.double(value)) }
        }
        #expect(throws: CharacteristicValueError.notAStep(.double(21.35), step: .double(0.1))) {
            try metadata.validate(.double(21.35))
        }
        #expect(throws: CharacteristicValueError.notAStep(.double(21.312), step: .double(0.1))) {
            try metadata.validate(.double(21.312))
        }
        #expect(throws: Never.self) { try metadata.validate(.double(21.35), checkingStep: false) }
        let odd = CharacteristicMetadata(format: .uint8, minValue: .integer(1), stepValue: .integer(2))
        #expect(throws: Never.self) { try odd.validate(.integer(3)) }
        #expect(throws: CharacteristicValueError.self) { try odd.validate(.integer(2)) }
        let light = CharacteristicMetadata(format: .float, minValue: .double(0.0001), stepValue: .double(0.0001))
        #expect(throws: Never.self) { try light.validate(.double(Double(Float(54_321.1234)))) }
    }

    @Test func wholeFloatsMayBeFurtherApartThanIntegersReach() {
        let metadata = CharacteristicMetadata(format: .float, minValue: .double(-1e38), stepValue: .integer(1))
        #expect(throws: Never.self) { try metadata.validate(.double(1e38)) }
    }

    @Test func aStepThatIsNoStepIsPassedOver() {
        for step in [CharacteristicValue.integer(0), .integer(-1), .double(.nan), .string("1")] {
            let metadata = CharacteristicMetadata(format: .int, minValue: .string("x"), stepValue: step)
            #expect(throws: Never.self) { try metadata.validate(.integer(3)) }
        }
    }

    @Test func lengthsCountBytesOfUTF8() throws {
        let name = CharacteristicMetadata(format: .string)
        #expect(throws: Never.self) { try name.validate(.string(String(repeating: "x", count: 64))) }
        #expect(throws: CharacteristicValueError.tooLong(65, maximum: 64)) {
            try name.validate(.string(String(repeating: "x", count: 65)))
        }
        #expect(throws: CharacteristicValueError.tooLong(66, maximum: 64)) {
            try name.validate(.string(String(repeating: "é", count: 33)))
        }
        let long = CharacteristicMetadata(format: .string, maxLength: 256)
        #expect(throws: Never.self) { try long.validate(.string(String(repeating: "x", count: 256))) }
        let data = CharacteristicMetadata(format: .data, maxDataLength: 2)
        #expect(throws: Never.self) { try data.validate(.data([1, 2])) }
        #expect(throws: CharacteristicValueError.tooLong(3, maximum: 2)) { try data.validate(.string("AQID")) }
        let longest = HAPLimits.defaultDataLength
        for format in [CharacteristicFormat.data, .tlv8] {
            let unbounded = CharacteristicMetadata(format: format)
            let bytes = [UInt8](repeating: 1, count: longest + 1)
            #expect(throws: Never.self) { try unbounded.validate(.data(Array(bytes.dropLast()))) }
            #expect(throws: CharacteristicValueError.tooLong(longest + 1, maximum: longest)) {
                try unbounded.validate(.data(bytes))
            }
        }
    }

    @Test func rangesAndValuesAddUp() {
        let metadata = CharacteristicMetadata(format: .uint8, validValues: [1], validRanges: [10...12, 20...20])
        for value: Int64 in [1, 10, 12, 20] { #expect(throws: Never.self) { try metadata.validate(.integer(value)) } }
        for value: Int64 in [0, 2, 9, 13, 19, 21] {
            #expect(throws: CharacteristicValueError.notAValidValue(.integer(value))) {
                try metadata.validate(.integer(value))
            }
        }
        let wide = CharacteristicMetadata(format: .uint64, validValues: [1])
        #expect(throws: CharacteristicValueError.notAValidValue(.unsigned(.max))) { try wide.validate(.unsigned(.max)) }
    }

    @Test func theLargestUnsignedNumberIsABoundLikeAnyOther() {
        let metadata = CharacteristicMetadata(format: .uint64, minValue: .unsigned(.max - 1), maxValue: .unsigned(.max))
        #expect(throws: Never.self) { try metadata.validate(.unsigned(.max)) }
        #expect(throws: CharacteristicValueError.self) { try metadata.validate(.unsigned(.max - 2)) }
    }
}

@Suite struct Base64Tests {
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ])
    func theVectorsOfRFC4648(_ text: String, _ encoded: String) {
        #expect(Base64.encode(Array(text.utf8)) == encoded)
        #expect(Base64.decode(encoded) == Array(text.utf8))
    }

    @Test func itAgreesWithFoundationOnEveryLength() {
        for count in 0..<70 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ count) }
            #expect(Base64.encode(bytes) == Data(bytes).base64EncodedString())
            #expect(Base64.decode(Data(bytes).base64EncodedString()) == bytes)
        }
    }

    @Test(arguments: [
        "Z", "Zg", "Zg=", "Zg===", "====", "=", "Z===", "Zg=a", "Zh==", "Zm9=", "Zm9v\n", "Zm 9v", "Zm-_", "Zg==Zg==",
        "Zé==",
    ])
    func whatIsNotPaddedBase64IsRefused(_ text: String) {
        #expect(Base64.decode(text) == nil)
    }
}
