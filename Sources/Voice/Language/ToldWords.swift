import Foundation

/// The words with which a sentence tells what somebody did, or is doing: "I turned off the lights" is no command.
struct ToldWords: Sendable {
    enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Tells it alone.
        case phrase
        /// Tells it together with what closes: "ich habe … ausgeschaltet".
        case opens, closes
        /// Tells it if it has its accents: "apagué", but not "apague".
        case spelled
    }

    /// A kind of phrase, and whether it is one only where a sentence begins.
    private struct Sense: Hashable, Sendable {
        var kind: Kind
        var isAtStart: Bool
    }

    private var phrases = Trie<Sense>()
    private var spelled: Set<String> = []

    /// Adds phrases.
    mutating func add(_ kind: Kind, _ list: Substring, _ tokenizer: Tokenizer) {
        for phrase in list.split(separator: "|") {
            guard kind != .spelled else {
                spelled.insert(Self.spelling(phrase))
                continue
            }
            let isAtStart = phrase.first == "<"
            let tokens = tokenizer.tokens(String(isAtStart ? phrase.dropFirst() : phrase)).map(\.text)
            phrases.insert(Sense(kind: kind, isAtStart: isAtStart), at: tokens)
        }
    }

    /// Whether a sentence tells of something done.
    func tell(_ sentence: String, _ tokens: [Token]) -> Bool {
        let numbers = tokens.map { phrases.number(of: $0.text) }
        var isTold = false
        var opened = tokens.count
        for start in tokens.indices where numbers[start] != nil {
            phrases.matches(numbers, from: start) { end, senses in
                for sense in senses where !sense.isAtStart || start == 0 {
                    switch sense.kind {
                    case .phrase: isTold = true
                    case .opens: opened = min(opened, end)
                    case .closes: isTold = isTold || start >= opened
                    case .spelled: break
                    }
                }
            }
        }
        if isTold || spelled.isEmpty { return isTold }
        return sentence.split { !$0.isLetter }.contains { spelled.contains(Self.spelling($0)) }
    }

    private static func spelling(_ word: Substring) -> String {
        word.lowercased().precomposedStringWithCanonicalMapping
    }
}
