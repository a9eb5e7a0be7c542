internal import HAP
internal import HAPCatalog
internal import HAPServer
internal import Synchronization

/// A run of a ``Scenario``: its accessories on loopback, its apps, and its time, which goes on when all that is to happen
/// at a moment has happened. Nothing is waited for but what the machine computes.
public struct ScenarioRun: Sendable {
    private let scenario: Scenario
    private let simulator: Simulator
    private let timeline = ScenarioScheduler()
    private let activity = ScenarioActivityTracker()
    private let transcript = Transcript()
    private let results = ScenarioResults()

    /// Prepares a run.
    ///
    /// - Parameters:
    ///   - dataFolder: A folder for the accessories' identities. They begin as from the factory.
    ///   - seed: From what everything random comes; `nil` takes the scenario's.
    public init(_ scenario: Scenario, dataFolder: String, seed: UInt64? = nil) throws(SimulatorError) {
        self.scenario = scenario
        let (transcript, timeline, activity) = (transcript, timeline, activity)
        simulator = try Simulator(
            SimulatorConfiguration(
                files: scenario.files,
                dataFolder: dataFolder,
                bindAddress: "127.0.0.1",
                interfaces: nil,
                isFactoryReset: true,
                seed: seed ?? scenario.seed
            ),
            timeline: timeline,
            serverTimer: timeline.serverTimer,
            activity: activity
        ) { accessory, passage in
            let port = passage.remotePort
            transcript.note(passage, of: accessory, at: timeline.now, app: activity.app(port))
            switch passage.content {
            case .event: activity.eventLeaves(port)
            case .closed: activity.connectionEnds(port)
            case .resumed: activity.resume(port)
            case .held: activity.hold(port)
            case .opened, .request, .response: break
            }
        }
    }

    /// Runs the scenario. Once only.
    ///
    /// - Throws: ``SimulatorError`` if something cannot be done at all: an accessory cannot start, or a fault cannot be put
    ///   in. Expectations that fail are no error.
    public func run() async throws(SimulatorError) -> ScenarioReport {
        _ = try await simulator.start()
        do throws(SimulatorError) {
            let apps = try await meet()
            transcript.open()
            try await play(apps)
            let report = await report(apps)
            for app in apps { await app.end() }
            await simulator.stop()
            return report
        } catch {
            await simulator.stop()
            throw error
        }
    }

    // MARK: Before the beginning

    /// Pairs every app with every accessory but those that it pairs with in the scenario.
    private func meet() async throws(SimulatorError) -> [ScenarioApp] {
        var apps: [ScenarioApp] = []
        for (index, name) in scenario.apps.enumerated() {
            guard let id = PairingID("SCENARIO-APP-\(index + 1)") else { continue }
            apps.append(ScenarioApp(name, id, simulator: simulator, timeline: timeline, activity: activity))
        }
        for description in simulator.descriptions {
            guard let server = description.accessories.first?.key else { continue }
            let pairing = Set(scenario.steps.compactMap { pairs($0, with: server) })
            let known = apps.filter { !pairing.contains($0.name) }
            do {
                try await known.first?.pairFirst(server)
                for other in known.dropFirst() { try await known[0].add(other, to: server) }
            } catch {
                throw SimulatorError(.wrongState, reason: "\(server) could not be paired: \(error)")
            }
        }
        return apps
    }

    /// The app that pairs with an accessory in a step.
    private func pairs(_ step: Scenario.Step, with server: String) -> String? {
        guard case .app(let app, .pair(let accessory), _, _) = step.action, simulator.server(of: accessory) == server
        else { return nil }
        return app
    }

    // MARK: The play

    private func play(_ apps: [ScenarioApp]) async throws(SimulatorError) {
        for (index, step) in scenario.steps.enumerated() {
            try await timeline.advance(to: step.time, activity.settled)
            try await begin(step, index, apps)
            try await activity.settled()
        }
        try await timeline.advance(to: max(scenario.lastTime, timeline.now), activity.settled)
        // Apps that still wait for an answer lose their patience.
        while results.count < scenario.steps.count(where: \.isAppStep), let next = timeline.nextTime {
            try await timeline.advance(to: next, activity.settled)
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

    // MARK: What came of it

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
                    ?? "'\(name)' has not come to it"
            case .expectEvent(let app, let target, let value, let within, let isAbsent):
                let ids = await apps.first { $0.name == app }?.ids(of: target.address) ?? []
                let window = step.time...(step.time + within)
                reason = failure(of: &events[app, default: []], target, ids, value, window, isAbsent)
                    .map { "'\(app)' \($0)" }
            case .set, .fault, .clear: continue
            }
            expectations += 1
            if let reason {
                failures.append(ScenarioReport.Failure(place: step.place, line: step.line, reason: reason))
            }
        }
        let names = simulator.descriptions.map { ($0.accessories.first?.key ?? "", $0.name) }
        return ScenarioReport(failures: failures, expectations: expectations, transcript: transcript.text(names))
    }

    /// Why an app's step is not what was expected; `nil` if it is.
    private func failure(
        of result: ScenarioApp.Result,
        _ app: String,
        _ action: Scenario.AppAction,
        _ outcome: Scenario.Outcome,
        _ within: Duration?,
        _ step: Scenario.Step
    ) -> String? {
        guard result.outcome == outcome else { return "'\(app)' expected '\(outcome)', and it was '\(result.outcome)'" }
        if let within, result.time > step.time + within {
            return "'\(app)' expected it within \(within.faultText), and it took \((result.time - step.time).faultText)"
        }
        if case .read(let target, let expected?) = action, !target.isSame(result.value, expected) {
            return
                "'\(app)' expected \(target.text) to be \(expected.shown), and it was \(result.value?.shown ?? "nothing")"
        }
        return nil
    }

    /// Why events are not as expected; takes the event that is, so that another expectation needs another.
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
            return match.map { "heard that \(target.text) is \(value.shown) at \(events[$0].time.faultText)" }
        }
        guard let match else {
            let seen = own.map { "\(events[$0].value?.shown ?? "nothing") at \(events[$0].time.faultText)" }
            let end = window.upperBound.faultText
            return "has not heard until \(end) that \(target.text) is \(value.shown)"
                + (seen.isEmpty ? "" : ", but: \(seen.joined(separator: ", "))")
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
    /// Whether two values mean the same in the characteristic's format.
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

/// What came of the steps. A class, as the apps write what the run reads.
private final class ScenarioResults: Sendable {
    private let results = Mutex<[Int: ScenarioApp.Result]>([:])

    var count: Int { results.withLock(\.count) }

    subscript(index: Int) -> ScenarioApp.Result? { results.withLock { $0[index] } }

    func put(_ result: ScenarioApp.Result, _ index: Int) {
        results.withLock { $0[index] = result }
    }
}
