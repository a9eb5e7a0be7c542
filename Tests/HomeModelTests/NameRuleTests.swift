import Foundation
import Testing

@testable import HomeModel

@Suite struct NameRuleTests {
    @Test(arguments: [
        "Kitchen", "Kids' Room", "Mike’s lamp", "3", "Room 101", "Küche", "Ku\u{308}che", "キッチン", "二〇一", "厨房",
        "Кухня", "Ґанок", "غرفة النوم", "शयनकक्ष", "บ้าน", "٣", "Æther", "Ǆ", "ß", "L'Étage", "a",
    ])
    func lettersOfAnyScriptDigitsSpacesAndApostrophesMakeAName(_ name: String) throws {
        try NameRule.check(name)
    }

    @Test(
        arguments: [
            ("Kitchen!", "U+0021"), ("A-B", "U+002D"), ("A_B", "U+005F"), ("A.B", "U+002E"), ("A\tB", "U+0009"),
            ("A\nB", "U+000A"), ("A\0B", "U+0000"), ("A\u{A0}B", "U+00A0"), ("A\u{3000}B", "U+3000"), ("A½", "U+00BD"),
            ("A²", "U+00B2"), ("“A”", "U+201C"), ("A`s", "U+0060"), ("Lamp💡", "U+1F4A1"), ("A\u{202E}B", "U+202E"),
            ("A\u{200B}B", "U+200B"), ("می\u{200C}خواهم", "U+200C"), ("A\u{FE0F}", "U+FE0F"), ("1\u{20E3}", "U+20E3"),
            ("A 1\u{301}", "U+0301"), ("\u{301}A", "U+0301"), ("A \u{301}", "U+0301"), ("\u{3164}", "U+3164"),
            ("A\u{E000}", "U+E000"), ("A\u{10FFFF}", "U+10FFFF"),
        ]
    )
    func anyOtherCharacterIsNamedInTheError(_ name: String, _ code: String) {
        let error = refusal(of: name)
        #expect(error?.code == .nameInvalidCharacter)
        #expect(error?.reason.contains(code) == true, "\(error?.reason ?? "no error")")
    }

    @Test(arguments: [" Kitchen", "'A", "’A", "   ", "'"])
    func aNameBeginsWithALetterOrDigit(_ name: String) {
        #expect(refusal(of: name)?.code == .nameInvalidStart)
    }

    @Test(arguments: ["Kitchen ", "Kids'", "Kids’", "é ", "बत्ती "])
    func aNameEndsWithALetterOrDigit(_ name: String) {
        #expect(refusal(of: name)?.code == .nameInvalidEnd)
    }

    @Test(arguments: ["e\u{301}", "बत्ती", "a\u{301}\u{302}"])
    func aNameMayEndWithTheMarksOfItsLastLetter(_ name: String) throws {
        try NameRule.check(name)
    }

    @Test func anEmptyNameIsRefused() {
        #expect(refusal(of: "")?.code == .nameEmpty)
    }

    @Test(arguments: ["a", "ж", "字", "𝒜", "e\u{301}", "ᾂ", "가"])
    func aNameHasAtMost64CharactersHoweverTheyAreComposed(_ letter: String) throws {
        for form in [letter.precomposedStringWithCanonicalMapping, letter.decomposedStringWithCanonicalMapping] {
            try NameRule.check(String(repeating: form, count: HomeLimits.nameLength))
            let error = refusal(of: String(repeating: form, count: HomeLimits.nameLength + 1))
            #expect(error?.code == .nameTooLong)
        }
    }

    @Test(arguments: ["a", "\u{301}", "a\u{301}\u{302}", " ", "\0", "💡"])
    func halfAMillionCharactersAreRefusedWithAShortReason(_ text: String) throws {
        let error = try #require(refusal(of: "a" + String(repeating: text, count: 500_000)))
        #expect(error.code == .nameTooLong)
        #expect(error.reason.utf8.count < 1_000)
    }

    @Test func oneLetterWithMoreMarksThanANameHasCharactersIsTooLong() {
        #expect(refusal(of: "a" + String(repeating: "\u{35C}", count: 64))?.code == .nameTooLong)
    }

    @Test func aReasonShowsNoCharacterThatGarblesIt() throws {
        let error = try #require(refusal(of: "A\u{202E}\u{7}B"))
        #expect(!error.reason.unicodeScalars.contains("\u{202E}"))
        #expect(!error.reason.unicodeScalars.contains("\u{7}"))
    }

    private func refusal(of name: String) -> HomeError? {
        do throws(HomeError) {
            try NameRule.check(name)
            return nil
        } catch {
            return error
        }
    }
}
