/// Understands sentences about one home in one language.
///
/// Indexing a home's names takes longer than a sentence: keep a listener until the home's names change.
package struct HomeListener: Sendable {
    /// The longest sentence, in characters.
    package static let sentenceLimit = 1_000
    /// The longest sentence, in words or characters of scripts without spaces.
    static let tokenLimit = 200
    /// The most services that a sentence changes without a question.
    package static let writeLimit = 100

    package let home: SpokenHome
    package let language: Language
    let names: HomeNames
    let roomIndexes: [String: Int]
    let serviceIndexes: [String: Int]
    let servicesByRoom: [Int: [Int]]

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
        self.roomIndexes = roomIndexes
    }

    /// Says what a sentence means.
    ///
    /// - Parameters:
    ///   - room: The room of whoever speaks.
    ///   - now: Minutes since midnight, for times that may mean morning or evening.
    package func interpret(_ sentence: String, room: String? = nil, now: Int? = nil) -> Interpretation {
        guard sentence.utf8.count <= Self.sentenceLimit * 4, sentence.count <= Self.sentenceLimit else {
            return .nothing(.tooLong(limit: Self.sentenceLimit))
        }
        let tokens = language.tokenizer.tokens(sentence)
        guard !tokens.isEmpty else { return .nothing(.empty) }
        guard tokens.count <= Self.tokenLimit else { return .nothing(.tooLong(limit: Self.sentenceLimit)) }
        let readings = Lattice(tokens, language: language, names: names).readings()
        let parser = ClauseParser(language: language, now: now)
        let context = room.flatMap { roomIndexes[$0] }
        var refusal: Interpretation?
        for reading in readings {
            guard let clauses = parser.clauses(reading.items) else { continue }
            var requests: [Request] = []
            var failure: Interpretation?
            for clause in clauses {
                switch Resolver(listener: self, context: context).resolve(clause) {
                case .request(let request): requests.append(request)
                case .question(let question): failure = failure ?? .question(question)
                case .nothing(let misunderstanding): failure = failure ?? .nothing(misunderstanding)
                }
            }
            guard let failure else { return .requests(Self.joined(requests)) }
            // What comes closest to a command explains best why there is none.
            if refusal == nil || refusal == .nothing(.noCommand) { refusal = failure }
            if case .question = failure { refusal = failure; break }
        }
        return refusal ?? .nothing(misunderstanding(of: tokens, readings.first?.items ?? []))
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

    private func misunderstanding(of tokens: [Token], _ items: [Lattice.Item]) -> Misunderstanding {
        let unknown = items.filter { $0.meaning == .unknown }.flatMap { tokens[$0.range] }.map(\.text)
        return unknown.isEmpty ? .noCommand : .unknownWords(unknown, near: [])
    }
}
