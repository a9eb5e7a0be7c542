internal import HAPCatalog

/// A tokenizer for a line that describes a fault or a habit.
struct LineTokenizer {
    private let line: String
    private var words: ArraySlice<Substring>
    /// The last consumed word.
    private(set) var last: Substring = ""

    init(_ line: String) {
        self.line = line
        words = line.split(whereSeparator: \.isWhitespace)[...]
    }

    var isAtEnd: Bool { words.isEmpty }

    /// Creates an error about the line.
    func error(_ reason: String) -> SimulatorError {
        SimulatorError(.invalidFault, reason: "'\(line)': \(reason)")
    }

    /// Consumes the next word.
    ///
    /// - Parameter expected: A description of the expected word, for the error.
    mutating func next(_ expected: String) throws(SimulatorError) -> String {
        guard let word = words.popFirst() else { throw error("\(expected) is missing at the end") }
        last = word
        return String(word)
    }

    /// Consumes a word if it is next.
    mutating func consume(_ word: String) -> Bool {
        consumeAny(of: [word]) != nil
    }

    /// Consumes the next word if it is one of the candidates.
    mutating func consumeAny(of candidates: [String]) -> String? {
        guard let word = words.first.map(String.init), candidates.contains(word) else { return nil }
        last = words.removeFirst()
        return word
    }

    /// Consumes a time such as `200ms`.
    mutating func time(atLeast minimum: Duration = .zero) throws(SimulatorError) -> Duration {
        let word = try next("a time such as 200ms or 3s")
        guard let time = Duration(faultText: word) else {
            throw error("'\(word)' is not a time; use a form such as 200ms, 3s or 5min")
        }
        guard (minimum...Fault.maximumTime).contains(time) else {
            throw error("'\(word)' is not between \(minimum.faultText) and \(Fault.maximumTime.faultText)")
        }
        return time
    }

    /// Consumes an integer in a range.
    mutating func integer(_ range: ClosedRange<Int>) throws(SimulatorError) -> Int {
        let word = try next("a number from \(range.lowerBound) to \(range.upperBound)")
        guard let number = Int(word), range.contains(number) else {
            throw error("'\(word)' is not a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// Consumes a finite number.
    mutating func number() throws(SimulatorError) -> Double {
        let word = try next("a number")
        guard let number = Double(word), number.isFinite else { throw error("'\(word)' is not a number") }
        return number
    }

    /// Consumes a required word.
    mutating func require(_ word: String) throws(SimulatorError) {
        guard consume(word) else {
            throw error("'\(word)' is missing\(isAtEnd ? " at the end" : " before '\(words.first ?? "")'")")
        }
    }

    /// Consumes the name of a characteristic of the catalog, without spaces.
    mutating func characteristic() throws(SimulatorError) -> HAPType {
        let word = try next("a characteristic")
        guard let definition = CharacteristicDefinition.named(word) else {
            throw error("'\(word)' is not a characteristic of the catalog")
        }
        return definition.type
    }

    /// Consumes a value: `true` or `false`, a number, or a word.
    mutating func value() throws(SimulatorError) -> CharacteristicValue {
        let word = try next("a value")
        if let flag = Bool(word) { return .bool(flag) }
        if let integer = Int64(word) { return .integer(integer) }
        if let number = Double(word), number.isFinite { return .double(number) }
        return .string(word)
    }

    /// Throws if words are left.
    func end() throws(SimulatorError) {
        guard let word = words.first else { return }
        throw error("unexpected '\(word)'")
    }
}

extension Duration {
    /// The units of time, longer names first.
    private static let units: [(name: String, length: Duration)] = [
        ("min", .seconds(60)), ("ms", .milliseconds(1)), ("h", .seconds(3600)), ("s", .seconds(1)),
    ]

    /// Parses a time such as `200ms`, `1.5s`, `5min` or `2h`.
    init?(faultText text: String) {
        guard let (name, length) = Self.units.first(where: { text.hasSuffix($0.name) }),
            let count = Double(text.dropLast(name.count)), count.isFinite, count >= 0, count < Self.maximumCount
        else { return nil }
        // Round to milliseconds, so that the duration can be written and read back exactly.
        self = .milliseconds((count * (length / .milliseconds(1))).rounded())
    }

    private static let maximumCount = 1e9
}
