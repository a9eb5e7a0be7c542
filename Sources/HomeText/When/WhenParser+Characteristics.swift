import HAPCatalog
import HomeModel

extension WhenParser {
    /// Consumes what an accessory does: “unlocks”, “Brightness is 50”, “rises above 25”.
    mutating func occurrence(of subject: HomeVocabulary.Subject) throws(WhenError) -> TriggerEvent.Occurrence {
        if let (found, value) = verb(of: subject, { [$0.happens].compactMap(\.self) + $0.otherVerbs }) {
            return .characteristic(found.identity, value)
        }
        let named = characteristic(of: subject)
        if tokens.consumeAny(of: [
            "changes to", "changes into", "becomes", "gets", "turns", "reaches", "is set to", "is",
        ]) {
            guard let range = try range(of: subject, named) else {
                let (found, value) = try state(of: subject, named)
                return .characteristic(found.identity, value)
            }
            return range
        }
        if tokens.consume("changes") {
            guard let found = named ?? only(of: subject) else { throw unnamed(subject) }
            return .characteristic(found.identity, nil)
        }
        if let range = try range(of: subject, named) { return range }
        throw unexpected(
            named.map {
                "Use “changes”, “is” and \(ValueText($0.shape, language: language).example), “rises above” or “falls below”"
            }
                ?? advice(subject)
        )
    }

    // MARK: Values

    /// Consumes a verb of one of the values that an accessory has; `nil` if none is next.
    mutating func verb(
        of subject: HomeVocabulary.Subject,
        _ verbs: (ValueWords) -> [String]
    ) -> (found: Found, value: CharacteristicValue)? {
        var best: (words: ValueWords, length: Int, found: Found)?
        // The first service that can be meant is.
        for service in subject.services {
            var alone = subject
            alone.services = [service]
            for words in language.values {
                for verb in verbs(words) {
                    guard let length = tokens.length(of: verb), length > best?.length ?? 0,
                        let found = find(in: alone, { $0.type == words.type })
                    else { continue }
                    best = (words, length, found)
                }
            }
        }
        guard let best, let value = Self.value(best.words, of: best.found) else { return nil }
        tokens.position += best.length
        return (best.found, value)
    }

    private static func value(_ words: ValueWords, of found: Found) -> CharacteristicValue? {
        CharacteristicValue.integer(words.value).converted(to: found.shape.metadata.format)
    }

    /// Consumes the value of a named characteristic, or a state that says enough by itself: “unlocked”.
    mutating func state(
        of subject: HomeVocabulary.Subject,
        _ named: Found?
    ) throws(WhenError) -> (found: Found, value: CharacteristicValue) {
        if let named { return (named, try value(of: named.shape)) }
        if let plain = verb(of: subject, { $0.isPlain ? [$0.state] : [] }) { return plain }
        throw unexpected(advice(subject))
    }

    /// The characteristic of an accessory that has only one which sends events.
    private func only(of subject: HomeVocabulary.Subject) -> Found? {
        let shapes = subject.services.filter(\.isUserFacing).flatMap(\.characteristics).filter {
            $0.permissions.contains(.notify)
        }
        guard shapes.count == 1 else { return nil }
        return find(in: subject) { $0 == shapes[0] }
    }

    // MARK: Ranges

    /// Consumes a range that a number enters: “rises above 25”, “falls to 18 or less”, “comes between 20 and 25”.
    private mutating func range(
        of subject: HomeVocabulary.Subject,
        _ named: Found?
    ) throws(WhenError) -> TriggerEvent.Occurrence? {
        let rising = [
            "rises above", "rises over", "rises to", "goes above", "goes over", "gets above", "exceeds", "above",
            "over",
            "at least",
        ]
        let falling = [
            "falls below", "falls under", "falls to", "drops below", "drops under", "drops to", "goes below",
            "goes under",
            "gets below", "below", "under", "at most",
        ]
        let isRising = tokens.consumeAny(of: rising)
        if isRising || tokens.consumeAny(of: falling) {
            let found = try numeric(subject, named)
            let bound = try number(of: found.shape).number
            _ = tokens.consumeAny(of: isRising ? ["or more", "or above"] : ["or less", "or below"])
            let range =
                isRising ? ThresholdRange(minimum: bound, maximum: nil) : ThresholdRange(minimum: nil, maximum: bound)
            return .threshold(found.identity, range)
        }
        guard tokens.consumeAny(of: ["comes between", "gets between", "enters", "between"]) else { return nil }
        let found = try numeric(subject, named)
        let minimum = try number(of: found.shape).number
        guard tokens.consumeAny(of: ["and", "to"]) else { throw unexpected("Use “and” and the maximum") }
        return .threshold(found.identity, ThresholdRange(minimum: minimum, maximum: try number(of: found.shape).number))
    }

    /// Returns the named characteristic, or the one that the accessory measures.
    func numeric(_ subject: HomeVocabulary.Subject, _ named: Found?) throws(WhenError) -> Found {
        if let named { return named }
        let types = CharacteristicName.measuredTypes
        let found = types.compactMap { type in find(in: subject) { $0.type == type } }
        // “Kitchen Temperature” means its temperature also if it measures the humidity.
        let meant = found.first { CharacteristicName.subject(subject.name, names: $0.shape.type, in: language) }
        guard let only = meant ?? (found.count == 1 ? found[0] : nil) else { throw unnamed(subject) }
        return only
    }

    // MARK: Messages

    private func unnamed(_ subject: HomeVocabulary.Subject) -> WhenError {
        let shapes = subject.services.filter(\.isUserFacing).flatMap(\.characteristics)
        let names = Set(
            shapes.filter { $0.permissions.contains(.notify) }.map {
                language.name(of: $0.type, description: $0.metadata.manufacturerDescription)
            }
        )
        let examples = names.sorted().prefix(12).map { "“\(subject.name) \($0)”" }
        return WhenError(
            .ambiguous,
            "Name the characteristic of “\(subject.name)” that is meant: \(language.list(Array(examples), .or))."
        )
    }

    /// What can be said of an accessory.
    func advice(_ subject: HomeVocabulary.Subject) -> String {
        let types = Set(subject.services.flatMap(\.characteristics).map(\.type))
        let verbs = language.values.filter { types.contains($0.type) }.compactMap(\.happens)
        let names = subject.services.filter(\.isUserFacing).flatMap(\.characteristics).filter {
            $0.permissions.contains(.notify)
        }.map { language.name(of: $0.type, description: $0.metadata.manufacturerDescription) }
        var forms: [String] = []
        for verb in verbs where !forms.contains("“\(verb)”") { forms.append("“\(verb)”") }
        if let name = names.first {
            forms.append(
                "a characteristic (\(Set(names).sorted().prefix(12).joined(separator: ", "))) as in “\(name) changes”"
            )
        }
        return forms.isEmpty
            ? "“\(subject.name)” sends no events" : "For “\(subject.name)”, use \(language.list(forms, .or))"
    }
}
