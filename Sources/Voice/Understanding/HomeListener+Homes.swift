extension HomeListener {
    /// Finds the home that a sentence names.
    ///
    /// - Parameters:
    ///   - sentence: The sentence.
    ///   - homes: The speaker's homes.
    /// - Returns: The home whose name is the longest one in the sentence, and the sentence with the language's word for a
    ///   home in place of the name; `nil` if it names none.
    package static func home(
        namedIn sentence: String,
        among homes: [(id: String, name: String)],
        _ language: Language
    ) -> (id: String, sentence: String)? {
        guard sentence.utf8.count <= sentenceLimit * 4 else { return nil }
        let words = language.tokenizer.tokens(sentence).map(\.text)
        let stems = words.map(language.stem)
        var best: (id: String, range: Range<Int>)?
        for home in homes {
            let name = language.tokenizer.tokens(home.name).map { language.stem($0.text) }
            guard !name.isEmpty, name.count > best?.range.count ?? 0, name.count <= stems.count else { continue }
            for start in 0...(stems.count - name.count) where stems[start..<(start + name.count)].elementsEqual(name) {
                best = (home.id, start..<(start + name.count))
                break
            }
        }
        guard let best else { return nil }
        let rest = words[..<best.range.lowerBound] + language.homeWords + words[best.range.upperBound...]
        return (best.id, rest.joined(separator: " "))
    }
}
