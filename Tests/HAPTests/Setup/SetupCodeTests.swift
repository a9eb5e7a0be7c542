import HAP
import Testing

@Suite struct SetupCodeTests {
    @Test(arguments: HAPVectors.all.setup_code.valid)
    func validCodesAreRead(_ text: String) throws {
        let code = try SetupCode(text)
        #expect(code.dashed == text)
        #expect(try SetupCode(number: code.number) == code)
    }

    @Test(arguments: HAPVectors.all.setup_code.forbidden)
    func forbiddenCodesAreRefused(_ text: String) {
        #expect(throws: SetupCodeError.forbidden) { try SetupCode(text) }
        #expect(throws: SetupCodeError.forbidden) { try SetupCode(text.filter { $0 != "-" }) }
    }

    // The reference implementation rejects a code without dashes, but users type it.
    @Test(arguments: HAPVectors.all.setup_code.malformed.filter { $0 != "51808582" })
    func malformedCodesAreRefused(_ text: String) {
        #expect(throws: SetupCodeError.wrongForm) { try SetupCode(text) }
    }

    @Test(arguments: [
        "518-085-82", "51-808-582", "-51808582-", "51808-582", "518--8-582", "+51-80-858", "５１８-08-582", "518-08-582 ",
        " 518-08-582", "518–08–582",
    ])
    func otherFormsAreRefused(_ text: String) {
        #expect(throws: SetupCodeError.wrongForm) { try SetupCode(text) }
    }

    @Test func aCodeMayBeTypedWithoutDashes() throws {
        #expect(try SetupCode("03145154").dashed == "031-45-154")
        #expect(try SetupCode("03145154") == SetupCode("031-45-154"))
    }

    @Test func numbersHaveEightDigits() throws {
        #expect(try SetupCode(number: 1).dashed == "000-00-001")
        #expect(try SetupCode(number: 99_999_998).dashed == "999-99-998")
        #expect(throws: SetupCodeError.wrongForm) { try SetupCode(number: 100_000_000) }
        #expect(throws: SetupCodeError.forbidden) { try SetupCode(number: 0) }
        #expect(throws: SetupCodeError.forbidden) { try SetupCode(number: 99_999_999) }
    }

    @Test func aCodeDoesNotShowItself() throws {
        let code = try SetupCode("518-08-582")
        var dumped = ""
        dump((code, [code], Optional(code)), to: &dumped)
        let payload = SetupPayload(category: 1, setupCode: code, setupID: nil)
        for text in ["\(code)", String(reflecting: code), "\([code])", "\(payload)", dumped] {
            #expect(!text.contains("518") && !text.contains("582"))
        }
        #expect(throws: SetupCodeError.self) { try SetupCode("518-08-5823") }
    }

    @Test func randomCodesAreNeverForbiddenOnes() {
        // Words for which the standard library returns 11111111 and 23456789.
        var generator = ScriptedGenerator(Self.word(for: 11_111_111), Self.word(for: 23_456_789))
        #expect(SetupCode.random(using: &generator).number == 23_456_789)
    }

    private static func word(for number: UInt64) -> [UInt8] {
        // A 32-bit word w becomes w * 10^8 / 2^32. This one is in the middle of those that become the number.
        let word = ((number * 2 + 1) << 31) / 100_000_000
        return (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) }
    }
}
