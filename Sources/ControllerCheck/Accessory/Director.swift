import DNSSD
import HAP
import HAPCatalog
import HAPServer
import Synchronization

/// Makes a scenario's accessory behave as it is to, and records what the controller does.
///
/// It is a class because the server's closures share it. All of them are called on the server's event loop.
final class Director: ServerFaultInjector {
    private struct State {
        var course = Course()
        /// The number of times at which bytes arrived, by connection.
        var inputs: [ConnectionID: Int] = [:]
        /// The number of inputs at the newest request, by connection.
        var requestInputs: [ConnectionID: Int] = [:]
        /// The index of the newest request, by connection.
        var newest: [ConnectionID: Int] = [:]
        var scanners: [ConnectionID: FrameScanner] = [:]
        /// What is to happen to the response of the newest request, by connection.
        var acts: [ConnectionID: Trap.Act] = [:]
        /// The newest response before it is framed, by connection.
        var plain: [ConnectionID: [UInt8]] = [:]
        /// How often the trap may still be sprung.
        var rest = 0
        /// Whether the accessory is restarting, and takes no request.
        var isRestarting = false
    }

    private let behavior: Behavior
    private let state = Mutex(State())
    private let sprung: @Sendable () async -> Void

    /// Creates a director.
    ///
    /// - Parameter sprung: A closure that is called in a task when the trap is first sprung, and changes the accessory.
    init(_ behavior: Behavior, isAdvertised: Bool, wasPaired: Bool, sprung: @escaping @Sendable () async -> Void) {
        self.behavior = behavior
        self.sprung = sprung
        state.withLock { state in
            state.rest = behavior.trap?.limit ?? 0
            state.course.isAdvertised = isAdvertised
            state.course.wasPaired = wasPaired
        }
    }

    /// What the controller did so far.
    var course: Course { state.withLock { $0.course } }

    /// The closures for the server.
    var rewriter: TrafficRewriter {
        var rewriter = TrafficRewriter()
        rewriter.input = { self.received($0, $1, isSecured: $2) }
        rewriter.request = { self.handling(of: $0, $1, isSecured: $2) }
        rewriter.response = { response, _, connection in self.message(for: response, connection) }
        rewriter.output = { self.output(for: $0, $1) }
        rewriter.frameError = { self.record($0, $1) }
        rewriter.frameLength = behavior.frameLength
        rewriter.advertisement = { record in
            self.behavior.advertisement(record, self.state.withLock { !$0.course.sprung.isEmpty })
        }
        return rewriter
    }
}

// MARK: Requests

extension Director {
    private func received(_ bytes: [UInt8], _ connection: ConnectionID, isSecured: Bool) -> TrafficRewriter.Input {
        state.withLock { state in
            guard !state.course.isTruncated, !state.isRestarting else { return .closed }
            state.inputs[connection, default: 0] += 1
            if isSecured {
                let wrong = state.scanners[connection, default: FrameScanner()].scan(bytes)
                state.course.connections[connection]?.wrongLengths += wrong
            }
            return .received
        }
    }

    private func handling(
        of request: HTTPRequest,
        _ connection: ConnectionID,
        isSecured: Bool
    ) -> TrafficRewriter.Handling {
        let objection = behavior.objection(request)
        let occasion: Trap.Occasion? = state.withLock { state in
            let inputs = state.inputs[connection]
            let exchange = Course.Exchange(
                connection: connection,
                isSecured: isSecured,
                request: request,
                objection: objection,
                time: .now,
                isEarly: state.requestInputs[connection] == inputs
            )
            guard state.course.add(exchange) else { return nil }
            state.requestInputs[connection] = inputs
            state.newest[connection] = state.course.exchanges.count - 1
            state.acts[connection] = nil
            return Trap.Occasion(
                request: request,
                connection: connection,
                isSecured: isSecured,
                course: state.course
            )
        }
        guard let occasion else { return .answered(HTTPResponse(status: .serviceUnavailable).encoded()) }
        if objection != nil {
            let response = HTTPResponse(status: .badRequest)
            state.withLock { $0.course.exchanges[occasion.course.exchanges.count - 1].response = response }
            return .answered(response.encoded())
        }
        guard let trap = behavior.trap, state.withLock({ $0.rest > 0 }), trap.isTriggered(occasion) else {
            return .handled(request)
        }
        if case .answer(let answer) = trap.act {
            guard let answer = try? answer(request, connection) else { return .handled(request) }
            if answer.springs { spring(connection) }
            return .answered(answer.bytes)
        }
        state.withLock { $0.acts[connection] = trap.act }
        spring(connection)
        return .handled(request)
    }

    private func spring(_ connection: ConnectionID) {
        let isFirst = state.withLock { state in
            state.rest -= 1
            let exchange = state.course.exchanges.count - 1
            state.course.sprung.append(Course.Sprung(exchange: exchange, connection: connection, time: .now))
            let isFirst = state.course.sprung.count == 1
            if isFirst { state.isRestarting = behavior.restartsWhenSprung }
            return isFirst
        }
        guard isFirst else { return }
        Task {
            await sprung()
            state.withLock { $0.isRestarting = false }
        }
    }
}

// MARK: Responses

extension Director {
    private func message(for response: HTTPResponse, _ connection: ConnectionID) -> [UInt8] {
        let (act, request): (Trap.Act?, HTTPRequest?) = state.withLock { state in
            guard let index = state.newest[connection] else { return (nil, nil) }
            state.course.exchanges[index].response = response
            return (state.acts[connection], state.course.exchanges[index].request)
        }
        var message = response.encoded()
        if case .respond(let respond) = act, let request {
            message = respond(response, request)
            state.withLock { $0.acts[connection] = nil }
        }
        state.withLock { $0.plain[connection] = message }
        return message
    }

    private func output(for wire: [UInt8], _ connection: ConnectionID) -> TrafficRewriter.Output? {
        let (act, plain) = state.withLock { state in (state.acts[connection], state.plain[connection] ?? []) }
        if case .output(let output) = act {
            state.withLock { $0.acts[connection] = nil }
            return output(wire, plain)
        }
        guard let length = behavior.pieceLength else { return nil }
        return TrafficRewriter.Output(
            stride(from: 0, to: wire.count, by: length).map { Array(wire[$0...].prefix(length)) }
        )
    }

    private func record(_ error: FrameError, _ connection: ConnectionID) {
        state.withLock { state in
            state.course.connections[connection]?.frameError = error
            state.course.connections[connection]?.exchangesBeforeError =
                state.course.exchanges.count { $0.connection == connection }
        }
    }
}

// MARK: Faults

extension Director {
    var hasFaults: Bool { true }

    func fault(for request: InspectedRequest) -> RequestFault {
        state.withLock { state in
            guard case .fault(let fault) = state.acts[request.connection] else { return RequestFault() }
            state.acts[request.connection] = nil
            return fault
        }
    }

    func refusal(of address: CharacteristicAddress, isWrite: Bool) -> HAPStatus? { nil }
    func delivery(of address: CharacteristicAddress) -> EventDelivery { .once }
    func shouldLosePower(before message: PairingState) -> Bool { false }
    func recordWork(isStarting: Bool) {}

    var recordsTraffic: Bool { true }

    func record(_ event: TrafficEvent) {
        state.withLock { state in
            switch event.content {
            case .opened:
                guard state.course.connections.count < Course.limit else {
                    state.course.isTruncated = true
                    return
                }
                state.course.connections[event.connection] = Course.Connection(opened: .now)
            case .closed:
                if state.course.connections[event.connection]?.closed == nil {
                    state.course.connections[event.connection]?.closed = .now
                }
                state.inputs[event.connection] = nil
                state.requestInputs[event.connection] = nil
                state.newest[event.connection] = nil
                state.scanners[event.connection] = nil
                state.acts[event.connection] = nil
                state.plain[event.connection] = nil
            default:
                return
            }
        }
    }

    /// Ends the record.
    func end() {
        state.withLock { $0.course.end = .now }
    }
}
