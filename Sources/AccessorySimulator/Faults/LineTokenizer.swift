internal import HAPCatalog

/// The words of a line that says a fault or a habit, taken one after the other.
struct LineTokenizer {
    private let line: String
    private var words: ArraySlice<Substring>
    /// The word that was taken last.
    private(set) var last: Substring = ""

    init(_ line: String) {
        self.line = line
        words = line.split(whereSeparator: \.isWhitespace)[...]
    }

    var isAtEnd: Bool { words.isEmpty }

    /// The error for something that is wrong with the line.
    func error(_ reason: String) -> SimulatorError {
        SimulatorError(.invalidFault, reason: "'\(line)': \(reason)")
    }

    /// Takes the next word.
    ///
    /// - Parameter what: What it should be, for the error if there is none.
    mutating func next(_ what: String) throws(SimulatorError) -> String {
        guard let word = words.popFirst() else { throw error("\(what) is missing at the end") }
        last = word
        return String(word)
    }

    /// Takes a word if it comes next.
    mutating func take(_ word: String) -> Bool {
        takeAny([word]) != nil
    }

    /// Takes the next word if it is among some.
    mutating func takeAny(_ candidates: [String]) -> String? {
        guard let word = words.first.map(String.init), candidates.contains(word) else { return nil }
        last = words.removeFirst()
        return word
    }

    /// Takes a time such as `200ms`.
    mutating func time(atLeast least: Duration = .zero) throws(SimulatorError) -> Duration {
        let word = try next("a time such as 200ms or 3s")
        guard let time = Duration(faultText: word) else {
            throw error("'\(word)' is no time such as 200ms, 3s or 5min")
        }
        guard (least...Fault.longestTime).contains(time) else {
            throw error("'\(word)' is not between \(least.faultText) and \(Fault.longestTime.faultText)")
        }
        return time
    }

    /// Takes an integer in a range.
    mutating func integer(_ range: ClosedRange<Int>) throws(SimulatorError) -> Int {
        let word = try next("a number from \(range.lowerBound) to \(range.upperBound)")
        guard let number = Int(word), range.contains(number) else {
            throw error("'\(word)' is no number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// Takes a finite number.
    mutating func number() throws(SimulatorError) -> Double {
        let word = try next("a number")
        guard let number = Double(word), number.isFinite else { throw error("'\(word)' is no number") }
        return number
    }

    /// Takes a word that has to stand there.
    mutating func require(_ word: String) throws(SimulatorError) {
        guard take(word) else {
            throw error("'\(word)' is missing\(isAtEnd ? " at the end" : " before '\(words.first ?? "")'")")
        }
    }

    /// Takes the name of a characteristic in the catalogue, without spaces.
    mutating func characteristic() throws(SimulatorError) -> HAPType {
        let word = try next("a characteristic")
        guard let definition = CharacteristicDefinition.named(word) else {
            throw error("'\(word)' is no characteristic of the catalogue")
        }
        return definition.type
    }

    /// Takes a value: `true` or `false`, a number, or a word.
    mutating func value() throws(SimulatorError) -> CharacteristicValue {
        let word = try next("a value")
        if let flag = Bool(word) { return .bool(flag) }
        if let integer = Int64(word) { return .integer(integer) }
        if let number = Double(word), number.isFinite { return .double(number) }
        return .string(word)
    }

    /// Nothing may be left.
    func end() throws(SimulatorError) {
        guard let word = words.first else { return }
        throw error("'\(word)' is one word too many")
    }
}

extension Duration {
    /// The units of time, the longer names first.
    private static let units: [(name: String, length: Duration)] = [
        ("min", .seconds(60)), ("ms", .milliseconds(1)), ("h", .seconds(3600)), ("s", .seconds(1)),
    ]

    /// Reads a time such as `200ms`, `1.5s`, `5min` or `2h`.
    init?(faultText text: String) {
        guard let (name, length) = Self.units.first(where: { text.hasSuffix($0.name) }),
            let count = Double(text.dropLast(name.count)), count.isFinite, count >= 0, count < Self.mostUnits
        else { return nil }
        // To the millisecond, so that what is written is what was read.
        self = .milliseconds((count * (length / .milliseconds(1))).rounded())
    }

    private static let mostUnits = 1e9
}
