internal import HAP
internal import HAPCatalog

extension Fault {
    /// Parses a fault, such as `latency 200ms jitter 50ms for 10s`.
    ///
    /// - Throws: ``SimulatorError`` with the code `invalidFault`; the reason says what is wrong.
    public init(_ line: String) throws(SimulatorError) {
        var tokens = LineTokenizer(line)
        let kind = try Kind(&tokens)
        var span = Span.untilCleared
        if tokens.consume("for") {
            guard !kind.isMomentary else { throw tokens.error("'\(kind)' is momentary and can't last") }
            span = .time(try tokens.time(atLeast: .milliseconds(1)))
        } else if tokens.consume("once") || tokens.consume("times") {
            guard kind.isCounted else { throw tokens.error("'\(kind)' can't be counted; specify a duration") }
            span = tokens.last == "once" ? .times(1) : .times(try tokens.integer(1...Fault.maximumTimes))
        }
        try tokens.end()
        self.init(kind, span)
    }
}

extension Fault.Kind {
    /// Parses a kind of fault.
    fileprivate init(_ tokens: inout LineTokenizer) throws(SimulatorError) {
        let word = try tokens.next("a fault")
        switch word {
        case "latency":
            let time = try tokens.time()
            let jitter = tokens.consume("jitter") ? try tokens.time() : .zero
            guard jitter <= time else { throw tokens.error("the jitter is more than the latency") }
            self = .latency(time, jitter: jitter)
        case "no-answer": self = .noAnswer
        case "drop": self = .drop
        case "refuse": self = .refuse
        case "half-answer": self = .halfAnswer
        case "wrong-tag": self = .wrongTag
        case "status":
            let status = HAPStatus(rawValue: try tokens.integer(Self.statuses))
            let access = tokens.consumeAny(of: ["read", "write"]).flatMap(Fault.Access.init) ?? .all
            self = .status(status, access)
        case "no-timed-writes": self = .noTimedWrites
        case "value": self = .value(try tokens.value())
        case "event-lost": self = .eventLost
        case "event-doubled": self = .eventDoubled
        case "event-late": self = .eventLate(try tokens.time())
        case "mdns-silent": self = .mdnsSilent
        case "mdns-flapping": self = .mdnsFlapping(try tokens.time(atLeast: Self.minimumFlap))
        case "port-changed": self = .portChanged
        case "configuration-changed": self = .configurationChanged
        case "ids-changed": self = .idsChanged
        case "restart": self = .restart(tokens.isAtEnd ? .zero : try tokens.time())
        case "power-cut":
            let message = try tokens.next("M2, M4 or M6")
            guard let state = Self.powerCuts[message] else {
                throw tokens.error("'\(message)' is not M2, M4 or M6, the accessory's messages of pair setup")
            }
            self = .powerCut(state)
        case "pairing-forgotten": self = .pairingForgotten
        case "battery-low": self = .batteryLow(tokens.isAtEnd ? Self.lowLevel : try tokens.integer(0...100))
        default:
            throw tokens.error("'\(word)' is not a fault; use \(Self.names.joined(separator: ", "))")
        }
    }

    /// The range of HAP status codes.
    private static let statuses = -70_499...(-70_401)
    private static let minimumFlap = Duration.milliseconds(100)
    private static let lowLevel = 10
    private static let powerCuts: [String: PairingState] = ["M2": .m2, "M4": .m4, "M6": .m6]

    /// The keywords of all faults.
    static let names = [
        "latency", "no-answer", "drop", "refuse", "half-answer", "wrong-tag", "status", "no-timed-writes", "value",
        "event-lost", "event-doubled", "event-late", "mdns-silent", "mdns-flapping", "port-changed",
        "configuration-changed", "ids-changed", "restart", "power-cut", "pairing-forgotten", "battery-low",
    ]
}

// MARK: Writing

extension Fault: CustomStringConvertible {
    /// The text that parses to this fault.
    public var description: String {
        switch span {
        case .untilCleared: "\(kind)"
        case .time(let time): "\(kind) for \(time.faultText)"
        case .times(1): "\(kind) once"
        case .times(let times): "\(kind) times \(times)"
        }
    }
}

extension Fault.Kind: CustomStringConvertible {
    /// The text of the kind.
    public var description: String {
        switch self {
        case .latency(let time, .zero): "latency \(time.faultText)"
        case .latency(let time, let jitter): "latency \(time.faultText) jitter \(jitter.faultText)"
        case .noAnswer: "no-answer"
        case .drop: "drop"
        case .refuse: "refuse"
        case .halfAnswer: "half-answer"
        case .wrongTag: "wrong-tag"
        case .status(let status, .all): "status \(status.rawValue)"
        case .status(let status, let access): "status \(status.rawValue) \(access.rawValue)"
        case .noTimedWrites: "no-timed-writes"
        case .value(let value): "value \(value.faultText)"
        case .eventLost: "event-lost"
        case .eventDoubled: "event-doubled"
        case .eventLate(let time): "event-late \(time.faultText)"
        case .mdnsSilent: "mdns-silent"
        case .mdnsFlapping(let time): "mdns-flapping \(time.faultText)"
        case .portChanged: "port-changed"
        case .configurationChanged: "configuration-changed"
        case .idsChanged: "ids-changed"
        case .restart(.zero): "restart"
        case .restart(let time): "restart \(time.faultText)"
        case .powerCut(let message): "power-cut \(message)"
        case .pairingForgotten: "pairing-forgotten"
        case .batteryLow(let level): "battery-low \(level)"
        }
    }
}

extension Duration {
    /// The duration as written in faults and scenarios, in milliseconds or seconds: `200ms`, `3s`.
    var faultText: String {
        let milliseconds = Int64(self / .milliseconds(1))
        return milliseconds % 1000 == 0 ? "\(milliseconds / 1000)s" : "\(milliseconds)ms"
    }
}

extension CharacteristicValue {
    fileprivate var faultText: String {
        switch self {
        case .bool(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .unsigned(let value): "\(value)"
        case .double(let value): "\(value)"
        case .string(let value): value
        case .data(let bytes): bytes.map { "\($0)" }.joined(separator: " ")
        }
    }
}
