/// Phrases by their tokens. Looking one up costs a step per token, however many phrases there are.
struct Trie<Value: Sendable>: Sendable {
    private var words: [String: UInt32] = [:]
    private var edges: [UInt64: UInt32] = [:]
    private var values: [[Value]] = [[]]

    mutating func reserve(_ count: Int) {
        words.reserveCapacity(count / 2)
        edges.reserveCapacity(count * 3)
        values.reserveCapacity(count * 3)
    }

    /// Returns the number of a word, which is added if no phrase has it yet.
    mutating func number(adding word: String) -> UInt32 {
        let next = UInt32(words.count)
        return { (number: inout UInt32) in number }(&words[word, default: next])
    }

    mutating func insert(_ value: Value, at tokens: some Sequence<String>) {
        insert(value, at: tokens.map { number(adding: $0) })
    }

    /// Inserts a value by the numbers of its tokens.
    mutating func insert(_ value: Value, at numbers: [UInt32]) {
        var node: UInt32 = 0
        for word in numbers {
            let edge = UInt64(node) << 32 | UInt64(word)
            if let next = edges[edge] {
                node = next
            } else {
                node = UInt32(values.count)
                edges[edge] = node
                values.append([])
            }
        }
        if node != 0 { values[Int(node)].append(value) }
    }

    /// The number of a word, nil if no phrase has it. Find the words of a sentence once, then look up phrases.
    func number(of word: String) -> UInt32? { words[word] }

    var allWords: Dictionary<String, UInt32>.Keys { words.keys }

    /// Calls `body` with each phrase that starts at a position: its end, and its values.
    func matches(_ numbers: [UInt32?], from start: Int, _ body: (Int, [Value]) -> Void) {
        var node: UInt32 = 0
        for index in start..<numbers.count {
            guard let word = numbers[index], let next = edges[UInt64(node) << 32 | UInt64(word)] else { return }
            node = next
            if !values[Int(node)].isEmpty { body(index + 1, values[Int(node)]) }
        }
    }

    subscript(single word: String) -> [Value] {
        guard let number = words[word], let node = edges[UInt64(number)] else { return [] }
        return values[Int(node)]
    }

    func values(at tokens: some Sequence<String>) -> [Value] {
        var node: UInt32 = 0
        for token in tokens {
            guard let word = words[token], let next = edges[UInt64(node) << 32 | UInt64(word)] else { return [] }
            node = next
        }
        return values[Int(node)]
    }
}
