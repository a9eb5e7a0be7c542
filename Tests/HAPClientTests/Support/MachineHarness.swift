import HAP
import HAPCatalog
import NIOCore
import Testing

@testable import HAPClient

/// A session machine on a clock that moves by hand. What the machine wants is kept as one line for each action.
struct MachineHarness {
    var machine: SessionMachine
    var now = NIODeadline.uptimeNanoseconds(1_000_000_000_000)
    /// What is to be done since the last ``take()``.
    private var lines: [String] = []

    static let address = AccessoryAddress(host: "127.0.0.1", port: 7)
    static let controllerID = PairingID("CONTROLLER")

    init(
        addresses: [AccessoryAddress] = [address],
        configuration: SessionConfiguration = SessionConfiguration()
    ) throws {
        machine = SessionMachine(
            controllerID: try #require(Self.controllerID),
            addresses: addresses,
            configuration: configuration,
            generator: HighestNumbers()
        )
    }

    /// Draws the largest number each time, so that a wait is the whole of its bound.
    private struct HighestNumbers: RandomNumberGenerator {
        mutating func next() -> UInt64 { .max }
    }

    /// What is to be done since the last call.
    mutating func take() -> [String] {
        defer { lines = [] }
        return lines
    }

    mutating func start() { note(machine.start(at: now)) }

    mutating func connected(to address: AccessoryAddress = address) { note(machine.connected(to: address, at: now)) }

    mutating func connectFailed(_ cause: UnreachableCause) { note(machine.connectFailed(cause, at: now)) }

    mutating func verified() { note(machine.verified(at: now)) }

    mutating func verifyFailed(_ cause: UnreachableCause) { note(machine.verifyFailed(cause, at: now)) }

    mutating func lost(_ cause: UnreachableCause = .connectionLost) { note(machine.lost(cause, at: now)) }

    mutating func update(_ addresses: [AccessoryAddress]) { note(machine.update(addresses: addresses, at: now)) }

    mutating func configurationDidChange(number: Int) {
        note(machine.configurationDidChange(number: number, at: now))
    }

    mutating func didReceiveGoodbye() { note(machine.didReceiveGoodbye(at: now)) }

    mutating func stop() { note(machine.stop()) }

    mutating func submit(_ kinds: QueuedRequest.Kind...) {
        note(machine.submit(kinds, at: now).1)
    }

    mutating func answer(_ status: HTTPStatus, _ json: String = "") {
        note(machine.answered(HTTPResponse(status: status, json: Array(json.utf8)), at: now))
    }

    mutating func answer(_ response: HTTPResponse) {
        note(machine.answered(response, at: now))
    }

    mutating func event(_ json: String) {
        note(machine.received(EventMessage(json: Array(json.utf8)), at: now))
    }

    /// Moves the clock to the next deadline, as the timer would.
    mutating func toDeadline() throws {
        now = try #require(machine.deadline)
        note(machine.timeReached(at: now))
    }

    /// Moves the clock, passing every deadline on the way.
    mutating func advance(_ duration: Duration) {
        let end = now + TimeAmount(duration)
        while let deadline = machine.deadline, deadline <= end {
            now = max(now, deadline)
            note(machine.timeReached(at: now))
        }
        now = end
    }

    /// The way to a ready session; what happens on it is not kept.
    mutating func makeReady() {
        start()
        reconnect()
        lines = []
    }

    /// From a try to connect to the answered attributes.
    mutating func reconnect() {
        connected()
        verified()
        while machine.phase == .resubscribing { answer(.noContent) }
        answerAttributes()
    }

    mutating func answerAttributes() {
        answer(HTTPResponse(status: .ok, json: Fixture.body))
    }

    private mutating func note(_ actions: [SessionMachine.Action]) {
        lines += actions.map(\.line)
    }
}

extension SessionMachine.Action {
    fileprivate var line: String {
        switch self {
        case .connect(let addresses): "connect \(addresses.map(\.description).joined(separator: " "))"
        case .verify: "verify"
        case .send(let request):
            "\(request.method) \(request.target) \(String(decoding: request.body, as: UTF8.self))"
                .trimmingSuffix(" ")
        case .disconnect: "disconnect"
        case .report(.ready): "ready"
        case .report(.values(let values)):
            "values " + values.map { "\($0)=\($1.map { "\($0)" } ?? "nil")" }.joined(separator: " ")
        case .report(.unreachable(let cause)): "unreachable \(cause.name)"
        case .finish(let finished):
            "finish \(finished.ticket.rawValue): " + finished.outcomes.map(\.line).joined(separator: ", ")
        }
    }
}

extension RequestOutcome {
    fileprivate var line: String {
        switch self {
        case .value(let value): value.map { "\($0)" } ?? "done"
        case .pairings(.done): "done"
        case .pairings(let response): "\(response)"
        case .failure(.status(let status)): "status \(status.rawValue)"
        case .failure(.unreachable(let cause)): "unreachable \(cause.name)"
        case .failure(.outcomeUnknown(let cause)): "unknown \(cause.name)"
        case .failure(let failure): "\(failure)"
        }
    }
}

extension String {
    fileprivate func trimmingSuffix(_ suffix: String) -> String {
        hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
    }
}
