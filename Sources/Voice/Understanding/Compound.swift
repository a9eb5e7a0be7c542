/// Splits a compound word into words that are known: "Wohnzimmerthermostat" into a room and a category.
struct Compound {
    var language: Language
    var names: HomeNames
    var links: [String]

    /// The meanings of the parts, for each way to split the word into the fewest parts.
    func parts(of word: String) -> [[Meaning]] {
        let scalars = Array(word.unicodeScalars)
        guard scalars.count > 5, scalars.count <= 48 else { return [] }
        for count in 2...3 {
            let found = split(scalars[...], into: count)
            if !found.isEmpty { return Array(found.prefix(8)) }
        }
        return []
    }

    private func split(_ scalars: ArraySlice<Unicode.Scalar>, into count: Int) -> [[Meaning]] {
        if count == 1 { return meanings(scalars, isLast: true).map { [$0] } }
        guard scalars.count > 5 else { return [] }
        var found: [[Meaning]] = []
        for middle in (scalars.startIndex + 2)...(scalars.endIndex - 2) {
            let heads = headMeanings(scalars[..<middle])
            guard !heads.isEmpty else { continue }
            for tail in split(scalars[middle...], into: count - 1) {
                for head in heads { found.append([head] + tail) }
            }
        }
        return found
    }

    private func headMeanings(_ scalars: ArraySlice<Unicode.Scalar>) -> [Meaning] {
        let whole = meanings(scalars, isLast: false)
        if !whole.isEmpty { return whole }
        for link in links where scalars.count > link.unicodeScalars.count + 2 {
            guard scalars.suffix(link.unicodeScalars.count).elementsEqual(link.unicodeScalars) else { continue }
            let shorter = meanings(scalars.dropLast(link.unicodeScalars.count), isLast: false)
            if !shorter.isEmpty { return shorter }
        }
        return []
    }

    private func meanings(_ scalars: ArraySlice<Unicode.Scalar>, isLast: Bool) -> [Meaning] {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        let word = String(view)
        var meanings = language.phrases[single: word].sorted { $0.cost < $1.cost }.map(\.meaning)
            .filter { scalars.count > 2 || $0.mayBeShortPart }
        if scalars.count > 2 { meanings += names.single(word).map { .name($0) } }
        return meanings
    }
}

extension Meaning {
    /// Whether a word of two letters may be a part of a compound: "an", "aus", "zu" of "anmachen".
    fileprivate var mayBeShortPart: Bool {
        switch self {
        case .act, .state: true
        default: false
        }
    }
}
