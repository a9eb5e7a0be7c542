import Foundation
import Testing

@testable import HomeModel

@Suite struct FoldedNameTests {
    @Test(
        arguments: [
            ("home1", "Home 1"), ("Kids' Room", "kids’room"), ("KITCHEN", "kitchen"), ("Straße", "STRASSE"),
            ("ﬁn", "FIN"), ("Küche", "ku\u{308}CHE"), ("ΣΊΣΥΦΟΣ", "σίσυφος"), ("ŉ", "ʼn"), ("Ǆ", "ǆ"), ("Ǆ", "ǅ"),
            ("Ω", "ω"), ("\u{212B}", "å"), ("ᾳ", "ΑΙ"), ("Ґанок", "ґАНОК"), ("Ꮳ", "ꮳ"), ("Ⅷ", "ⅷ"), ("𐐀", "𐐨"),
            ("α\u{345}\u{301}", "α\u{301}ι"), ("각", "\u{1100}\u{1161}\u{11A8}"),
        ]
    )
    func caseSpacesApostrophesAndCompositionDoNotTellNamesApart(_ left: String, _ right: String) {
        #expect(FoldedName(left) == FoldedName(right))
        #expect(FoldedName(left).hashValue == FoldedName(right).hashValue)
    }

    @Test(
        arguments: [
            ("Lamp 1", "Lamp 2"), ("Kuche", "Küche"), ("ı", "i"), ("İ", "i"), ("か", "カ"), ("か", "が"), ("а", "a"),
        ]
    )
    func lettersThatAreOthersDo(_ left: String, _ right: String) {
        #expect(FoldedName(left) != FoldedName(right))
    }

    @Test func foldingIsTheSameInEveryLocale() {
        #expect(FoldedName("TITLE") == FoldedName("title"))
        #expect(FoldedName("İstanbul") == FoldedName("i\u{307}stanbul"))
    }

    /// The fixed tables match the Swift library's own, for all characters of the tables' Unicode version.
    @Test func theTablesAgreeWithTheSwiftLibrary() {
        var differences: [String] = []
        for value in UInt32(0)...0x10FFFF {
            guard let scalar = Unicode.Scalar(value), let age = scalar.properties.age,
                (age.major, age.minor) <= NameTables.unicodeVersion
            else { continue }
            let properties = scalar.properties
            let isVisible = !properties.isDefaultIgnorableCodePoint
            let expected: NameCharacter =
                switch properties.generalCategory {
                case _ where scalar == " ": .space
                case _ where scalar == "'" || scalar == "’": .apostrophe
                case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .letterNumber:
                    isVisible ? .letter : .other
                case .nonspacingMark, .spacingMark: isVisible ? .mark : .other
                case .decimalNumber: .digit
                default: .other
                }
            if NameCharacter(scalar) != expected { differences.append(String(value, radix: 16)) }
        }
        #expect(differences == [])
    }

    @Test func charactersThatAreNewerThanTheTablesAreNoLetters() {
        for value in UInt32(0)...0x10FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let age = scalar.properties.age
            guard age.map({ ($0.major, $0.minor) > NameTables.unicodeVersion }) ?? true else { continue }
            #expect(NameCharacter(scalar) == .other)
        }
    }

    @Test func upperAndLowerCaseOfAllLettersFoldAlike() {
        // Dotted and dotless i are separate letters, except that the uppercase of ı is I.
        let exceptions: Set<Unicode.Scalar> = ["\u{130}", "\u{131}"]
        var differences: [Unicode.Scalar] = []
        for value in UInt32(0)...0x10FFFF {
            guard let scalar = Unicode.Scalar(value), let age = scalar.properties.age,
                (age.major, age.minor) <= NameTables.unicodeVersion, NameCharacter(scalar) == .letter,
                !exceptions.contains(scalar)
            else { continue }
            let folded = FoldedName(String(scalar))
            // A letter can get its other case in a later version. Such a letter isn't allowed in names.
            let cases = [scalar.properties.uppercaseMapping, scalar.properties.lowercaseMapping].filter { text in
                text.unicodeScalars.allSatisfy { NameCharacter($0) != .other }
            }
            if cases.contains(where: { FoldedName($0) != folded }) { differences.append(scalar) }
        }
        #expect(differences == [])
    }

    @Test func foldingTwiceIsFoldingOnce() {
        for text in ["Straße", "İI", "ᾳ\u{345}", "ﬃ", "ŉ", "Kids’ Room"] {
            let once = FoldedName(text).text
            #expect(FoldedName(once).text == once)
        }
    }
}
