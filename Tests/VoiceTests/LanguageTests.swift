import Testing

@testable import Voice

@Suite struct LanguageTests {
    /// Meanings that every language needs words for.
    static let essential: [Meaning] = [
        .act(.set), .act(.on), .act(.off), .act(.open), .act(.close), .act(.lock), .act(.unlock), .act(.up),
        .act(.down),
        .act(.brighten), .act(.dim), .act(.warm), .act(.cool), .act(.run), .act(.tell), .state(.on), .state(.off),
        .state(.open), .state(.close), .state(.lock), .state(.unlock), .state(.occupied), .quality(.dark),
        .quality(.bright), .quality(.warm), .quality(.cold), .aspect(.brightness), .aspect(.color),
        .aspect(.colorTemperature), .aspect(.temperature), .aspect(.speed), .aspect(.position), .aspect(.humidity),
        .category(.light), .category(.switch), .category(.outlet), .category(.fan), .category(.lock), .category(.door),
        .category(.garageDoor), .category(.curtain), .category(.blind), .category(.window), .category(.thermostat),
        .category(.valve), .category(.motionSensor), .place(.here), .place(.home), .quantifier(.all), .quantifier(.any),
        .question(.which), .question(.howMany), .question(.yesNo), .question(.mark), .level(.max), .level(.min),
        .level(.half), .unit(.percent), .unit(.degree), .unit(.kelvin), .unit(.second), .unit(.minute), .unit(.hour),
        .number(0), .number(1), .number(5), .link(.and), .link(.except), .link(.to), .link(.by), .link(.at),
        .link(.after), .link(.not), .link(.if), .link(.too), .link(.more), .link(.less), .link(.bit), .link(.lot),
        .white(.warm), .white(.cool), .white(.daylight), .white(.candle), .clock(.oclock), .clock(.noon),
        .clock(.midnight), .filler,
    ]

    @Test(arguments: Language.codes)
    func aLanguageHasWordsForWhatEveryLanguageNeeds(code: String) throws {
        let language = try #require(Language.named(code))
        let missing = Self.essential.filter { !language.meanings.contains($0) }
        #expect(missing.isEmpty)
        let colors = ["red", "orange", "yellow", "green", "blue", "purple", "pink", "white", "turquoise", "violet"]
        for color in colors {
            let meaning = try #require(Meaning(id: "color.\(color)"))
            #expect(language.meanings.contains(meaning), "no word for \(color)")
        }
    }

    @Test(arguments: Language.codes)
    func aLanguageHasAllTextsOfAnswersInAllForms(code: String) throws {
        let language = try #require(Language.named(code))
        let counted: Set<AnswerText> = [.devices, .askMany, .ran]
        for key in AnswerText.allCases {
            let text = try #require(language.texts[key.rawValue], "\(key.rawValue)")
            let forms = text.split(separator: "|").count
            let isCounted = counted.contains(key) || (key.rawValue.hasPrefix("is.") && key != .value)
            #expect(forms == (isCounted ? language.plural.forms : 1), "\(key.rawValue)")
        }
        for pattern in SentencePattern.allCases {
            let text = try #require(language.texts[pattern.rawValue], "\(pattern.rawValue)")
            let field = pattern.subject == .room ? "{room}" : "{name}"
            #expect(text.contains(field) == (pattern.subject != .home), "\(pattern.rawValue)")
            #expect(text.contains("{number}") == (pattern.numbers != nil), "\(pattern.rawValue)")
        }
        let known = AnswerText.allCases.map(\.rawValue) + SentencePattern.allCases.map(\.rawValue)
        #expect(Set(language.texts.keys) == Set(known))
    }

    /// The tables are read by a quicker way than sentences; both have to split text into the same words.
    @Test(arguments: [
        "de l'éclairage", "um 7:30 uhr", "auf -5 grad", "20.5 %", "Straße-Ecke", "ёлка Ёлка", "エアコン を つける", "ﾗﾝﾌﾟを",
        "廚房gx53燈", "vingt-cinq", "a", "", "  ", "ÉTEINS", "二十 5",
    ])
    func aTablesPhraseIsSplitAsASentenceIs(text: String) {
        var tokenizer = Tokenizer()
        tokenizer.variants = ["燈": ["灯"], "廚": ["厨", "厨"]]
        var (reader, trie) = (PhraseReader(tokenizer: tokenizer), Trie<Int>())
        let bytes = Array("\(text) \(text)".utf8)
        bytes.withUnsafeBufferPointer { bytes in
            for _ in 0..<2 {
                let numbers = reader.numbers(of: bytes, in: &trie)
                #expect(reader.words(numbers) == tokenizer.tokens("\(text) \(text)").map(\.text))
            }
        }
    }

    @Test(arguments: Language.codes)
    func aSentenceFindsTheTablesPhrases(code: String) throws {
        let language = try #require(Language.named(code))
        let table = try #require(LanguageTables.all[code]).description
        let lines = table.split(separator: "\n").filter { $0.prefix { $0 != "\t" }.contains(".") && $0.first != "=" }
        for line in lines {
            let list = line.drop { $0 != "\t" }.dropFirst()
            guard let phrase = list.split(separator: "|").last, !line.hasPrefix("room"), !line.hasPrefix("zone"),
                !line.hasPrefix("told")
            else { continue }
            let words = language.tokenizer.tokens(String(phrase.drop { "^<>*".contains($0) })).map(\.text)
            #expect(!language.phrases.values(at: words).isEmpty, "\(line.prefix(20)): \(phrase)")
        }
    }

    @Test func aLanguageIsFoundByItsCodeWithARegion() {
        #expect(Language.named("de-AT")?.code == "de")
        #expect(Language.named("en_US")?.code == "en")
        #expect(Language.named("tlh") == nil)
        #expect(Language.named("") == nil)
    }

    @Test(arguments: [
        ("20.5", 20.5), ("20,5", 20.5), ("-5", -5), ("twenty five", 25), ("one hundred", 100),
        ("twenty point five", 20.5),
        ("ninety nine", 99), ("two hundred and one", 200),
    ])
    func numbersAreReadInFiguresAndWords(text: String, value: Double) throws {
        let language = try #require(Language.named("en"))
        let home = SpokenHome(name: "Home", rooms: [], services: [])
        let names = HomeNames(home, language: language)
        let reading = try #require(
            Lattice(language.tokenizer.tokens(text), language: language, names: names).readings().first
        )
        let parser = ClauseParser(language: language, now: nil)
        #expect(parser.number(reading.items.map(\.meaning), at: 0)?.0 == value)
    }
}
