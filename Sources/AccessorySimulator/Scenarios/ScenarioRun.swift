internal import HAP
internal import HAPCatalog
internal import HAPServer
internal import Synchronization

/// A run of a ``Scenario`` with its accessories on loopback, its apps, and its virtual time. Time advances when all
/// work for the current time is done, so a run never waits in real time.
public struct ScenarioRun: Sendable {
    private let scenario: Scenario
    private let simulator: Simulator
    private let scheduler = ScenarioScheduler()
    private let activity = ScenarioActivityTracker()
    private let transcript = Transcript()
    private let results = ScenarioResults()

    /// Prepares a run.
    ///
    /// - Parameters:
    ///   - dataFolder: A folder for the accessories' identities. The accessories start with factory settings.
    ///   - seed: The seed of all random choices (default: the scenario's).
    public init(_ scenario: Scenario, dataFolder: String, seed: UInt64? = nil) throws(SimulatorError) {
        self.scenario = scenario
        let (transcript, scheduler, activity) = (transcript, scheduler, activity)
        simulator = try Simulator(
            SimulatorConfiguration(
                files: scenario.files,
                dataFolder: dataFolder,
                bindAddress: "127.0.0.1",
                interfaces: nil,
                isFactoryReset: true,
                seed: seed ?? scenario.seed
            ),
            scheduler: scheduler,
            serverTimer: scheduler.serverTimer,
            activity: activity
        ) { accessory, traffic in
            let port = traffic.remotePort
            transcript.record(traffic, of: accessory, at: scheduler.now, app: activity.app(port))
            switch traffic.content {
            case .event: activity.eventLeaves(port)
            case .closed: activity.connectionEnds(port)
            case .resumed: activity.resume(port)
            case .held: activity.hold(port)
            case .opened, .request, .response: break
            }
        }
    }

    /// Runs the scenario. Call this only once.
    ///
    /// - Throws: ``SimulatorError`` if the scenario can't continue: an accessory can't start, or a fault can't be
    ///   injected. Failed expectations aren't errors.
    public func run() async throws(SimulatorError) -> ScenarioReport {
        _ = try await simulator.start()
        do throws(SimulatorError) {
            let apps = try await pairApps()
            transcript.open()
            try await runSteps(apps)
            let report = await report(apps)
            for app in apps { await app.end() }
            await simulator.stop()
            return report
        } catch {
            await simulator.stop()
            throw error
        }
    }

    // MARK: Preparation

    /// Pairs every app with every accessory, except those that it pairs with in the scenario.
    private func pairApps() async throws(SimulatorError) -> [ScenarioApp] {
        var apps: [ScenarioApp] = []
        for (index, name) in scenario.apps.enumerated() {
            guard let id = PairingID("SCENARIO-APP-\(index + 1)") else { continue }
            apps.append(ScenarioApp(name, id, simulator: simulator, scheduler: scheduler, activity: activity))
        }
        for description in simulator.descriptions {
            guard let server = description.accessories.first?.key else { continue }
            let pairing = Set(scenario.steps.compactMap { pairs($0, with: server) })
            let pairedApps = apps.filter { !pairing.contains($0.name) }
            do {
                try await pairedApps.first?.pairFirst(server)
                for other in pairedApps.dropFirst() { try await pairedApps[0].add(other, to: server) }
            } catch {
                throw SimulatorError(.wrongState, reason: "Can't pair with \(server): \(error)")
            }
        }
        return apps
    }

    /// Returns the app that pairs with an accessory in a step.
    private func pairs(_ step: Scenario.Step, with server: String) -> String? {
        guard case .app(let app, .pair(let accessory), _, _) = step.action, simulator.server(of: accessory) == server
        else { return nil }
        return app
    }

    // MARK: Steps

    private func runSteps(_ apps: [ScenarioApp]) async throws(SimulatorError) {
        for (index, step) in scenario.steps.enumerated() {
            try await scheduler.advance(to: step.time, activity.settled)
            try await begin(step, index, apps)
            try await activity.settled()
        }
        try await scheduler.advance(to: max(scenario.lastTime, scheduler.now), activity.settled)
        // Let the requests time out that are still waiting for a response.
        while results.count < scenario.steps.count(where: \.isAppStep), let next = scheduler.nextTime {
            try await scheduler.advance(to: next, activity.settled)
        }
    }

    private func begin(_ step: Scenario.Step, _ index: Int, _ apps: [ScenarioApp]) async throws(SimulatorError) {
        do throws(SimulatorError) {
            switch step.action {
            case .app(let name, let action, _, _):
                let results = results
                await apps.first { $0.name == name }?.submit(action) { results.put($0, index) }
            case .expectEvent:
                break
            case .set(let target, let value):
                try await simulator.set(value, of: target.address)
            case .fault(let fault, let accessory, let characteristic, let service):
                try await simulator.inject(fault, into: accessory, characteristic: characteristic, service: service)
            case .clear(let accessory):
                try await simulator.clearFaults(of: accessory)
            }
        } catch {
            throw step.node.error(error.reason)
        }
    }

    // MARK: Report

    private func report(_ apps: [ScenarioApp]) async -> ScenarioReport {
        var failures: [ScenarioReport.Failure] = []
        var events = Dictionary(uniqueKeysWithValues: apps.map { ($0.name, $0.events) })
        var expectations = 0
        for (index, step) in scenario.steps.enumerated() {
            let reason: String?
            switch step.action {
            case .app(let name, let action, let outcome, let within):
                reason =
                    results[index].map { failure(of: $0, name, action, outcome, within, step) }
                    ?? "'\(name)' did not complete this step"
            case .expectEvent(let app, let target, let value, let within, let isAbsent):
                let ids = await apps.first { $0.name == app }?.ids(of: target.address) ?? []
                let window = step.time...(step.time + within)
                reason = failure(of: &events[app, default: []], target, ids, value, window, isAbsent)
                    .map { "'\(app)' \($0)" }
            case .set, .fault, .clear: continue
            }
            expectations += 1
            if let reason {
                failures.append(ScenarioReport.Failure(path: step.path, line: step.line, reason: reason))
            }
        }
        let names = simulator.descriptions.map { ($0.accessories.first?.key ?? "", $0.name) }
        return ScenarioReport(failures: failures, expectations: expectations, transcript: transcript.text(names))
    }

    /// Returns how a request differs from the expectation, or `nil` if it doesn't.
    private func failure(
        of result: ScenarioApp.Result,
        _ app: String,
        _ action: Scenario.AppAction,
        _ outcome: Scenario.Outcome,
        _ within: Duration?,
        _ step: Scenario.Step
    ) -> String? {
        guard result.outcome == outcome else { return "'\(app)' expected '\(outcome)', but it was '\(result.outcome)'" }
        if let within, result.time > step.time + within {
            return "'\(app)' expected it within \(within.faultText), but it took \((result.time - step.time).faultText)"
        }
        if case .read(let target, let expected?) = action, !target.isSame(result.value, expected) {
            return
                "'\(app)' expected \(target.text) to be \(expected.shown), but it was \(result.value?.shown ?? "nothing")"
        }
        return nil
    }

    /// Returns how the events differ from the expectation. Removes a matching event, so that each expectation needs its
    /// own event.
    private func failure(
        of events: inout [ScenarioApp.Event],
        _ target: Scenario.Target,
        _ ids: Set<CharacteristicID>,
        _ value: CharacteristicValue,
        _ window: ClosedRange<Duration>,
        _ isAbsent: Bool
    ) -> String? {
        let server = simulator.server(of: target.address.accessory)
        let own = events.indices.filter { index in
            let event = events[index]
            return event.server == server && ids.contains(event.id) && window.contains(event.time)
        }
        let match = own.first { target.isSame(events[$0].value, value) }
        if isAbsent {
            return match.map { "received the value \(value.shown) of \(target.text) at \(events[$0].time.faultText)" }
        }
        guard let match else {
            let seen = own.map { "\(events[$0].value?.shown ?? "nothing") at \(events[$0].time.faultText)" }
            let end = window.upperBound.faultText
            return "did not receive the value \(value.shown) of \(target.text) by \(end)"
                + (seen.isEmpty ? "" : ", but received: \(seen.joined(separator: ", "))")
        }
        events.remove(at: match)
        return nil
    }
}

extension Scenario.Step {
    fileprivate var isAppStep: Bool {
        if case .app = action { true } else { false }
    }
}

extension Scenario.Target {
    /// Returns whether two values are equal in the characteristic's format.
    fileprivate func isSame(_ value: CharacteristicValue?, _ expected: CharacteristicValue) -> Bool {
        guard let value else { return false }
        if value == expected { return true }
        let own = try? metadata.validate(value, checkingStep: false)
        return own != nil && own == (try? metadata.validate(expected, checkingStep: false))
    }
}

extension CharacteristicValue {
    fileprivate var shown: String {
        switch self {
        case .bool(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .unsigned(let value): "\(value)"
        case .double(let value): "\(value)"
        case .string(let value): "'\(value)'"
        case .data(let bytes): "\(bytes.count) bytes"
        }
    }
}

/// The results of the steps. This is a class because the apps write it and the run reads it.
private final class ScenarioResults: Sendable {
    private let results = Mutex<[Int: ScenarioApp.Result]>([:])

    var count: Int { results.withLock(\.count) }

    subscript(index: Int) -> ScenarioApp.Result? { results.withLock { $0[index] } }

    func put(_ result: ScenarioApp.Result, _ index: Int) {
        results.withLock { $0[index] = result }
    }
}
