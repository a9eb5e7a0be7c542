internal import HAPServer

/// Looks for what contradicts itself in a scenario, before anything is started.
struct ScenarioCheck {
    private struct Lasting {
        let kind: Fault.Kind
        let place: String
        let accessory: String
        let end: Duration?
        let step: Scenario.Step
    }

    private let scenario: Scenario
    private let stage: Simulator

    init(_ scenario: Scenario, _ stage: Simulator) {
        self.scenario = scenario
        self.stage = stage
    }

    /// - Throws: ``SimulatorError`` with the code `invalidFile`, whose reason names line and field.
    func check() throws(SimulatorError) {
        guard !scenario.steps.isEmpty else { return }
        try checkEvents()
        try checkFaults()
        try checkPairings()
    }

    /// Events come only to who has subscribed before.
    private func checkEvents() throws(SimulatorError) {
        var subscribed: [String: Set<Scenario.Target>] = [:]
        for step in scenario.steps {
            switch step.action {
            case .app(let app, .subscribe(let target), _, _):
                subscribed[app, default: []].insert(target)
            case .expectEvent(let app, let target, _, _, _):
                let isKnown = subscribed[app, default: []].contains { $0.address == target.address }
                guard !isKnown else { continue }
                throw step.node.error("'\(app)' expects an event of \(target.text) and has not subscribed to it before")
            default: continue
            }
        }
    }

    /// Of two faults with the same effect at one place one would hide the other.
    private func checkFaults() throws(SimulatorError) {
        var lasting: [Lasting] = []
        for step in scenario.steps {
            switch step.action {
            case .fault(let fault, let accessory, let characteristic, let service):
                if characteristic == nil, fault.kind.needsCharacteristic {
                    throw step.node.error("'\(fault)' needs a characteristic")
                }
                if let characteristic, !fault.kind.fitsCharacteristic {
                    throw step.node.error("'\(fault)' is a fault of a whole accessory, not of \(characteristic)")
                }
                guard let subject = fault.kind.subject else { continue }
                let place = "\(accessory)/\(service ?? "")/\(characteristic ?? "")"
                lasting.removeAll { $0.end.map { $0 <= step.time } ?? false }
                if let other = lasting.first(where: { $0.place == place && $0.kind.subject == subject }) {
                    throw step.node.error(
                        "'\(fault)' is excluded by '\(other.kind)' of \(other.step.place) (line \(other.step.line)), "
                            + "which still lasts"
                    )
                }
                // One that is counted may have run out by then; the run sees to it.
                if case .times = fault.span { continue }
                var end: Duration?
                if case .time(let time) = fault.span { end = step.time + time }
                lasting.append(Lasting(kind: fault.kind, place: place, accessory: accessory, end: end, step: step))
            case .clear(let accessory):
                lasting.removeAll { $0.accessory == accessory }
            default: continue
            }
        }
    }

    private func hasPaired(_ app: String, _ server: String, before step: Scenario.Step) -> Bool {
        scenario.steps.prefix { $0.line < step.line }.contains { former in
            guard case .app(app, .pair(let accessory), _, _) = former.action else { return false }
            return stage.server(of: accessory) == server
        }
    }

    /// Who pairs with an accessory is not paired before, so it can do nothing else with it before.
    private func checkPairings() throws(SimulatorError) {
        for (index, step) in scenario.steps.enumerated() {
            guard case .app(let app, .pair(let accessory), _, _) = step.action else { continue }
            let server = stage.server(of: accessory)
            for former in scenario.steps[..<index] {
                guard case .app(app, let action, _, _) = former.action, !action.isPairing,
                    stage.server(of: action.accessory) == server
                else { continue }
                if hasPaired(app, server, before: former) { continue }
                throw former.node.error("'\(app)' pairs with the accessory only in \(step.place) (line \(step.line))")
            }
        }
    }
}

extension Scenario.AppAction {
    /// The accessory that the app talks to.
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
    /// The serial number of the standalone accessory or bridge that an accessory belongs to.
    nonisolated func server(of accessory: String) -> String {
        let description = descriptions.first { $0.accessories.contains { $0.key == accessory } }
        return description?.accessories.first?.key ?? accessory
    }
}
