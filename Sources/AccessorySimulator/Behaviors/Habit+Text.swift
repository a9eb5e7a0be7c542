internal import HAPCatalog

extension Habit {
    /// Parses a habit, such as `wanders CurrentTemperature 0.1 every 30s from 18 to 24`.
    ///
    /// - Throws: ``SimulatorError`` with the code `invalidFile`; the reason says what is wrong.
    public init(_ line: String) throws(SimulatorError) {
        var words = LineTokenizer(line)
        do throws(SimulatorError) {
            (kind, time) = try Self.read(&words)
            try words.end()
        } catch {
            throw SimulatorError(.invalidFile, reason: error.reason)
        }
    }

    private static func read(_ words: inout LineTokenizer) throws(SimulatorError) -> (Kind, Duration) {
        let word = try words.next("a habit")
        switch word {
        case "falls":
            let type = try words.characteristic()
            return (.falls(type, by: try amount(&words)), try every(&words))
        case "wanders":
            let (type, amount) = (try words.characteristic(), try amount(&words))
            let time = try every(&words)
            try words.require("from")
            let low = try words.number()
            try words.require("to")
            let high = try words.number()
            guard low <= high else { throw words.error("\(low) is greater than \(high)") }
            return (.wanders(type, by: amount, low...high), time)
        case "drifts":
            let amount = try amount(&words)
            let time = try every(&words)
            try words.require("to")
            return (.drifts(by: amount, surroundings: try words.number()), time)
        case "runs-down": return (.runsDown, .seconds(1))
        case "clears":
            let type = try words.characteristic()
            try words.require("after")
            return (.clears(type), try words.time(atLeast: shortest))
        case "copies":
            let source = try words.characteristic()
            try words.require("to")
            return (.copies(source, to: try words.characteristic()), .zero)
        case "jams":
            try words.require("every")
            return (.jams(every: try words.integer(1...mostTimes)), .zero)
        default:
            throw words.error(
                "'\(word)' is not a habit; use falls, wanders, drifts, runs-down, clears, copies, jams"
            )
        }
    }

    private static let shortest = Duration.milliseconds(100)
    private static let mostTimes = 1_000_000

    private static func amount(_ words: inout LineTokenizer) throws(SimulatorError) -> Double {
        let amount = try words.number()
        guard amount > 0 else { throw words.error("\(amount) is not greater than 0") }
        return amount
    }

    private static func every(_ words: inout LineTokenizer) throws(SimulatorError) -> Duration {
        try words.require("every")
        return try words.time(atLeast: shortest)
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
