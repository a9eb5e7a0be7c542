import Foundation
import Testing

@testable import HomeModel

@Suite struct ReportedNameTests {
    @Test(
        arguments: [
            ("Eve-Energy_51A3", "Eve Energy 51A3"), ("  Lamp  ", "Lamp"), ("Lamp (2)", "Lamp 2"), ("💡 Lamp", "Lamp"),
            ("Mike's", "Mike's"), ("'Lamp'", "Lamp"), ("Küche", "Küche"), ("A\u{0}B\u{7}C", "A B C"),
            ("café\n", "café"),
            ("A \u{301}B", "A B"), ("…Lamp…", "Lamp"), ("TRÅDFRI bulb E27 WS 806lm", "TRÅDFRI bulb E27 WS 806lm"),
            ("1\u{FE0F}\u{20E3} Lamp", "1 Lamp"), ("A'", "A"), ("A -' ", "A"),
        ]
    )
    func whatANameCannotHaveBecomesASpace(_ reported: String, _ name: String) throws {
        let repaired = try #require(NameRule.repaired(reported))
        #expect(repaired == name)
        try NameRule.check(repaired)
    }

    @Test(arguments: ["", "   ", "💡", "'’'", "\u{301}", "\u{3164}", "\0"])
    func nothingIsLeftOfATextWithoutLettersAndDigits(_ reported: String) {
        #expect(NameRule.repaired(reported) == nil)
    }

    @Test(arguments: ["a", "e\u{301}", "字", "a ", "' a", "\u{301}a", "a\u{301}\u{302}\u{303}\u{304}"])
    func aLongTextIsCutToAName(_ part: String) throws {
        let repaired = try #require(NameRule.repaired("x" + String(repeating: part, count: 100_000)))
        try NameRule.check(repaired)
        #expect(repaired.count > 10)
    }

    @Test func aLetterWithMoreMarksThanFitIsCutToo() throws {
        let repaired = try #require(NameRule.repaired("a" + String(repeating: "\u{35C}", count: 500_000)))
        try NameRule.check(repaired)
    }

    @Test func theModelAndThenAPlainWordStandInForANameThatIsNone() {
        var generator = NameGenerator(names: NameIndex())
        #expect(generator.name(reported: "💡", model: "Bulb-7") == "Bulb 7")
        #expect(generator.name(reported: "💡", model: "!!") == "Accessory")
        #expect(generator.name(reported: "", model: nil) == "Accessory 2")
    }

    @Test func takenNamesGetTheFirstFreeNumber() {
        var names = NameIndex()
        names.insert(.room(.init()), "Lamp")
        names.insert(.room(.init()), "lamp2")
        var generator = NameGenerator(names: names)
        #expect(generator.name(reported: "Lamp", model: nil) == "Lamp 3")
        #expect(generator.name(reported: "LAMP", model: nil) == "LAMP 4")
        #expect(generator.name(reported: "Lamp", model: nil) == "Lamp 5")
        #expect(generator.name(reported: "Default Room", model: nil) == "Default Room 2")
    }

    @Test func manyOfOneNameEachGetANumberOfTheirOwn() throws {
        var test = TestHome()
        for server in 1...200 { _ = try test.addLamp("Lamp", server: "\(server)") }
        #expect(test.home.accessories.map(\.name) == ["Lamp"] + (2...200).map { "Lamp \($0)" })
        for (removed, next) in [(20, "Lamp 20"), (150, "Lamp 201")] {
            let id = try #require(test.home.accessories.first { $0.name == "Lamp \(removed)" }?.id)
            try test.ask(RemoveAccessory(id))
            let lamp = try test.addLamp("Lamp", server: "after \(removed)")
            #expect(test.home.accessories[id: lamp]?.name == next)
        }
    }

    @Test func aNumberFitsIntoALongName() throws {
        let long = String(repeating: "a", count: HomeLimits.nameLength)
        var generator = NameGenerator(names: NameIndex())
        #expect(generator.name(reported: long, model: nil) == long)
        for number in 2...12 {
            let name = generator.name(reported: long, model: nil)
            try NameRule.check(name)
            #expect(name.hasSuffix(" \(number)"))
            #expect(name.count == HomeLimits.nameLength)
        }
    }
}
