/// What inflection puts at a word's end, and what stands there without it.
struct Ending: Hashable, Sendable {
    var ending: [Unicode.Scalar]
    var replacement: [Unicode.Scalar]

    /// Reads `ами` and `ток=тк`.
    init(_ text: Substring) {
        let parts = text.split(separator: "=", maxSplits: 1)
        ending = parts.first.map { Array($0.unicodeScalars) } ?? []
        replacement = parts.count > 1 ? Array(parts[1].unicodeScalars) : []
    }

    /// Reads endings separated by spaces, and sorts the longest to the front.
    static func list(_ text: Substring) -> [Ending] {
        text.split(separator: " ").map(Ending.init).sorted { $0.ending.count > $1.ending.count }
    }

    /// A word with the replacement for the ending; nil if it ends otherwise, or too little would be left.
    func replaced(in word: [Unicode.Scalar]) -> String? {
        let kept = word.count - ending.count
        guard kept + replacement.count >= 3, kept >= 0, word[kept...].elementsEqual(ending) else { return nil }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: word[..<kept])
        text.append(contentsOf: replacement)
        return String(text)
    }
}
