internal import HAP
internal import HAPCatalog
internal import NIOCore
internal import NIOPosix

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// What the checks of a run work with: the accessory, the suite's pairing, and what is known of the database.
///
/// It is a class because it is one run, whose checks share connections. It belongs to one task.
package final class CheckContext {
    let options: CheckOptions
    var target: CheckTarget
    /// The suite's pairing, once it has one.
    var pairing: ExistingPairing?
    /// The course of the suite's pairing.
    var setup: ObservedSetup?
    /// The advertisement before the first check.
    var firstAdvertisement: AccessoryAdvertisement?
    /// The database as it was after pairing.
    var firstDatabase: [UInt8]?
    /// The pairings that checks added, and that must not stay.
    var addedPairings: Set<PairingID> = []
    /// The values that checks changed, as they were before.
    var changedValues: [CharacteristicID: String] = [:]
    /// The number of wrong proofs that the accessory counted.
    var failedTries = 0
    /// The time of the first attack.
    private var attackedSince: ContinuousClock.Instant?
    var transcript: Transcript?

    private var admin: ControllerConnection?
    private var known: CheckedDatabase?
    /// The database after the restart.
    var restarted: CheckedDatabase?
    /// Whether the advertisement was withdrawn when the accessory was stopped, if it was.
    var saidGoodbye: Bool?

    init(target: CheckTarget, options: CheckOptions) {
        self.target = target
        self.options = options
        if case .pairing(let pairing) = options.access { self.pairing = pairing }
    }

    /// The setup code, if the suite pairs.
    var code: SetupCode? {
        if case .code(let code) = options.access { code } else { nil }
    }

    /// Returns why no further attack may begin, or `nil`.
    func reasonNotToAttack() -> String? {
        let start = attackedSince ?? .now
        attackedSince = start
        guard .now - start >= options.attackTime else { return nil }
        return "The attacks took longer than \(options.attackTime.components.seconds) seconds."
    }

    // MARK: Connections

    /// Opens a connection.
    func connect() async throws -> ControllerConnection {
        try await ControllerConnection.open(
            host: target.host,
            port: target.port,
            timeout: options.responseTime,
            transcript: transcript
        )
    }

    /// The admin's session that checks share.
    func session() async throws -> ControllerConnection {
        if let admin { return admin }
        let connection = try await newSession()
        admin = connection
        return connection
    }

    /// Opens a session as the admin.
    func newSession() async throws -> ControllerConnection {
        guard let pairing else { throw CheckNotApplicable("There is no pairing.") }
        return try await session(as: pairing.controller)
    }

    /// Opens a session as a controller.
    func session(as controller: ControllerIdentity) async throws -> ControllerConnection {
        guard let pairing else { throw CheckNotApplicable("There is no pairing.") }
        let connection = try await connect()
        try await connection.verify(controller, pairing.accessory)
        return connection
    }

    /// Ends the shared session, so that the next check gets another.
    func endSession() {
        admin = nil
    }

    /// Adds a controller, and returns it. It is removed at the end of the run at the latest.
    func addController(_ permissions: PairingPermissions) async throws -> ControllerIdentity {
        let controller = Self.newController()
        addedPairings.insert(controller.pairingID)
        let pairing = Pairing(
            controllerID: controller.pairingID,
            publicKey: controller.keyPair.publicKey,
            permissions: permissions
        )
        let response = try await session().manage(.add(pairing))
        guard response == .done else { throw CheckFailure("Adding a controller: \(response)") }
        return controller
    }

    /// Removes a controller that a check added.
    func removeController(_ controller: ControllerIdentity) async throws {
        let response = try await session().manage(.remove(controller.pairingID))
        guard response == .done else { throw CheckFailure("Removing a controller: \(response)") }
        addedPairings.remove(controller.pairingID)
    }

    /// Returns a new controller. Its identifier is an uppercase UUID, because some accessories store it as such.
    static func newController() -> ControllerIdentity {
        let digits = (0..<32).map { _ in String(UInt8.random(in: 0..<16), radix: 16, uppercase: true) }
        var id = ""
        for (index, digit) in digits.enumerated() {
            if [8, 12, 16, 20].contains(index) { id += "-" }
            id += digit
        }
        guard let pairingID = PairingID(id) else { preconditionFailure("a UUID has 36 characters") }
        return ControllerIdentity(pairingID: pairingID, keyPair: .random())
    }

    // MARK: Database

    /// The database, as received first.
    func database() async throws -> CheckedDatabase {
        if let known { return known }
        guard let body = firstDatabase, let database = CheckedDatabase(body) else {
            throw CheckNotApplicable("GET /accessories didn't return a database (database.json).")
        }
        known = database
        return database
    }

    /// The characteristic to write.
    func subject() async throws -> CheckSubject {
        guard
            let subject = CheckSubject.best(in: try await database(), allowingActuators: options.allowsActuators)
        else {
            throw CheckNotApplicable(
                options.allowsActuators
                    ? "There is no characteristic with pr, pw and ev that the suite can write."
                    : "There is no characteristic with pr, pw and ev that may be written without --allow-actuators."
            )
        }
        return subject
    }

    // MARK: Characteristics

    /// An entry of a response to a read or a write.
    struct Entry {
        let id: CharacteristicID
        let status: Int64?
        let value: JSONValue?
        let object: JSONObject
    }

    /// Reads a characteristic's value.
    func value(of id: CharacteristicID, on connection: ControllerConnection) async throws -> JSONValue? {
        let response = try await connection.get("/characteristics?id=\(id)")
        guard response.status == .ok else { throw CheckFailure("Reading \(id): \(describe(response))") }
        return try entries(of: response).first { $0.id == id }?.value
    }

    /// Returns the entries of a response.
    func entries(of response: HTTPResponse) throws -> [Entry] {
        guard let list = try json(response).object?["characteristics"]?.array else {
            throw CheckFailure("No “characteristics” in \(describe(response))")
        }
        return try list.map { element in
            guard let object = element.object, let aid = object["aid"]?.unsignedInteger,
                let iid = object["iid"]?.unsignedInteger
            else { throw CheckFailure("An entry without aid and iid in \(describe(response))") }
            return Entry(
                id: CharacteristicID(aid: aid, iid: iid),
                status: object["status"]?.integer,
                value: object["value"],
                object: object
            )
        }
    }

    /// Returns the body as JSON.
    func json(_ response: HTTPResponse) throws -> JSONValue {
        do {
            return try JSONValue(parsing: response.body)
        } catch {
            throw CheckFailure("The body is not valid JSON (\(error)): \(describe(response))")
        }
    }

    /// Writes entries, given as the members after `aid` and `iid`.
    func write(
        _ entries: [(CharacteristicID, String)],
        pid: UInt64? = nil,
        on connection: ControllerConnection
    ) async throws -> HTTPResponse {
        let list = entries.map { id, members in
            #"{"aid":\#(id.aid),"iid":\#(id.iid)\#(members.isEmpty ? "" : ",")\#(members)}"#
        }
        let pid = pid.map { #","pid":\#($0)"# } ?? ""
        return try await connection.put(
            "/characteristics",
            #"{"characteristics":[\#(list.joined(separator: ","))]\#(pid)}"#
        )
    }

    /// Remembers a subject's value, so that it is restored at the end of the run, and returns it.
    @discardableResult
    func willChange(_ subject: CheckSubject, on connection: ControllerConnection) async throws -> JSONValue? {
        let value = try await value(of: subject.id, on: connection)
        if changedValues[subject.id] == nil, let value, let text = CheckSubject.text(value) {
            changedValues[subject.id] = text
        }
        return value
    }

    /// Gives the subject another value, and returns it.
    @discardableResult
    func change(_ subject: CheckSubject, on connection: ControllerConnection) async throws -> String {
        let other = subject.other(than: try await willChange(subject, on: connection))
        let response = try await write([(subject.id, #""value":\#(other)"#)], on: connection)
        try expect(response.status == .noContent, "Writing \(other): \(describe(response))")
        return other
    }

    /// Sends pieces of a message one by one, as they are.
    func sendPieces(_ pieces: [[UInt8]], on connection: ControllerConnection) async throws {
        options.willSendPieces()
        for (index, piece) in pieces.enumerated() {
            if index > 0 { await options.betweenPieces() }
            try await connection.sendPlain(piece)
        }
    }

    // MARK: Expectations

    /// Throws a failure unless a condition holds.
    func expect(_ condition: Bool, _ seen: @autoclosure () -> String) throws(CheckFailure) {
        guard condition else { throw CheckFailure(seen()) }
    }

    /// Throws unless a response refuses: with an HTTP status of 400 or above, or with a pairing error.
    func expectRefusal(_ response: HTTPResponse, _ what: String) throws(CheckFailure) {
        let isRefused = response.status.rawValue >= 400 || RawMessage.values(response.body)[7] != nil
        try expect(isRefused, "\(what): \(describe(response))")
    }

    /// Throws unless a response has a state and an error.
    func expectError(
        _ response: HTTPResponse,
        state: UInt8,
        error: PairingError,
        _ what: String
    ) throws(CheckFailure) {
        let values = RawMessage.values(response.body)
        let isExpected =
            response.status == .ok && values[6] == [state] && values[7] == [UInt8(truncatingIfNeeded: error.rawValue)]
        try expect(isExpected, "\(what): \(describe(response))")
    }

    /// Throws unless the connection is closed, without a response.
    func expectEnd(_ connection: ControllerConnection, _ what: String) async throws {
        while true {
            do {
                guard let message = try await connection.next() else { return }
                if case .response(let response) = message {
                    throw CheckFailure("\(what) was answered: \(describe(response))")
                }
            } catch is IOError {
                return
            } catch is ControllerConnection.Silence {
                throw CheckFailure("\(what): the connection stays open")
            }
        }
    }

    /// Returns the events that come until it is quiet.
    func events(on connection: ControllerConnection) async throws -> [EventMessage] {
        let before = connection.events.count
        // What the accessory sent before or with the first response is here with the second.
        for _ in 0..<2 { _ = try await connection.get("/characteristics?id=1.1") }
        var events = Array(connection.events.dropFirst(before))
        guard options.quietTime > .zero else { return events }
        do {
            while case .event(let event)? = try await connection.next(within: options.quietTime) {
                events.append(event)
            }
        } catch is ControllerConnection.Silence {
            // It is quiet.
        }
        return events
    }
}

// MARK: Descriptions

extension CheckContext {
    /// Describes a response in a line.
    func describe(_ response: HTTPResponse) -> String {
        let status = "HTTP \(response.status.rawValue)"
        guard !response.body.isEmpty else { return "\(status) without a body" }
        let type = response.headers["Content-Type"] ?? ""
        if type.contains("tlv8") {
            let values = RawMessage.values(response.body)
            let state = values[6]?.first.map { "State \($0)" } ?? "no State"
            let error = values[7]?.first.map { ", Error \($0)" } ?? ""
            return "\(status), \(state)\(error)"
        }
        return "\(status), \(PrintableText.excerpt(response.text))"
    }

    /// Returns whether an error means that the accessory sent nothing for as long as the run waits.
    static func isSilence(_ error: any Error) -> Bool {
        switch error {
        case is ControllerConnection.Silence, ChannelError.connectTimeout: true
        case let error as NIOConnectionError: error.connectionErrors.contains { isSilence($0.error) }
        default: false
        }
    }

    /// Describes an error in a line.
    static func describe(_ error: any Error) -> String {
        switch error {
        case let failure as CheckFailure: failure.seen
        case let aftermath as AttackAftermath: "Afterwards: \(describe(aftermath.cause))"
        case is ControllerConnection.Silence: "no answer in time"
        case is ControllerConnection.Closed: "the accessory closed the connection instead of answering"
        case let failure as PairingFailure: PrintableText.excerpt("\(failure)", limit: 200)
        case let error as HTTPError: "malformed HTTP: \(error)"
        case let error as FrameError: "malformed frame: \(error)"
        case let error as NIOConnectionError:
            error.connectionErrors.first.map { describe($0.error) } ?? "no address is known for \(error.host)"
        case let error as IOError where error.errnoCode == ECONNREFUSED: "nothing listens at the port"
        case ChannelError.connectTimeout: "no answer in time"
        case is IOError, is ChannelError: "the connection broke"
        default: PrintableText.excerpt("\(error)", limit: 200)
        }
    }
}
