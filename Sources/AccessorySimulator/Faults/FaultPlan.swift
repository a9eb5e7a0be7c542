internal import HAP
internal import HAPCatalog
internal import HAPServer
internal import Synchronization

/// The faults of one server. The simulator adds faults, and the server queries them.
final class FaultPlan: ServerFaultInjector {
    // This is a class because the simulator and the server share it.

    /// The scope of a fault.
    enum Scope: Hashable, Sendable {
        /// The whole server: a standalone accessory, or a bridge and its bridged accessories.
        case server
        /// A bridged accessory.
        case accessory(String)
        /// A characteristic.
        case characteristic(CharacteristicAddress)

        func concerns(_ address: CharacteristicAddress) -> Bool {
            switch self {
            case .server: true
            case .accessory(let key): key == address.accessory
            case .characteristic(let own): own == address
            }
        }

        func concerns(_ request: InspectedRequest) -> Bool {
            self == .server || request.addresses().contains(where: concerns)
        }
    }

    fileprivate struct Active {
        let id: UInt64
        let kind: Fault.Kind
        let scope: Scope
        /// The number of times that the fault still applies, or `nil` if it is unlimited.
        var rest: Int?
    }

    fileprivate struct State {
        var active: [Active] = []
        var generator: SeededGenerator
        var onPowerCut: @Sendable () -> Void = {}
    }

    private let state: Mutex<State>
    private let activity: ScenarioActivityTracker?
    private let observe: (@Sendable (TrafficEvent) -> Void)?

    /// Creates a plan without faults.
    ///
    /// - Parameters:
    ///   - activity: A tracker that is active while the server is working.
    ///   - observe: A closure that receives all traffic.
    init(
        generator: SeededGenerator,
        activity: ScenarioActivityTracker?,
        observe: (@Sendable (TrafficEvent) -> Void)?
    ) {
        self.activity = activity
        state = Mutex(State(generator: generator))
        self.observe = observe
    }

    /// Sets the action for a power cut during pair setup. The server then also closes every connection.
    func onPowerCut(_ action: @escaping @Sendable () -> Void) {
        state.withLock { $0.onPowerCut = action }
    }

    /// Adds a fault.
    func add(_ fault: Fault, _ scope: Scope, id: UInt64) {
        let rest: Int? = if case .times(let times) = fault.span { times } else { nil }
        state.withLock { $0.active.append(Active(id: id, kind: fault.kind, scope: scope, rest: rest)) }
    }

    /// Removes a fault.
    func remove(_ id: UInt64) {
        state.withLock { $0.active.removeAll { $0.id == id } }
    }

    /// The IDs of the faults that aren't used up.
    var ids: Set<UInt64> { state.withLock { Set($0.active.map(\.id)) } }
}

extension FaultPlan.State {
    /// Returns the result for the first matching fault, and counts its use.
    fileprivate mutating func consume<Value>(_ match: (FaultPlan.Active) -> Value?) -> Value? {
        for index in active.indices {
            guard let value = match(active[index]) else { continue }
            if let rest = active[index].rest {
                if rest > 1 { active[index].rest = rest - 1 } else { active.remove(at: index) }
            }
            return value
        }
        return nil
    }
}

// MARK: Server queries

extension FaultPlan {
    var hasFaults: Bool { state.withLock { !$0.active.isEmpty } }

    func fault(for request: InspectedRequest) -> RequestFault {
        state.withLock { state in
            guard !state.active.isEmpty else { return RequestFault() }
            var fault = RequestFault()
            let latency = state.consume { active -> (Duration, Duration)? in
                guard case .latency(let time, let jitter) = active.kind, active.scope.concerns(request) else {
                    return nil
                }
                return (time, jitter)
            }
            if let (time, jitter) = latency {
                let milliseconds = Int64(jitter / .milliseconds(1))
                fault.delay =
                    time + .milliseconds(Int64.random(in: -milliseconds...milliseconds, using: &state.generator))
            }
            let fate = state.consume { active -> RequestFault.Outcome? in
                guard let fate = active.kind.fate, active.scope.concerns(request) else { return nil }
                if fate == .wrongTag, !request.isSecured { return nil }
                return fate == .notFound && request.endpoint != .prepare ? nil : fate
            }
            fault.outcome = fate ?? .answered
            return fault
        }
    }

    func refusal(of address: CharacteristicAddress, isWrite: Bool) -> HAPStatus? {
        state.withLock { state in
            state.consume { active in
                guard case .status(let status, let access) = active.kind, active.scope.concerns(address),
                    access != (isWrite ? .read : .write)
                else { return nil }
                return status
            }
        }
    }

    func delivery(of address: CharacteristicAddress) -> EventDelivery {
        let delivery = state.withLock { state in
            state.consume { $0.scope.concerns(address) ? $0.kind.delivery : nil }
        }
        return delivery ?? .once
    }

    func shouldLosePower(before message: PairingState) -> Bool {
        let action = state.withLock { state in
            state.consume { $0.kind == .powerCut(message) ? true : nil }.map { _ in state.onPowerCut }
        }
        action?()
        return action != nil
    }

    var recordsTraffic: Bool { observe != nil }

    func record(_ event: TrafficEvent) {
        observe?(event)
    }

    func recordWork(isStarting: Bool) {
        if isStarting { activity?.begin() } else { activity?.finish() }
    }
}

extension Fault.Kind {
    /// The effect on responses.
    fileprivate var fate: RequestFault.Outcome? {
        switch self {
        case .noAnswer: .ignored
        case .drop: .dropped
        case .halfAnswer: .halved
        case .wrongTag: .wrongTag
        case .noTimedWrites: .notFound
        default: nil
        }
    }

    /// The effect on events.
    fileprivate var delivery: EventDelivery? {
        switch self {
        case .eventLost: .never
        case .eventDoubled: .twice
        case .eventLate(let time): .after(time)
        default: nil
        }
    }
}
