internal import HAPServer

/// A check for contradictions in a scenario, before anything is started.
struct ScenarioCheck {
    private struct Lasting {
        let kind: Fault.Kind
        let path: String
        let accessory: String
        let end: Duration?
        let step: Scenario.Step
    }

    private let scenario: Scenario
    private let simulator: Simulator

    init(_ scenario: Scenario, _ simulator: Simulator) {
        self.scenario = scenario
        self.simulator = simulator
    }

    /// - Throws: ``SimulatorError`` with the code `invalidFile`; the reason names the line and the field.
    func check() throws(SimulatorError) {
        guard !scenario.steps.isEmpty else { return }
        try checkEvents()
        try checkFaults()
        try checkPairings()
    }

    /// Checks that apps expect events only after subscribing.
    private func checkEvents() throws(SimulatorError) {
        var subscribed: [String: Set<CharacteristicAddress>] = [:]
        for step in scenario.steps {
            switch step.action {
            case .app(let app, .subscribe(let target), _, _):
                subscribed[app, default: []].insert(target.address)
            case .expectEvent(let app, let target, _, _, _):
                guard subscribed[app]?.contains(target.address) != true else { continue }
                throw step.node.error("'\(app)' expects an event of \(target.text) and has not subscribed to it before")
            default: continue
            }
        }
    }

    /// Checks that no fault hides another one with the same effect on the same target.
    private func checkFaults() throws(SimulatorError) {
        var lasting: [Lasting] = []
        for step in scenario.steps {
            switch step.action {
            case .fault where scenario.home != nil, .clear where scenario.home != nil:
                throw step.node.error(
                    "a scenario with a home has no faults, because a hub tries again in real time"
                )
            case .fault(let fault, let accessory, let characteristic, let service):
                if characteristic == nil, fault.kind.needsCharacteristic {
                    throw step.node.error("'\(fault)' requires a characteristic")
                }
                if let characteristic, !fault.kind.canTargetCharacteristic {
                    throw step.node.error("'\(fault)' applies to a whole accessory, not to \(characteristic)")
                }
                guard let subject = fault.kind.subject else { continue }
                let path = "\(accessory)/\(service ?? "")/\(characteristic ?? "")"
                lasting.removeAll { $0.end.map { $0 <= step.time } ?? false }
                if let other = lasting.first(where: { $0.path == path && $0.kind.subject == subject }) {
                    throw step.node.error(
                        "'\(fault)' is excluded by '\(other.kind)' of \(other.step.path) (line \(other.step.line)), "
                            + "which still lasts"
                    )
                }
                // A counted fault may be used up by then; the run checks that.
                if case .times = fault.span { continue }
                var end: Duration?
                if case .time(let time) = fault.span { end = step.time + time }
                lasting.append(Lasting(kind: fault.kind, path: path, accessory: accessory, end: end, step: step))
            case .clear(let accessory):
                lasting.removeAll { $0.accessory == accessory }
            default: continue
            }
        }
    }

    /// An app and an accessory server that it communicates with.
    private struct Line: Hashable {
        let app: String
        let server: String
    }

    /// Checks that an app that pairs in the scenario doesn't use the accessory before that.
    private func checkPairings() throws(SimulatorError) {
        var servers: [String: String] = [:]
        var paired: Set<Line> = []
        // The first request of each app to each server before any pairing.
        var unpaired: [Line: Scenario.Step] = [:]
        for step in scenario.steps {
            guard case .app(let app, let action, _, _) = step.action else { continue }
            if action.isPairing, scenario.home != nil {
                throw step.node.error("the accessories of a home are paired before the first step")
            }
            let server = servers[action.accessory] ?? simulator.server(of: action.accessory)
            servers[action.accessory] = server
            let line = Line(app: app, server: server)
            guard action.isPairing else {
                if !paired.contains(line), unpaired[line] == nil { unpaired[line] = step }
                continue
            }
            if let earlier = unpaired[line] {
                throw earlier.node.error("'\(app)' pairs with the accessory only in \(step.path) (line \(step.line))")
            }
            paired.insert(line)
        }
    }
}

extension Scenario.AppAction {
    /// The accessory that receives the request.
    var accessory: String {
        switch self {
        case .pair(let accessory), .list(let accessory): accessory
        case .read(let target, _), .write(let target, _), .subscribe(let target): target.address.accessory
        }
    }

    var isPairing: Bool {
        if case .pair = self { true } else { false }
    }
}

extension Simulator {
    /// Returns the serial number of the standalone accessory or bridge that an accessory belongs to.
    nonisolated func server(of accessory: String) -> String {
        let description = descriptions.first { $0.accessories.contains { $0.key == accessory } }
        return description?.accessories.first?.key ?? accessory
    }
}
