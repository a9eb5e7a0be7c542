/// All the ways to read a sentence as phrases of the vocabulary and names of the home, cheapest first.
struct Lattice {
    /// A reading of some tokens.
    struct Edge {
        var end: Int
        var meanings: [Meaning]
        var cost: Float
        var isGuessed: Bool
    }

    /// A part of a reading.
    struct Item: Hashable {
        var meaning: Meaning
        var range: Range<Int>
        /// Whether a word was taken for another one.
        var isGuessed: Bool
    }

    static let unknownCost: Float = 100
    private static let width = 24

    private var edges: [[Edge]]
    private var beginning = 0

    init(_ tokens: [Token], language: Language, names: HomeNames) {
        edges = []
        fill(tokens, guessed: [], language, names)
        let unknown = unknownWords(tokens)
        if !unknown.isEmpty {
            var corrected = tokens
            var guessed: Set<Int> = []
            for index in unknown {
                let words = Set([language.correction(of: tokens[index].text), names.correction(of: tokens[index].text)])
                guard let word = words.compactMap(\.self).first, words.compactMap(\.self).count == 1 else { continue }
                corrected[index].text = word
                guessed.insert(index)
            }
            if !guessed.isEmpty { fill(corrected, guessed: guessed, language, names) }
        }
        for start in tokens.indices {
            edges[start].append(
                Edge(end: start + 1, meanings: [.unknown], cost: Self.unknownCost, isGuessed: false)
            )
        }
    }

    /// Finds what each stretch of words means. Words at guessed positions were corrected, and cost more.
    private mutating func fill(_ tokens: [Token], guessed: Set<Int>, _ language: Language, _ names: HomeNames) {
        edges = Array(repeating: [], count: tokens.count)
        let numbers = tokens.map { language.phrases.number(of: $0.text) }
        let words = names.words(tokens)
        beginning = Self.beginning(numbers, language)
        for start in tokens.indices {
            add(from: start, tokens, numbers, language)
            // "The lamps in the bedroom" are a category in a room rather than the inflected name "Lamp in the bedroom".
            let isInflectedCategory =
                words.exact[start] == nil
                && language.phrases[single: tokens[start].text].contains { $0.isCategory && $0.cost == 0 }
            names.matches(words, from: start) { end, match in
                let more: Float = isInflectedCategory && end > start + 1 ? 1 : 0
                edges[start].append(
                    Edge(end: end, meanings: [.name(match)], cost: match.precision.cost + more, isGuessed: false)
                )
            }
            if start + 1 < tokens.count, tokens[start].kind == .word, tokens[start + 1].kind == .word {
                addWord(
                    tokens[start].text + tokens[start + 1].text,
                    from: start,
                    to: start + 2,
                    cost: 1.3,
                    language,
                    names
                )
            }
            if let match = names.ofKind(tokens[start].text) {
                edges[start].append(
                    Edge(end: start + 1, meanings: [.name(match)], cost: match.precision.cost, isGuessed: false)
                )
            }
            for match in names.partial(tokens[start].text) {
                edges[start].append(
                    Edge(end: start + 1, meanings: [.name(match)], cost: match.precision.cost, isGuessed: false)
                )
            }
        }
        for start in unknownWords(tokens) { addInflected(tokens[start], from: start, language, names) }
        for index in guessed {
            for start in edges.indices where start <= index {
                for edge in edges[start].indices where edges[start][edge].end > index {
                    edges[start][edge].isGuessed = true
                    edges[start][edge].cost += 2.5
                }
            }
        }
    }

    /// The words that no phrase and no name has.
    private func unknownWords(_ tokens: [Token]) -> [Int] {
        var isCovered = Array(repeating: false, count: tokens.count)
        for start in edges.indices {
            for edge in edges[start] {
                for index in start..<edge.end { isCovered[index] = true }
            }
        }
        return tokens.indices.filter { !isCovered[$0] && tokens[$0].kind == .word }
    }

    private mutating func add(from start: Int, _ tokens: [Token], _ numbers: [UInt32?], _ language: Language) {
        switch tokens[start].kind {
        case .number(let value):
            edges[start].append(Edge(end: start + 1, meanings: [.number(value)], cost: 1, isGuessed: false))
        case .clock(let hour, let minute):
            edges[start].append(
                Edge(end: start + 1, meanings: [.moment(hour: hour, minute: minute)], cost: 1, isGuessed: false)
            )
        case .word, .character, .mark: break
        }
        language.phrases.matches(numbers, from: start) { end, senses in
            for sense in senses where sense.position == .anywhere || (sense.position == .start) == (start <= beginning)
            {
                edges[start].append(
                    Edge(end: end, meanings: sense.meanings, cost: 1 + sense.cost, isGuessed: false)
                )
            }
        }
    }

    /// Where a sentence begins after words such as "please" and "could you".
    private static func beginning(_ numbers: [UInt32?], _ language: Language) -> Int {
        var beginning = 0
        while beginning < numbers.count {
            var next = beginning
            language.phrases.matches(numbers, from: beginning) { end, senses in
                if senses.contains(where: { $0.meaning == .filler && $0.cost == 0 }) { next = end }
            }
            guard next > beginning else { break }
            beginning = next
        }
        return beginning
    }

    /// Adds what one word means that isn't in the sentence as it is: joined, or corrected.
    private mutating func addWord(
        _ word: String,
        from start: Int,
        to end: Int,
        cost: Float,
        _ language: Language,
        _ names: HomeNames
    ) {
        for sense in language.phrases[single: word] {
            edges[start].append(
                Edge(end: end, meanings: sense.meanings, cost: 1 + sense.cost + cost, isGuessed: false)
            )
        }
        for match in names.single(word) {
            edges[start].append(
                Edge(end: end, meanings: [.name(match)], cost: match.precision.cost + cost, isGuessed: false)
            )
        }
    }

    /// Adds what a word means that only its parts or its stem have a meaning for.
    private mutating func addInflected(_ token: Token, from start: Int, _ language: Language, _ names: HomeNames) {
        if let links = language.links {
            let compound = Compound(language: language, names: names, links: links)
            for parts in compound.parts(of: token.text) {
                edges[start].append(
                    Edge(end: start + 1, meanings: parts, cost: 1 + 0.3 * Float(parts.count), isGuessed: false)
                )
            }
        }
        guard edges[start].isEmpty else { return }
        let stem = language.stem(token.text)
        if stem != token.text { addWord(stem, from: start, to: start + 1, cost: 0.5, language, names) }
    }

    /// The readings, cheapest first.
    func readings() -> [(items: [Item], cost: Float)] {
        struct Step {
            var cost: Float
            var start: Int
            var edge: Int
            var previous: Int
        }
        var best: [[Step]] = Array(repeating: [], count: edges.count + 1)
        best[0] = [Step(cost: 0, start: -1, edge: -1, previous: -1)]
        for start in edges.indices {
            if best[start].count > Self.width {
                best[start].sort { $0.cost < $1.cost }
                best[start].removeLast(best[start].count - Self.width)
            }
            for (rank, step) in best[start].enumerated() {
                for (index, edge) in edges[start].enumerated() {
                    best[edge.end].append(
                        Step(cost: step.cost + edge.cost, start: start, edge: index, previous: rank)
                    )
                }
            }
        }
        best[edges.count].sort { $0.cost < $1.cost }
        return best[edges.count].prefix(Self.width * 2).map { last in
            var items: [Item] = []
            var step = last
            while step.start >= 0 {
                let edge = edges[step.start][step.edge]
                for meaning in edge.meanings.reversed() {
                    items.append(Item(meaning: meaning, range: step.start..<edge.end, isGuessed: edge.isGuessed))
                }
                step = best[step.start][step.previous]
            }
            return (items.reversed(), last.cost)
        }
    }
}
