/// Reads the phrases of a language's table as the tokenizer would, but much faster: each word is split into tokens only
/// once, however many phrases have it.
struct PhraseReader {
    /// The bytes of a word in a table. The program contains the tables, so the address stays valid.
    private struct Word: Hashable {
        var bytes: UnsafeBufferPointer<UInt8>

        static func == (a: Self, b: Self) -> Bool { a.bytes.elementsEqual(b.bytes) }

        func hash(into hasher: inout Hasher) {
            // FNV-1a, because the words are short and no attacker chooses them.
            var hash: UInt64 = 0xCBF2_9CE4_8422_2325
            for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
            hasher.combine(hash)
        }
    }

    /// The tokens of a word: nearly always one.
    private enum Tokens {
        case one(UInt32)
        case many([UInt32])

        func append(to numbers: inout [UInt32]) {
            switch self {
            case .one(let number): numbers.append(number)
            case .many(let more): numbers += more
            }
        }
    }

    /// A phrase, without the marks before it.
    struct Phrase {
        var text: UnsafeBufferPointer<UInt8>
        /// How unusual the meaning is.
        var rank = 0
        /// Where the phrase has the meaning.
        var position = Language.Sense.Position.anywhere
        /// Whether it is a word for certain devices of a category.
        var isKind = false
    }

    /// What separates phrases.
    static let separator = UInt8(ascii: "|")
    private static let space = UInt8(ascii: " ")

    private let tokenizer: Tokenizer
    private var words: [Word: Tokens] = [:]
    /// The tokens by their numbers.
    private var texts: [String] = []
    /// The tokens of characters that are words, by their scalars from U+0800 to U+FFFF.
    private var characters: [Tokens?] = []
    /// The tokens of the phrase that is read, kept for its memory.
    private var numbers: [UInt32] = []

    init(tokenizer: Tokenizer) {
        self.tokenizer = tokenizer
    }

    /// Calls `body` with each phrase of a list, in order.
    mutating func read(_ list: UnsafeBufferPointer<UInt8>, _ body: (inout Self, Phrase) -> Void) {
        for part in list.split(separator: Self.separator) {
            var phrase = Phrase(text: UnsafeBufferPointer(rebasing: part))
            marks: while let mark = phrase.text.first {
                switch mark {
                case UInt8(ascii: "*"): phrase.isKind = true
                case UInt8(ascii: "<"): phrase.position = .start
                case UInt8(ascii: ">"): phrase.position = .later
                case UInt8(ascii: "^"): phrase.rank += 1
                default: break marks
                }
                phrase.text = UnsafeBufferPointer(rebasing: phrase.text.dropFirst())
            }
            body(&self, phrase)
        }
    }

    /// Returns the tokens with the given numbers.
    func words(_ numbers: [UInt32]) -> [String] { numbers.map { texts[Int($0)] } }

    /// Returns the numbers of a phrase's tokens.
    ///
    /// - Parameter trie: The trie that numbers the tokens.
    mutating func numbers<Value>(
        of phrase: UnsafeBufferPointer<UInt8>,
        in trie: inout Trie<Value>
    ) -> [UInt32] {
        numbers.removeAll(keepingCapacity: true)
        var index = 0
        while index < phrase.count {
            if phrase[index] == Self.space {
                index += 1
            } else if let scalar = Self.character(phrase, at: index) {
                let tokens = tokens(
                    ofCharacter: scalar,
                    UnsafeBufferPointer(rebasing: phrase[index..<(index + 3)]),
                    &trie
                )
                tokens.append(to: &numbers)
                index += 3
            } else {
                var end = index + 1
                while end < phrase.count, phrase[end] != Self.space, Self.character(phrase, at: end) == nil { end += 1 }
                let word = Word(bytes: UnsafeBufferPointer(rebasing: phrase[index..<end]))
                if let known = words[word] {
                    known.append(to: &numbers)
                } else {
                    let tokens = tokens(of: word.bytes, &trie)
                    words[word] = tokens
                    tokens.append(to: &numbers)
                }
                index = end
            }
        }
        return numbers
    }

    private mutating func tokens<Value>(
        ofCharacter scalar: UInt32,
        _ bytes: UnsafeBufferPointer<UInt8>,
        _ trie: inout Trie<Value>
    ) -> Tokens {
        let index = Int(scalar) - 0x800
        if characters.isEmpty { characters = Array(repeating: nil, count: 0xF800) }
        if let known = characters[index] { return known }
        let tokens = tokens(of: bytes, &trie)
        characters[index] = tokens
        return tokens
    }

    private mutating func tokens<Value>(of word: UnsafeBufferPointer<UInt8>, _ trie: inout Trie<Value>) -> Tokens {
        let text = String(decoding: word, as: UTF8.self)
        guard !Self.isPlain(word) else { return .one(number(adding: text, &trie)) }
        let numbers = tokenizer.tokens(text).map { number(adding: $0.text, &trie) }
        return numbers.count == 1 ? .one(numbers[0]) : .many(numbers)
    }

    private mutating func number<Value>(adding token: String, _ trie: inout Trie<Value>) -> UInt32 {
        let number = trie.number(adding: token)
        if Int(number) == texts.count { texts.append(token) }
        return number
    }

    /// Returns whether a word consists of lowercase letters without accents, which folding leaves alone.
    private static func isPlain(_ word: UnsafeBufferPointer<UInt8>) -> Bool {
        var index = 0
        while index < word.count {
            switch word[index] {
            case UInt8(ascii: "a")...UInt8(ascii: "z"): index += 1
            // Cyrillic а to я.
            case 0xD0 where index + 1 < word.count && word[index + 1] >= 0xB0: index += 2
            case 0xD1 where index + 1 < word.count && word[index + 1] <= 0x8F: index += 2
            default: return false
            }
        }
        return true
    }

    /// Returns the character at a position if it is a word by itself and has three bytes, as nearly all have; `nil` if not.
    private static func character(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> UInt32? {
        guard bytes[index] & 0xF0 == 0xE0, index + 2 < bytes.count else { return nil }
        let value =
            UInt32(bytes[index] & 0x0F) << 12 | UInt32(bytes[index + 1] & 0x3F) << 6 | UInt32(bytes[index + 2] & 0x3F)
        guard let scalar = Unicode.Scalar(value), Tokenizer.standsAlone(scalar) else { return nil }
        return value
    }
}
