/// A word, a number, or a mark of a sentence. Scripts without spaces have a token for each character.
struct Token: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case word
        case character
        case number(Double)
        case clock(hour: Int, minute: Int)
        case mark
    }

    /// The folded text.
    var text: String
    var kind: Kind

    var isNumber: Bool { if case .number = kind { true } else { false } }
}
