import HAP
import HAPCatalog
import NIOCore
import Testing

@testable import HAPClient

/// A session machine with a manual clock. It records the machine's actions, one line each.
struct MachineHarness {
    var machine: SessionMachine
    var now = NIODeadline.uptimeNanoseconds(1_000_000_000_000)
    /// The actions since the last ``drain()``.
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

    /// A generator of the largest number, so that a delay has its maximum.
    private struct HighestNumbers: RandomNumberGenerator {
        mutating func next() -> UInt64 { .max }
    }

    /// Removes and returns the actions since the last call.
    mutating func drain() -> [String] {
        defer { lines = [] }
        return lines
    }

    mutating func start() { record(machine.start(at: now)) }

    mutating func connected(to address: AccessoryAddress = address) { record(machine.connected(to: address, at: now)) }

    mutating func connectFailed(_ cause: UnreachableCause) { record(machine.connectFailed(cause, at: now)) }

    mutating func verified() { record(machine.verified(at: now)) }

    mutating func verifyFailed(_ cause: UnreachableCause) { record(machine.verifyFailed(cause, at: now)) }

    mutating func lost(_ cause: UnreachableCause = .connectionLost) { record(machine.lost(cause, at: now)) }

    mutating func update(_ addresses: [AccessoryAddress]) { record(machine.update(addresses: addresses, at: now)) }

    mutating func configurationDidChange(number: Int) {
        record(machine.configurationDidChange(number: number, at: now))
    }

    mutating func didReceiveGoodbye() { record(machine.didReceiveGoodbye(at: now)) }

    mutating func stop() { record(machine.stop()) }

    mutating func submit(_ kinds: QueuedRequest.Kind...) {
        record(machine.submit(kinds, at: now).1)
    }

    mutating func answer(_ status: HTTPStatus, _ json: String = "") {
        record(machine.answered(HTTPResponse(status: status, json: Array(json.utf8)), at: now))
    }

    mutating func answer(_ response: HTTPResponse) {
        record(machine.answered(response, at: now))
    }

    mutating func event(_ json: String) {
        record(machine.received(EventMessage(json: Array(json.utf8)), at: now))
    }

    /// Advances the clock to the next deadline, as the timer would.
    mutating func advanceToDeadline() throws {
        now = try #require(machine.deadline)
        record(machine.timeReached(at: now))
    }

    /// Advances the clock, and handles all deadlines on the way.
    mutating func advance(_ duration: Duration) {
        let end = now + TimeAmount(duration)
        while let deadline = machine.deadline, deadline <= end {
            now = max(now, deadline)
            record(machine.timeReached(at: now))
        }
        now = end
    }

    /// Makes the session ready, and discards the actions.
    mutating func makeReady() {
        start()
        reconnect()
        lines = []
    }

    /// Completes an attempt to connect, until the attributes are answered.
    mutating func reconnect() {
        connected()
        verified()
        while machine.phase == .resubscribing { answer(.noContent) }
        answerAttributes()
    }

    mutating func answerAttributes() {
        answer(HTTPResponse(status: .ok, json: Fixture.body))
    }

    private mutating func record(_ actions: [SessionMachine.Action]) {
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
