import AccessoryCheck
import HAP

/// What a controller did in a scenario.
package struct Course: Sendable {
    /// A request, and what it got.
    package struct Exchange: Sendable {
        let connection: ConnectionID
        let isSecured: Bool
        let request: HTTPRequest
        /// The accessory's own response, if it handled the request.
        var response: HTTPResponse?
        /// What wasn't exactly as HAP says.
        var objection: String?
        let time: ContinuousClock.Instant
        /// Whether the request came before the response to the last one.
        let isEarly: Bool
    }

    /// What happened on one connection.
    struct Connection: Sendable {
        let opened: ContinuousClock.Instant
        var closed: ContinuousClock.Instant?
        /// The lengths of the contents of the controller's frames that aren't allowed.
        var wrongLengths: [Int] = []
        /// Why the controller's bytes weren't frames of the session.
        var frameError: FrameError?
        /// The number of exchanges before the frame error.
        var exchangesBeforeError = 0
    }

    /// The moment when the controller was put to the test.
    struct Sprung: Sendable {
        /// The index of the exchange.
        let exchange: Int
        let connection: ConnectionID
        let time: ContinuousClock.Instant
    }

    /// The maximum number of exchanges that are kept. A controller that does more is not heard any longer.
    static let limit = 4096
    /// The maximum number of bytes of bodies that are kept.
    static let byteLimit = 16_777_216

    package internal(set) var exchanges: [Exchange] = []
    var connections: [ConnectionID: Connection] = [:]
    /// The traps that were sprung, in order.
    var sprung: [Sprung] = []
    /// Whether the controller did more than is kept.
    var isTruncated = false
    /// Whether the accessory is advertised.
    var isAdvertised = false
    /// Whether somebody was paired before.
    var wasPaired = false
    /// The time at which the scenario ended.
    var end: ContinuousClock.Instant?
    private var keptBytes = 0

    init() {}

    /// Adds a request. Returns `false` if the limit is reached.
    mutating func add(_ exchange: Exchange) -> Bool {
        keptBytes += exchange.request.body.count
        guard exchanges.count < Self.limit, keptBytes <= Self.byteLimit else {
            isTruncated = true
            return false
        }
        exchanges.append(exchange)
        return true
    }
}

// MARK: What checks ask for

extension Course {
    /// The requests of sessions.
    var secured: [Exchange] { exchanges.filter(\.isSecured) }

    /// Throws unless the controller came.
    func requireVisit() throws {
        guard !connections.isEmpty else { throw CheckNotApplicable("The controller did not come.") }
        guard !exchanges.isEmpty || connections.values.contains(where: { $0.frameError != nil }) else {
            throw CheckNotApplicable("The controller connected, and sent no request.")
        }
    }

    /// Returns the messages of a state at a pairing endpoint.
    func messages(_ path: String, state: UInt8) -> [Exchange] {
        exchanges.filter { $0.request.path == path && $0.request.pairingState == state }
    }

    /// Returns the requests of sessions, or throws if there are none.
    func requests(
        _ what: String,
        where matches: (Exchange) -> Bool = { _ in true }
    ) throws -> [Exchange] {
        let found = secured.filter(matches)
        guard !found.isEmpty else { throw CheckNotApplicable("The controller \(what).") }
        return found
    }

    /// The moment when the controller was first put to the test.
    func firstTrap() throws -> Sprung {
        guard let first = sprung.first else {
            throw CheckNotApplicable(
                exchanges.contains(where: \.isSecured)
                    ? "The controller sent nothing at which the accessory could do this."
                    : "The controller didn't come as far as this."
            )
        }
        return first
    }

    /// Returns the requests on the connection of a trap that came after it.
    func requests(after trap: Sprung) -> [Exchange] {
        exchanges[(trap.exchange + 1)...].filter { $0.connection == trap.connection }
    }

    /// Throws a failure if the controller went on with a connection that it should have given up.
    func expectGivenUp(_ what: String) throws {
        for trap in sprung {
            if let next = requests(after: trap).first {
                throw CheckFailure("After \(what), on the same connection: \(next.line)")
            }
        }
        _ = try firstTrap()
    }

    /// Throws a failure unless the controller went on with the connection after a trap.
    func expectContinued(_ what: String) throws {
        let trap = try firstTrap()
        guard requests(after: trap).isEmpty else { return }
        let later = exchanges[(trap.exchange + 1)...].first
        if let later {
            throw CheckFailure("After \(what), it gave the connection up. On another one: \(later.line)")
        }
        throw CheckFailure("After \(what), it sent nothing more")
    }
}

// MARK: Requests

extension Course.Exchange {
    /// The request in a line, with the status of its response.
    package var line: String {
        var text = "\(request.method.rawValue) \(request.target)"
        if let state = request.pairingState {
            text += ", State \(state)"
        } else if !request.body.isEmpty {
            text += " " + PrintableText.of(request.body.prefix(160)) + (request.body.count > 160 ? "…" : "")
        }
        text = PrintableText.excerpt(text, limit: 240)
        return response.map { "\(text) (HTTP \($0.status.rawValue))" } ?? text
    }
}

extension HTTPRequest {
    /// The value of State in a pairing message.
    var pairingState: UInt8? {
        guard path == "/pair-setup" || path == "/pair-verify" || path == "/pairings" else { return nil }
        return RawMessage.values(body)[6]?.first
    }

    /// The value of Method in a pairing message.
    var pairingMethod: UInt8? { RawMessage.values(body)[0]?.first }

    /// The entries of a write.
    var writeRequest: CharacteristicWriteRequest? {
        guard method == .put, path == "/characteristics" else { return nil }
        return try? CharacteristicWriteRequest(decoding: body)
    }

    /// Whether this writes a value.
    var writesValue: Bool { writeRequest?.entries.contains { $0.value != nil } ?? false }

    /// Whether this subscribes to events.
    var subscribes: Bool { writeRequest?.entries.contains { $0.events == true } ?? false }

    /// Whether this removes a pairing.
    var removesPairing: Bool { path == "/pairings" && pairingMethod == 4 }
}
