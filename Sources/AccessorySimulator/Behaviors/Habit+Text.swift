internal import HAPCatalog

extension Habit {
    /// Parses a habit, such as `wanders CurrentTemperature 0.1 every 30s from 18 to 24`.
    ///
    /// - Throws: ``SimulatorError`` with the code `invalidFile`; the reason says what is wrong.
    public init(_ line: String) throws(SimulatorError) {
        var tokens = LineTokenizer(line)
        do throws(SimulatorError) {
            (kind, time) = try Self.read(&tokens)
            try tokens.end()
        } catch {
            throw SimulatorError(.invalidFile, reason: error.reason)
        }
    }

    private static func read(_ tokens: inout LineTokenizer) throws(SimulatorError) -> (Kind, Duration) {
        let word = try tokens.next("a habit")
        switch word {
        case "falls":
            let type = try tokens.characteristic()
            return (.falls(type, by: try amount(&tokens)), try every(&tokens))
        case "wanders":
            let (type, amount) = (try tokens.characteristic(), try amount(&tokens))
            let time = try every(&tokens)
            try tokens.require("from")
            let low = try tokens.number()
            try tokens.require("to")
            let high = try tokens.number()
            guard low <= high else { throw tokens.error("\(low) is greater than \(high)") }
            return (.wanders(type, by: amount, low...high), time)
        case "drifts":
            let amount = try amount(&tokens)
            let time = try every(&tokens)
            try tokens.require("to")
            return (.drifts(by: amount, surroundings: try tokens.number()), time)
        case "runs-down": return (.runsDown, .seconds(1))
        case "clears":
            let type = try tokens.characteristic()
            try tokens.require("after")
            return (.clears(type), try tokens.time(atLeast: minimumTime))
        case "copies":
            let source = try tokens.characteristic()
            try tokens.require("to")
            return (.copies(source, to: try tokens.characteristic()), .zero)
        case "jams":
            try tokens.require("every")
            return (.jams(every: try tokens.integer(1...maximumTimes)), .zero)
        default:
            throw tokens.error(
                "'\(word)' is not a habit; use falls, wanders, drifts, runs-down, clears, copies, jams"
            )
        }
    }

    private static let minimumTime = Duration.milliseconds(100)
    private static let maximumTimes = 1_000_000

    private static func amount(_ tokens: inout LineTokenizer) throws(SimulatorError) -> Double {
        let amount = try tokens.number()
        guard amount > 0 else { throw tokens.error("\(amount) is not greater than 0") }
        return amount
    }

    private static func every(_ tokens: inout LineTokenizer) throws(SimulatorError) -> Duration {
        try tokens.require("every")
        return try tokens.time(atLeast: minimumTime)
    }
}

extension Habit: CustomStringConvertible {
    /// The text that parses to this habit.
    public var description: String {
        switch kind {
        case .falls(let type, let amount): "falls \(type.word) \(amount.word) every \(time.faultText)"
        case .wanders(let type, let amount, let bounds):
            "wanders \(type.word) \(amount.word) every \(time.faultText) "
                + "from \(bounds.lowerBound.word) to \(bounds.upperBound.word)"
        case .drifts(let amount, let surroundings):
            "drifts \(amount.word) every \(time.faultText) to \(surroundings.word)"
        case .runsDown: "runs-down"
        case .clears(let type): "clears \(type.word) after \(time.faultText)"
        case .copies(let source, let target): "copies \(source.word) to \(target.word)"
        case .jams(let every): "jams every \(every)"
        }
    }
}

extension HAPType {
    /// The characteristic's name in the catalog, or its UUID.
    fileprivate var word: String { CharacteristicDefinition.of(self)?.identifier ?? longForm }
}

extension Double {
    fileprivate var word: String { Int64(exactly: self).map { "\($0)" } ?? "\(self)" }
}
