/// What is said about targets: a place, a category, names.
struct NounPhrase: Hashable, Sendable {
    var places: [NameMatch] = []
    var categories: [Category] = []
    var names: [NameMatch] = []
    var quantifier: Meaning.Quantifier?
    var isHere = false
    var isHome = false
    /// Whether the categories come from other phrases.
    var isJoined = false

    var isEmpty: Bool { places.isEmpty && categories.isEmpty && names.isEmpty && !isHere && !isHome }
    var hasPlace: Bool { !places.isEmpty || isHere || isHome }
}

/// A number with its unit, or a word that stands for one.
enum Amount: Hashable, Sendable {
    case number(Double, Meaning.Unit?)
    case level(Meaning.Level)

    /// Whether it is a part of the whole: "40 percent", "half".
    var isShare: Bool {
        switch self {
        case .number(_, let unit): unit == .percent
        case .level: true
        }
    }
}

/// A command or a question, taken apart.
struct Clause: Hashable, Sendable {
    var acts: Set<Meaning.Act> = []
    var states: Set<Meaning.Act> = []
    /// States that select targets: "the lights that are on".
    var filters: Set<Meaning.Act> = []
    var qualities: Set<Meaning.Quality> = []
    var aspects: Set<Meaning.Aspect> = []
    var amounts: [Amount] = []
    var colors: [SpokenColor] = []
    var whites: [Meaning.White] = []
    var links: Set<Meaning.Link> = []
    var questions: Set<Meaning.Question> = []
    var phrases: [NounPhrase] = [NounPhrase()]
    var exceptions: [NounPhrase] = []
    var scenes: [Int] = []
    var time: SpokenTime?
    var isGuessed = false

    /// What changes a target, and needs no other word.
    static let changes: Set<Meaning.Act> = [
        .on, .off, .open, .close, .lock, .unlock, .toggle, .up, .down, .brighten, .dim, .warm, .cool, .faster, .slower,
        .turnKey,
    ]

    /// Whether something is said beyond targets.
    var hasPredicate: Bool {
        !acts.subtracting([.set, .ensure]).isEmpty || !states.isEmpty || !qualities.isEmpty || !amounts.isEmpty
            || !colors.isEmpty || !whites.isEmpty || !links.isDisjoint(with: [.more, .less])
    }

    var hasTargets: Bool { phrases.contains { !$0.isEmpty } || !scenes.isEmpty }

    var isQuestion: Bool { !questions.subtracting([.mark]).isEmpty || acts.contains(.tell) }

    /// Whether it asks for the state of something: "are the blinds down".
    var asksState: Bool {
        !questions.isDisjoint(with: [.yesNo, .which, .howMany, .exists, .how, .who]) && !acts.contains(.ensure)
            && !acts.union(states).subtracting([.set, .tell]).isEmpty
            && phrases.contains { !$0.names.isEmpty || !$0.categories.isEmpty }
    }

    /// Whether an aspect of targets is all that is said.
    func isOnlyAbout(_ aspect: Meaning.Aspect) -> Bool {
        aspects == [aspect] && acts.isEmpty && states.isEmpty && qualities.isEmpty && amounts.isEmpty && colors.isEmpty
            && whites.isEmpty && links.isDisjoint(with: [.more, .less]) && scenes.isEmpty && !isGuessed
            && phrases.contains { !$0.names.isEmpty || !$0.categories.isEmpty }
    }

    /// Adds what a further part of the same command says.
    mutating func merge(_ other: Clause) {
        acts.formUnion(other.acts)
        states.formUnion(other.states)
        filters.formUnion(other.filters)
        qualities.formUnion(other.qualities)
        aspects.formUnion(other.aspects)
        amounts += other.amounts
        colors += other.colors
        whites += other.whites
        links.formUnion(other.links)
        questions.formUnion(other.questions)
        phrases += other.phrases
        exceptions += other.exceptions
        scenes += other.scenes
        time = time ?? other.time
        isGuessed = isGuessed || other.isGuessed
    }
}
