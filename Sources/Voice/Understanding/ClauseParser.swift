/// Sorts the items of a reading into clauses, whatever their order.
struct ClauseParser {
    var language: Language
    /// Minutes since midnight, for times that may mean morning or evening.
    var now: Int?

    /// The clauses; nil if the items don't fit together.
    func clauses(_ items: [Lattice.Item]) -> [Clause]? {
        guard let items = joinAmounts(items) else { return nil }
        var parts: [Clause] = []
        var links: [Meaning.Link] = []
        var current = Clause()
        var isException = false
        var filtersNext = false
        for (index, item) in items.enumerated() {
            if item.isGuessed { current.isGuessed = true }
            switch item.content {
            case .amount(let amount): current.amounts.append(amount)
            case .time(let time):
                guard current.time == nil else { return nil }
                current.time = time
            case .meaning(let meaning):
                switch meaning {
                case .filler: break
                case .link(.reason):
                    // What it is good for may be said in any words.
                    guard index > 0, isIdle(items[(index + 1)...]) else { return nil }
                    parts.append(current)
                    return merged(parts)
                case .link(.and), .link(.then), .link(.comma):
                    parts.append(current)
                    if case .link(let link) = meaning { links.append(link) }
                    current = Clause()
                    isException = isException && meaning == .link(.and)
                    if isException { current.exceptions.append(NounPhrase()) }
                case .link(.except):
                    isException = true
                    current.exceptions.append(NounPhrase())
                case .link(.exceptEnd):
                    guard isException else { return nil }
                    isException = false
                case .link(.exceptPost):
                    guard !isException, !current.phrases.allSatisfy(\.isEmpty) else { return nil }
                    // "Bedroom and kitchen left out": all that "and" joins.
                    while let joined = parts.last, let link = links.last, link == .and,
                        !joined.hasPredicate || parts.count == 1,
                        !joined.phrases.allSatisfy(\.isEmpty)
                    {
                        var joined = parts.removeLast()
                        links.removeLast()
                        current.exceptions += joined.phrases
                        joined.phrases = [NounPhrase()]
                        joined.merge(current)
                        joined.phrases.removeFirst()
                        current = joined
                    }
                    current.exceptions += current.phrases.filter { !$0.isEmpty }
                    current.phrases = [NounPhrase()]
                case .link(let link)
                where [.in, .to, .at, .by, .amount].contains(link) && !hasComplement(items[(index + 1)...], link):
                    return nil
                case .link(.that): filtersNext = true
                case .act(let act) where filtersNext: current.filters.insert(act)
                case .state(let act) where filtersNext: current.filters.insert(act)
                case .question(.yesNo) where filtersNext: break
                case .unknown: return nil
                default:
                    if case .act(let act) = meaning {
                        isException = false
                        if language.hasPostpositions, act != .set, startsCommand(items[(index + 1)...]) {
                            // The verb is the end: what follows is another command.
                            guard Self.add(meaning, to: &current) else { return nil }
                            parts.append(current)
                            links.append(.then)
                            current = Clause()
                            continue
                        }
                    }
                    if isException, case .link = meaning {
                        guard Self.add(meaning, to: &current) else { return nil }
                    } else if isException {
                        guard Self.add(meaning, to: &current.exceptions[current.exceptions.count - 1]) else {
                            isException = false
                            guard Self.add(meaning, to: &current) else { return nil }
                            continue
                        }
                    } else {
                        guard Self.add(meaning, to: &current) else { return nil }
                    }
                }
            }
        }
        parts.append(current)
        return merged(parts)
    }

    /// Whether there is something for a preposition to belong to.
    private func hasComplement(_ items: ArraySlice<Content>, _ link: Meaning.Link) -> Bool {
        guard let next = items.first(where: { if case .meaning(.filler) = $0.content { false } else { true } }) else {
            return language.hasPostpositions
        }
        if link == .amount {
            guard case .amount = next.content else { return false }
            return true
        }
        return switch next.content {
        case .meaning(.link(.and)), .meaning(.link(.then)), .meaning(.link(.comma)): language.hasPostpositions
        case .meaning(.act), .meaning(.state): link != .in || language.hasPostpositions
        default: true
        }
    }

    /// Whether targets come next, and something to do to them.
    private func startsCommand(_ items: ArraySlice<Content>) -> Bool {
        var hasTarget = false
        for item in items {
            switch item.content {
            case .meaning(.category), .meaning(.name): hasTarget = true
            case .meaning(.act(let act)) where act != .set: return hasTarget
            case .amount, .meaning(.color), .meaning(.white):
                if hasTarget { return true }
            default: break
            }
        }
        return false
    }

    /// Whether a reason says nothing that is a command of its own.
    private func isIdle(_ items: ArraySlice<Content>) -> Bool {
        !items.contains { item in
            switch item.content {
            case .meaning(.category), .meaning(.link(.if)), .meaning(.link(.not)), .meaning(.act(.lock)),
                .meaning(.act(.unlock)):
                true
            default: false
            }
        }
    }

    /// Merges parts that only name targets into the commands that they belong to.
    private func merged(_ parts: [Clause]) -> [Clause]? {
        let parts = parts.filter { $0 != Clause() }
        guard var current = parts.first else { return nil }
        var clauses: [Clause] = []
        for part in parts.dropFirst() {
            let conflicts = current.hasPredicate && part.hasPredicate && part.hasTargets && current.hasTargets
            // "Good night and turn off the TV".
            let followsScene =
                !current.scenes.isEmpty && current.phrases.allSatisfy(\.isEmpty) && part.scenes.isEmpty
                && part.hasPredicate && part.hasTargets
            if conflicts || followsScene || (current.hasPredicate && current.hasTargets && part.links.contains(.it)) {
                clauses.append(current)
                current = part
                if part.acts.isEmpty, part.questions.isEmpty {
                    // "Is the garage closed and the front door locked?"
                    current.questions = clauses[clauses.count - 1].questions
                }
                if part.links.contains(.it), !part.hasTargets { current.phrases = clauses[clauses.count - 1].phrases }
            } else {
                current.merge(part)
            }
        }
        clauses.append(current)
        return clauses
    }

    private static func add(_ meaning: Meaning, to phrase: inout NounPhrase) -> Bool {
        switch meaning {
        case .place(.here), .place(.room): phrase.isHere = true
        case .place(.home): phrase.isHome = true
        case .category(let category): if !phrase.categories.contains(category) { phrase.categories.append(category) }
        case .quantifier(let quantifier): phrase.quantifier = quantifier
        case .name(let match):
            switch match.objects[0] {
            case .room, .zone: phrase.places.append(match)
            case .service, .group: phrase.names.append(match)
            case .scene: return false
            }
        case .placeClass: return false
        default: return false
        }
        return true
    }

    private static func add(_ meaning: Meaning, to clause: inout Clause) -> Bool {
        switch meaning {
        case .act(let act): clause.acts.insert(act)
        case .state(let act): clause.states.insert(act)
        case .aspect(let aspect): clause.aspects.insert(aspect)
        case .quality(let quality): clause.qualities.insert(quality)
        case .question(let question): clause.questions.insert(question)
        case .color(let color): clause.colors.append(color)
        case .white(let white): clause.whites.append(white)
        case .link(let link):
            guard link != .not, link != .if, link != .that else { return false }
            clause.links.insert(link)
        case .name(let match):
            if case .scene(let scene) = match.objects[0] {
                clause.scenes.append(scene)
                return true
            }
            return add(meaning, to: &clause.phrases[clause.phrases.count - 1])
        case .clock, .moment, .number, .multiplier, .point, .unit, .level: return false
        default: return add(meaning, to: &clause.phrases[clause.phrases.count - 1])
        }
        return true
    }
}
