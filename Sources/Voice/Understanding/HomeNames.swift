/// The names of a home, indexed by their words, for one language.
struct HomeNames: Sendable {
    private struct Entry: Sendable {
        var object: NameMatch.Object
        var precision: NameMatch.Precision
    }

    /// The most names that come close to a word and are told.
    private static let nearLimit = 3

    private var exact = Trie<Entry>()
    private var stems = Trie<Entry>()
    /// Services and rooms by each word of their names, unless the word has a meaning of its own.
    private var byWord: [String: [NameMatch.Object]] = [:]
    /// Services by words for certain services of a category, such as "spotlight".
    private var byKind: [String: [NameMatch.Object]] = [:]
    /// The words of names, in their order, each with the first names that have it.
    private var nameWords: [(word: [Unicode.Scalar], names: [String])] = []
    private var nameWordIndexes: [String: Int] = [:]
    /// The names that have a character of a script without spaces, as they are compared and as they are.
    private var namesByCharacter: [String: [(text: String, name: String)]] = [:]
    private var longWords: [Unicode.Scalar: [[Unicode.Scalar]]] = [:]
    private let language: Language

    init(_ home: SpokenHome, language: Language) {
        self.language = language
        let roomTokens = home.rooms.map { language.tokenizer.tokens($0.name).map(\.text) }
        let roomIndexes = Dictionary(home.rooms.enumerated().map { ($1.id, $0) }) { first, _ in first }
        for (index, tokens) in roomTokens.enumerated() {
            insert(tokens, .room(index))
            for word in Set(tokens) where isOwnWord(word) || language.phrases[single: word].contains(where: \.isPlace) {
                byWord[language.stem(word), default: []].append(.room(index))
            }
        }
        for (index, zone) in home.zones.enumerated() {
            insert(language.tokenizer.tokens(zone.name).map(\.text), .zone(index))
        }
        insertPlaceClasses(home, roomTokens)
        for (index, service) in home.services.enumerated() {
            let names = [service.name, service.accessoryName].compactMap(\.self)
            for name in Set(names) {
                let tokens = language.tokenizer.tokens(name).map(\.text)
                insert(tokens, .service(index))
                if let room = service.room.flatMap({ roomIndexes[$0] }), tokens.count > roomTokens[room].count,
                    tokens.starts(with: roomTokens[room])
                {
                    let rest = Array(tokens.dropFirst(roomTokens[room].count))
                    let isCategory = language.phrases.values(at: rest).contains {
                        if case .category = $0.meaning { true } else { false }
                    }
                    if !isCategory, !rest.allSatisfy({ Double($0) != nil }) {
                        stems.insert(Entry(object: .service(index), precision: .inflected), at: rest.map(language.stem))
                    }
                }
                insertEnds(of: tokens, .service(index))
                for word in Set(tokens) {
                    if isOwnWord(word) { byWord[language.stem(word), default: []].append(.service(index)) }
                    if language.kindWords.contains(word) {
                        byKind[language.stem(word), default: []].append(.service(index))
                    }
                }
            }
        }
        for (index, group) in home.groups.enumerated() {
            insert(language.tokenizer.tokens(group.name).map(\.text), .group(index))
        }
        for (index, scene) in home.scenes.enumerated() {
            insert(language.tokenizer.tokens(scene.name).map(\.text), .scene(index))
        }
        for word in exact.allWords {
            let scalars = Array(word.unicodeScalars)
            if scalars.count > 4 { longWords[scalars[0], default: []].append(scalars) }
        }
        for name in home.services.map(\.name) + home.rooms.map(\.name) + home.scenes.map(\.name) { list(name) }
    }

    /// Lets words that no sentence knows be compared with a name's.
    private mutating func list(_ name: String) {
        let tokens = language.tokenizer.tokens(name)
        for token in tokens where !token.isNumber && token.text.unicodeScalars.count > 2 {
            if let index = nameWordIndexes[token.text] {
                if nameWords[index].names.count < Self.nearLimit { nameWords[index].names.append(name) }
            } else {
                nameWordIndexes[token.text] = nameWords.count
                nameWords.append((Array(token.text.unicodeScalars), [name]))
            }
        }
        let characters = Set(tokens.filter { $0.kind == .character }.map(\.text))
        let text = tokens.map(\.text).joined()
        for character in characters { namesByCharacter[character, default: []].append((text, name)) }
    }

    /// Returns names that have a word like another one, or a part of theirs that is written like it.
    func near(_ word: String) -> [String] {
        let scalars = Array(word.unicodeScalars)
        if let first = scalars.first, Tokenizer.standsAlone(first) {
            guard scalars.count > 1 else { return [] }
            let names = namesByCharacter[String(first)] ?? []
            return names.lazy.filter { $0.text.contains(word) }.prefix(Self.nearLimit).map(\.name)
        }
        guard scalars.count > 2 else { return [] }
        return nameWords.filter { known, _ in
            let limit = min(scalars.count, known.count) > 4 ? 2 : 1
            return SpellingDistance.between(scalars, known, limit: limit) != nil
        }
        .flatMap(\.names)
    }

    private func isOwnWord(_ word: String) -> Bool {
        word.unicodeScalars.count > 2 && Double(word) == nil && language.phrases[single: word].isEmpty
    }

    private mutating func insert(_ tokens: [String], _ object: NameMatch.Object) {
        guard !tokens.isEmpty else { return }
        exact.insert(Entry(object: object, precision: .exact), at: tokens)
        if let form = language.form(ofName: tokens) {
            exact.insert(Entry(object: object, precision: .exact), at: form)
        }
        let inflected = Entry(object: object, precision: .inflected)
        let stemmed = tokens.map(language.stem)
        stems.insert(inflected, at: stemmed)
        let content = tokens.filter { !language.phrases[single: $0].contains { $0.meaning == .filler && $0.cost == 0 } }
        let isVocabulary = content.count == 1 && !language.phrases[single: content[0]].isEmpty
        if content.count < tokens.count, !content.isEmpty, !isVocabulary {
            stems.insert(inflected, at: content.map(language.stem))
        }
        if (2...3).contains(tokens.count), tokens.allSatisfy({ Double($0) == nil && $0.unicodeScalars.count > 1 }) {
            stems.insert(inflected, at: [language.stem(tokens.joined())])
        }
        if stemmed.count == 2, stemmed[0] != stemmed[1],
            tokens.allSatisfy({ Double($0) == nil && $0.unicodeScalars.count > 1 })
        {
            stems.insert(inflected, at: [stemmed[1], stemmed[0]])
        }
    }

    /// Lets the end of a name in a script without spaces name it: "床头灯" of "左床头灯".
    private mutating func insertEnds(of tokens: [String], _ object: NameMatch.Object) {
        guard tokens.count > 3, tokens.count < 20, tokens.allSatisfy({ $0.unicodeScalars.count == 1 }) else { return }
        for start in 1..<(tokens.count - 2) {
            let end = tokens[start...]
            // Kana are less than a syllable of meaning each.
            let isKana = end.contains { $0.unicodeScalars.first.map { 0x3041...0x30FF ~= $0.value } == true }
            guard !isKana || end.count > 4, language.phrases.values(at: end).isEmpty else { continue }
            exact.insert(Entry(object: object, precision: .partial), at: end)
        }
    }

    /// Lets the words for a kind of place ("lounge", "upper floor") name the one room or zone of that kind.
    private mutating func insertPlaceClasses(_ home: SpokenHome, _ roomTokens: [[String]]) {
        for (name, phrases) in language.placePhrases {
            let stemmed = Set((phrases + (language.placeNames[name] ?? [])).map { $0.map(language.stem) })
            var objects: [(object: NameMatch.Object, tokens: [String])] = []
            for (index, tokens) in roomTokens.enumerated() where stemmed.contains(tokens.map(language.stem)) {
                objects.append((.room(index), tokens))
            }
            for (index, zone) in home.zones.enumerated() {
                let tokens = language.tokenizer.tokens(zone.name).map(\.text)
                if stemmed.contains(tokens.map(language.stem)) { objects.append((.zone(index), tokens)) }
            }
            guard !objects.isEmpty, !name.isEmpty else { continue }
            for phrase in phrases where exact.values(at: phrase).isEmpty {
                // If several are of the kind, the phrase must begin with the name: "Ground" of "ground floor".
                let named = objects.count == 1 ? objects : objects.filter { phrase.starts(with: $0.tokens) }
                if named.count == 1 {
                    exact.insert(Entry(object: named[0].object, precision: .exact), at: phrase)
                }
            }
        }
    }

    /// Calls `body` with each name that starts at a position: its end, and its objects by kind.
    func matches(_ words: Words, from start: Int, _ body: (Int, NameMatch) -> Void) {
        exact.matches(words.exact, from: start) { end, entries in
            Self.grouped(entries) { body(end, $0) }
        }
        stems.matches(words.stems, from: start) { end, entries in
            Self.grouped(entries) { body(end, $0) }
        }
    }

    /// What a single word names, for the parts of compounds.
    func single(_ word: String) -> [NameMatch] {
        var matches: [NameMatch] = []
        Self.grouped(exact[single: word]) { matches.append($0) }
        if matches.isEmpty { Self.grouped(stems[single: language.stem(word)]) { matches.append($0) } }
        return matches
    }

    /// The services that a word for certain services of a category means.
    func ofKind(_ word: String) -> NameMatch? {
        byKind[language.stem(word)].map { NameMatch(objects: $0, precision: .kind) }
    }

    /// What a word is a part of.
    func partial(_ word: String) -> [NameMatch] {
        guard let objects = byWord[language.stem(word)] else { return [] }
        let rooms = objects.filter { if case .room = $0 { true } else { false } }
        let services = objects.filter { if case .service = $0 { true } else { false } }
        return [rooms, services].filter { !$0.isEmpty }.map { NameMatch(objects: $0, precision: .partial) }
    }

    func correction(of word: String) -> String? {
        let scalars = Array(word.unicodeScalars)
        guard scalars.count > 4, let words = longWords[scalars[0]] else { return nil }
        return SpellingDistance.nearest(to: scalars, among: words)
    }

    /// The words of a sentence as the indexes know them.
    struct Words: Sendable {
        var exact: [UInt32?]
        var stems: [UInt32?]
    }

    func words(_ tokens: [Token]) -> Words {
        Words(
            exact: tokens.map { exact.number(of: $0.text) },
            stems: tokens.map { stems.number(of: language.stem($0.text)) }
        )
    }

    private static func grouped(_ entries: [Entry], _ body: (NameMatch) -> Void) {
        guard let first = entries.min(by: { $0.precision < $1.precision }) else { return }
        if entries.count == 1 {
            body(NameMatch(objects: [first.object], precision: first.precision))
            return
        }
        var seen: [Int: [NameMatch.Object]] = [:]
        for entry in entries where entry.precision == first.precision {
            let kind =
                switch entry.object {
                case .service: 0
                case .group: 1
                case .room, .zone: 2
                case .scene: 3
                }
            if seen[kind]?.contains(entry.object) != true { seen[kind, default: []].append(entry.object) }
        }
        for kind in seen.keys.sorted() {
            seen[kind].map { body(NameMatch(objects: $0, precision: first.precision)) }
        }
    }
}

extension Language.Sense {
    fileprivate var isPlace: Bool { if case .placeClass = meaning { true } else { false } }
}
