import Synchronization

/// A language's vocabulary, read from its table at first use.
package final class Language: Sendable {
    /// A meaning of a phrase.
    struct Sense: Hashable, Sendable {
        var meaning: Meaning
        /// What the phrase means besides: "läuft" asks whether something is on.
        var also: Meaning?
        /// What choosing it costs beyond the phrase itself: less usual meanings cost more.
        var cost: Float
        /// Where the phrase has the meaning.
        var position: Position

        enum Position: Hashable, Sendable { case anywhere, start, later }

        var meanings: [Meaning] { also.map { [meaning, $0] } ?? [meaning] }

        var isCategory: Bool { if case .category = meaning { true } else { false } }
    }

    package let code: String
    let tokenizer: Tokenizer
    let phrases: Trie<Sense>
    /// Endings that inflection adds, the longest first.
    let endings: [Ending]
    /// Endings that a name gets in a form that is as good as the name itself, the longest first.
    let nameForms: [Ending]
    /// Letters that join the parts of a compound; nil if the language has no compounds.
    let links: [String]?
    /// Whether a statement about a state ("the lamp is on") is a question.
    let statementsAsk: Bool
    /// Whether small words follow what they belong to.
    let hasPostpositions: Bool
    /// Whether a state beside something to do says which services are meant: "开着的灯".
    let statesSelect: Bool
    /// Whether "higher" with an amount and no word for "to" is a change by that amount.
    let amountsChange: Bool
    /// Whether places in a row are a list: "客厅卧室的灯".
    let listsPlaces: Bool
    /// Whether a time without "am" or "pm" may mean either.
    let hasTwelveHourClock: Bool
    /// The phrases of each class of places, such as "room.kitchen".
    let placePhrases: [String: [[String]]]
    /// Names that places of a class have, and that no sentence says alone: a zone called "二" is "二楼".
    let placeNames: [String: [[String]]]
    /// Words for certain services of a category, such as "spotlight": names that have the word come first.
    let kindWords: Set<String>
    /// The words of at least five letters by their first letter, for words with a spelling mistake.
    private let longWords: [Unicode.Scalar: [[Unicode.Scalar]]]
    /// The meanings that some phrase has.
    let meanings: Set<Meaning>
    /// The words with which a sentence tells what was done.
    let told: ToldWords
    /// The texts of answers, by the raw values of ``AnswerText``.
    let texts: [String: String]
    /// The words for the numbers from 0 to 100.
    let numberWords: [Int: String]
    /// The words of the first phrase that means the home.
    let homeWords: [String]
    /// How the texts' forms depend on counts.
    let plural: PluralRule
    /// The character between a number and its fraction.
    let decimalPoint: Character
    /// What separates sentences.
    let sentenceSpace: String
    /// Whether spaces separate the words.
    var hasSpaces: Bool { !sentenceSpace.isEmpty }

    // A class, because every home that is listened to in the language shares the one vocabulary.
    init(code: String, table: StaticString) {
        self.code = code
        var tokenizer = Tokenizer()
        let bytes = UnsafeBufferPointer(start: table.utf8Start, count: table.utf8CodeUnitCount)
        var phrases = Trie<Sense>()
        phrases.reserve(bytes.count { $0 == PhraseReader.separator })
        var reader: PhraseReader?
        var endings: [Ending] = []
        var nameForms: [Ending] = []
        var links: [String]?
        var flags: Set<Substring> = []
        var placePhrases: [String: [[String]]] = [:]
        var placeNames: [String: [[String]]] = [:]
        var texts: [String: String] = [:]
        var numberWords: [Int: String] = [:]
        var homeWords: [String] = []
        var plural = PluralRule.one
        var decimalPoint: Character = "."
        var meanings: Set<Meaning> = []
        var kindWords: Set<String> = []
        var told = ToldWords()
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            guard let tab = line.firstIndex(of: UInt8(ascii: "\t")) else { continue }
            let key = String(decoding: line[..<tab], as: UTF8.self)
            let list = UnsafeBufferPointer(rebasing: line[(tab + 1)...])
            var value: Substring { Substring(decoding: list, as: UTF8.self) }
            switch key {
            case "!variants":
                for pair in value.split(separator: " ") {
                    let scalars = pair.unicodeScalars
                    guard let from = scalars.first else { continue }
                    tokenizer.variants[from] = Array(scalars.dropFirst(2))
                }
            case "!endings": endings = Ending.list(value)
            case "!forms": nameForms = Ending.list(value)
            case "!links": links = value.split(separator: " ").map(String.init)
            case "!plural": plural = PluralRule(rawValue: String(value)) ?? .one
            case "!decimal": decimalPoint = value.first ?? "."
            case "!flags": flags = Set(value.split(separator: " "))
            case _ where key.first == "=": texts[String(key.dropFirst())] = String(value)
            case _ where key.hasPrefix("told."):
                if let kind = ToldWords.Kind(rawValue: String(key.dropFirst(5))) { told.add(kind, value, tokenizer) }
            default:
                let parts = key.split(separator: "+", maxSplits: 1)
                guard let meaning = parts.first.flatMap({ Meaning(id: String($0)) }) else { continue }
                let also = parts.count > 1 ? Meaning(id: String(parts[1])) : nil
                meanings.insert(meaning)
                // The settings, which say how to read phrases, come first.
                var current = reader ?? PhraseReader(tokenizer: tokenizer)
                reader = nil
                current.read(list) { reader, phrase in
                    let numbers = reader.numbers(of: phrase.text, in: &phrases)
                    if case .number(let number) = meaning, let whole = Int(exactly: number), 0...100 ~= whole {
                        numberWords[whole] = numberWords[whole] ?? String(decoding: phrase.text, as: UTF8.self)
                    } else if meaning == .place(.home), homeWords.isEmpty {
                        homeWords = reader.words(numbers)
                    }
                    if meaning == .multiplier(100), numberWords[100] == nil {
                        numberWords[100] = String(decoding: phrase.text, as: UTF8.self)
                    }
                    if phrase.isKind { kindWords.formUnion(reader.words(numbers)) }
                    if case .placeClass(let name) = meaning {
                        if phrase.rank > 0 {
                            placeNames[name, default: []].append(reader.words(numbers))
                            return
                        }
                        placePhrases[name, default: []].append(reader.words(numbers))
                    }
                    let cost = Float(phrase.rank) * 0.3
                    phrases.insert(
                        Sense(meaning: meaning, also: also, cost: cost, position: phrase.position),
                        at: numbers
                    )
                }
                reader = current
            }
        }
        // "Twenty five": most languages put the tens before the rest.
        for number in 21..<100 where numberWords[number] == nil {
            guard let tens = numberWords[number / 10 * 10], let rest = numberWords[number % 10] else { continue }
            numberWords[number] = "\(tens) \(rest)"
        }
        var longWords: [Unicode.Scalar: [[Unicode.Scalar]]] = [:]
        for word in phrases.allWords {
            guard word.utf8.count > 4 else { continue }
            let scalars = Array(word.unicodeScalars)
            if scalars.count > 4 { longWords[scalars[0], default: []].append(scalars) }
        }
        self.told = told
        self.tokenizer = tokenizer
        self.phrases = phrases
        self.endings = endings
        self.nameForms = nameForms
        self.links = links
        self.statementsAsk = flags.contains("statements-ask")
        self.hasPostpositions = flags.contains("postpositions")
        statesSelect = flags.contains("states-select")
        amountsChange = flags.contains("amounts-change")
        listsPlaces = flags.contains("places-list")
        self.hasTwelveHourClock = flags.contains("twelve-hour-clock")
        self.placePhrases = placePhrases
        self.placeNames = placeNames
        self.kindWords = kindWords
        self.longWords = longWords
        self.texts = texts
        self.numberWords = numberWords
        self.homeWords = homeWords
        self.plural = plural
        self.decimalPoint = decimalPoint
        // Languages without spaces between words have none between sentences.
        sentenceSpace = flags.contains("no-spaces") ? "" : " "
        self.meanings = meanings
    }

    private static let known = Mutex<[String: Language]>([:])

    /// The languages' codes.
    package static var codes: [String] { LanguageTables.all.keys.sorted() }

    /// A language by its code, such as "de", "de-AT" or "zh-Hant-TW"; nil if there is none.
    package static func named(_ code: String) -> Language? {
        guard let code = tableCode(code) else { return nil }
        return known.withLock { known in
            if let language = known[code] { return language }
            guard let table = LanguageTables.all[code] else { return nil }
            let language = Language(code: code, table: table)
            known[code] = language
            return language
        }
    }

    private static func tableCode(_ code: String) -> String? {
        let parts = code.split { $0 == "-" || $0 == "_" }.map { $0.lowercased() }
        guard let first = parts.first else { return nil }
        if first == "zh", parts.contains(where: ["hant", "tw", "hk", "mo"].contains), LanguageTables.all["zh-TW"] != nil
        {
            return "zh-TW"
        }
        return LanguageTables.all[first] == nil ? nil : first
    }

    /// A word without the ending that inflection gave it.
    func stem(_ word: String) -> String {
        guard !endings.isEmpty, word.utf8.count > 3 else { return word }
        let scalars = Array(word.unicodeScalars)
        return endings.lazy.compactMap { $0.replaced(in: scalars) }.first ?? word
    }

    /// The words of a name in a form that is as good as the name; nil if the language has none for it.
    func form(ofName words: [String]) -> [String]? {
        guard !nameForms.isEmpty else { return nil }
        let forms = words.map { word in
            nameForms.lazy.compactMap { $0.replaced(in: Array(word.unicodeScalars)) }.first ?? word
        }
        return forms == words ? nil : forms
    }

    /// The one word of the vocabulary that differs from a word by a slip of the finger.
    func correction(of word: String) -> String? {
        let scalars = Array(word.unicodeScalars)
        guard scalars.count > 4, let words = longWords[scalars[0]] else { return nil }
        return SpellingDistance.nearest(to: scalars, among: words)
    }
}

extension SpellingDistance {
    /// The word nearest to another one; nil if none is near, or two are equally near.
    static func nearest(to word: [Unicode.Scalar], among words: [[Unicode.Scalar]]) -> String? {
        let limit = word.count > 7 ? 2 : 1
        var best: (distance: Int, word: [Unicode.Scalar])?
        var isUnique = true
        for other in words {
            guard let distance = between(word, other, limit: best.map(\.distance) ?? limit) else { continue }
            if let known = best, distance == known.distance {
                if known.word != other { isUnique = false }
            } else {
                best = (distance, other)
                isUnique = true
            }
        }
        guard let best, isUnique else { return nil }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: best.word)
        return String(text)
    }
}
