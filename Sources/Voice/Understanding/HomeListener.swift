import HomeModel

/// Understands sentences about one home in one language.
///
/// Indexing a home's names takes longer than a sentence: keep a listener until the home's names change.
package struct HomeListener: Sendable {
    /// The longest sentence, in characters.
    package static let sentenceLimit = 1_000
    /// The longest sentence, in words or characters of scripts without spaces.
    static let tokenLimit = 200
    /// The most names that come close to unknown words and are told.
    private static let nearLimit = 3
    /// The most services that a sentence changes without a question.
    package static let writeLimit = 100

    /// The home with its present values.
    package private(set) var home: SpokenHome
    package let language: Language
    let names: HomeNames
    let roomIndexes: [String: Int]
    let serviceIndexes: [String: Int]
    let servicesByRoom: [Int: [Int]]
    /// The services of each kind, those of an associated kind included.
    let servicesByKind: [ServiceKind: [Int]]

    package init(home: SpokenHome, language: Language) {
        self.home = home
        self.language = language
        names = HomeNames(home, language: language)
        let roomIndexes = Dictionary(home.rooms.enumerated().map { ($1.id, $0) }) { first, _ in first }
        serviceIndexes = Dictionary(home.services.enumerated().map { ($1.id, $0) }) { first, _ in first }
        var servicesByRoom: [Int: [Int]] = [:]
        for (index, service) in home.services.enumerated() {
            if let room = service.room.flatMap({ roomIndexes[$0] }) { servicesByRoom[room, default: []].append(index) }
        }
        self.servicesByRoom = servicesByRoom
        servicesByKind = Dictionary(grouping: home.services.indices) { index in
            home.services[index].associatedKind ?? home.services[index].kind
        }
        self.roomIndexes = roomIndexes
    }

    /// Returns a listener for the same names with other values; `nil` if names changed.
    package func updated(to home: SpokenHome) -> HomeListener? {
        guard home.name == self.home.name, home.rooms == self.home.rooms, home.zones == self.home.zones,
            home.groups == self.home.groups, home.scenes == self.home.scenes,
            home.services.count == self.home.services.count,
            zip(home.services, self.home.services).allSatisfy({ $0.isCalled(like: $1) })
        else { return nil }
        return replacingValues(by: home)
    }

    /// Returns a listener for other values.
    ///
    /// - Parameter home: The home with the same names, which aren't compared.
    package func replacingValues(by home: SpokenHome) -> HomeListener {
        var listener = self
        listener.home = home
        return listener
    }

    /// Says what a sentence means.
    ///
    /// - Parameters:
    ///   - room: The room of whoever speaks.
    ///   - now: Minutes since midnight, for times that may mean morning or evening.
    ///   - choice: The candidate that the speaker chose when the same sentence led to a question.
    package func interpret(
        _ sentence: String,
        room: String? = nil,
        now: Int? = nil,
        choosing choice: String? = nil
    ) -> Interpretation {
        guard sentence.utf8.count <= Self.sentenceLimit * 4, sentence.count <= Self.sentenceLimit else {
            return .nothing(.tooLong(limit: Self.sentenceLimit))
        }
        let tokens = language.tokenizer.tokens(sentence)
        guard !tokens.isEmpty else { return .nothing(.empty) }
        guard tokens.count <= Self.tokenLimit else { return .nothing(.tooLong(limit: Self.sentenceLimit)) }
        let isTold = language.told.tell(sentence, tokens)
        let readings = Lattice(tokens, language: language, names: names).readings()
        let parser = ClauseParser(language: language, now: now)
        let context = room.flatMap { roomIndexes[$0] }
        var refusal: Interpretation?
        var isAsked = false
        for reading in readings {
            guard let clauses = parser.clauses(reading.items) else { continue }
            var requests: [Request] = []
            var failure: Interpretation?
            for clause in clauses {
                switch Resolver(listener: self, context: context, choice: choice).resolve(clause) {
                case .request(let request): requests.append(request)
                case .question(let question): failure = failure ?? .question(question)
                case .nothing(let misunderstanding): failure = failure ?? .nothing(misunderstanding)
                }
            }
            guard let failure else {
                // What was read as a question that has no answer is not a command with a small word left out.
                if isAsked || isTold, !requests.allSatisfy(\.isRead) { continue }
                return .requests(Self.joined(requests))
            }
            if isTold { continue }
            isAsked = isAsked || clauses.contains { $0.asksState }
            // What comes closest to a command explains best why there is none.
            if refusal == nil || refusal == .nothing(.noCommand) { refusal = failure }
            if case .question = failure { refusal = failure; break }
        }
        if isTold { return .nothing(.noCommand) }
        return refusal ?? .nothing(misunderstanding(of: sentence, tokens, readings.first?.items ?? []))
    }

    /// Joins the writes of several clauses that are for the same time.
    private static func joined(_ requests: [Request]) -> [Request] {
        var joined: [Request] = []
        for request in requests {
            if case .write(let more, let time, let confirmation) = request, let last = joined.last,
                case .write(let writes, time, let known) = last
            {
                joined[joined.count - 1] = .write(writes + more, at: time, confirmation: known ?? confirmation)
            } else {
                joined.append(request)
            }
        }
        return joined
    }

    private func misunderstanding(
        of sentence: String,
        _ tokens: [Token],
        _ items: [Lattice.Item]
    ) -> Misunderstanding {
        let written = Self.spellings(sentence, language.tokenizer)
        var unknown: [(folded: String, written: String)] = []
        var end: Int?
        for item in items where item.meaning == .unknown {
            for (index, token) in zip(item.range, tokens[item.range]) {
                let word = (folded: token.text, written: written[token.text] ?? token.text)
                // Characters of scripts without spaces are a word together.
                if token.kind == .character, end == index, let last = unknown.last {
                    unknown[unknown.count - 1] = (last.folded + word.folded, last.written + word.written)
                } else {
                    unknown.append(word)
                }
                end = token.kind == .character ? index + 1 : nil
            }
        }
        return unknown.isEmpty
            ? .noCommand : .unknownWords(unknown.map(\.written), near: near(unknown.map(\.folded)))
    }

    /// Returns the words of a sentence as they are written, by their folded forms.
    private static func spellings(_ sentence: String, _ tokenizer: Tokenizer) -> [String: String] {
        var spellings: [String: String] = [:]
        var word = ""
        func finish() {
            let tokens = tokenizer.tokens(word)
            if tokens.count == 1, spellings[tokens[0].text] == nil { spellings[tokens[0].text] = word }
            word = ""
        }
        for character in sentence {
            if character.unicodeScalars.first.map(Tokenizer.standsAlone) == true {
                finish()
                word = String(character)
                finish()
            } else if character.isLetter {
                word.append(character)
            } else {
                finish()
            }
        }
        finish()
        return spellings
    }

    /// Returns names of the home that have a word like the given ones.
    private func near(_ words: [String]) -> [String] {
        var near: [String] = []
        for name in words.flatMap({ names.near($0) }) where near.count < Self.nearLimit && !near.contains(name) {
            near.append(name)
        }
        return near
    }
}

extension SpokenHome.Service {
    /// Whether a service has the same names, kinds and room as another one.
    fileprivate func isCalled(like other: Self) -> Bool {
        id == other.id && name == other.name && accessoryName == other.accessoryName && kind == other.kind
            && associatedKind == other.associatedKind && room == other.room
    }
}
