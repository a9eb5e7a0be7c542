internal import HAP
internal import HAPCatalog
internal import HAPClient
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
    private let hubRequests = ScenarioRequestCount()
    private let makeHome: HomeMaker?

    /// A closure that creates a scenario's home.
    package typealias HomeMaker = @Sendable (Scenario.Home) async throws -> any ScenarioHome

    /// Prepares a run.
    ///
    /// - Parameters:
    ///   - dataFolder: A folder for the accessories' identities. The accessories start with factory settings.
    ///   - seed: The seed of all random choices (default: the scenario's).
    ///   - makeHome: A closure that creates the home of a scenario that has one; `nil` to run only others.
    package init(
        _ scenario: Scenario,
        dataFolder: String,
        seed: UInt64? = nil,
        makeHome: HomeMaker? = nil
    ) throws(SimulatorError) {
        self.scenario = scenario
        self.makeHome = makeHome
        let hasHome = scenario.home != nil
        let (transcript, scheduler, activity, hubRequests) = (transcript, scheduler, activity, hubRequests)
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
            let app = activity.app(port)
            if hasHome, app == nil {
                hubRequests.add(traffic)
                if hubRequests.isWrite(traffic, of: accessory) {
                    transcript.record(traffic, of: accessory, at: scheduler.now, app: Self.hub)
                }
                return
            }
            transcript.record(traffic, of: accessory, at: scheduler.now, app: app)
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
            let home = try await prepareHome(apps)
            let report: ScenarioReport
            do throws(SimulatorError) {
                transcript.open()
                try await runSteps(apps, home)
                report = await self.report(apps)
            } catch {
                await home?.stop()
                throw error
            }
            await home?.stop()
            for app in apps { await app.end() }
            await simulator.stop()
            return report
        } catch {
            await simulator.stop()
            throw error
        }
    }

    /// The name of the home's hub in transcripts.
    private static let hub = "home"

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

    /// Starts the scenario's home with all accessories, scenes and automations.
    private func prepareHome(_ apps: [ScenarioApp]) async throws(SimulatorError) -> (any ScenarioHome)? {
        guard let description = scenario.home, let app = apps.first else { return nil }
        guard let makeHome else { throw description.node.error("a scenario with a home isn't supported here") }
        let home: any ScenarioHome
        do {
            home = try await makeHome(description)
        } catch {
            throw description.node.error("\(error)")
        }
        do {
            try await add(to: home, by: app)
            for scene in description.scenes { try await add(scene, to: home) }
            for automation in description.automations {
                do {
                    try await home.addAutomation(automation.name, when: automation.when, running: automation.scenes)
                } catch {
                    throw automation.node.error("\(error)")
                }
            }
            try await settle(home)
            return home
        } catch {
            await home.stop()
            throw error as? SimulatorError ?? description.node.error("\(error)")
        }
    }

    /// Adds all accessories to the home.
    private func add(to home: any ScenarioHome, by app: ScenarioApp) async throws {
        let controller = try await home.controller
        let pairing = Pairing(
            controllerID: controller.pairingID,
            publicKey: controller.keyPair.publicKey,
            permissions: .admin
        )
        for description in simulator.descriptions {
            guard let server = description.accessories.first?.key,
                let (own, address) = try await app.add(pairing, to: server)
            else { continue }
            let accessory = AccessoryPairing(
                deviceID: own.deviceID,
                accessoryPublicKey: own.accessoryPublicKey,
                controllerIdentity: controller
            )
            try await home.add(accessory, at: address)
        }
    }

    private func add(_ scene: Scenario.Home.Scene, to home: any ScenarioHome) async throws {
        var writes: [ScenarioHome.Write] = []
        for (target, value) in scene.values {
            let server = try await simulator.server(named: simulator.server(of: target.address.accessory))
            guard let id = await server.identifier(of: target.address) else {
                throw scene.node.error("\(target.text) is not hosted")
            }
            writes.append((server.deviceID, id, value))
        }
        do {
            try await home.addScene(scene.name, writing: writes)
        } catch {
            throw scene.node.error("\(error)")
        }
    }

    /// Returns the app that pairs with an accessory in a step.
    private func pairs(_ step: Scenario.Step, with server: String) -> String? {
        guard case .app(let app, .pair(let accessory), _, _) = step.action, simulator.server(of: accessory) == server
        else { return nil }
        return app
    }

    // MARK: Steps

    private func runSteps(_ apps: [ScenarioApp], _ home: (any ScenarioHome)?) async throws(SimulatorError) {
        for (index, step) in scenario.steps.enumerated() {
            try await advance(to: step.time, home)
            try await begin(step, index, apps, home)
            try await settle(home)
        }
        try await advance(to: max(scenario.lastTime, scheduler.now), home)
        // Let the requests time out that are still waiting for a response.
        while results.count < scenario.steps.count(where: \.isAppStep), let next = scheduler.nextTime {
            try await advance(to: next, home)
        }
    }

    /// Advances the time of the accessories, and with it that of the home, from one due time to the next.
    private func advance(to time: Duration, _ home: (any ScenarioHome)?) async throws(SimulatorError) {
        func settle() async throws(SimulatorError) { try await self.settle(home) }
        guard let home else { return try await scheduler.advance(to: time, settle) }
        do {
            while true {
                let next = [scheduler.nextTime, try await home.nextTime].compactMap(\.self).min() ?? time
                // What was due is due no more, so this ends.
                let step = min(max(next, scheduler.now), time)
                // The hub's clock is right before an accessory sends anything.
                scheduler.move(to: step)
                try await home.advance(to: step)
                try await settle()
                try await scheduler.advance(to: step, settle)
                guard step < time else { break }
            }
        } catch {
            throw error as? SimulatorError ?? SimulatorError(.wrongState, reason: "The home can't go on: \(error)")
        }
    }

    /// Waits until everything that happens now has happened.
    private func settle(_ home: (any ScenarioHome)?) async throws(SimulatorError) {
        try await activity.settled()
        guard let home else { return }
        do {
            while true {
                let before = hubRequests.count
                let own = try await home.settle()
                try await activity.settled()
                // The hub did nothing but wait.
                if hubRequests.count - before == own { return }
            }
        } catch {
            throw error as? SimulatorError ?? SimulatorError(.wrongState, reason: "The home can't go on: \(error)")
        }
    }

    private func begin(
        _ step: Scenario.Step,
        _ index: Int,
        _ apps: [ScenarioApp],
        _ home: (any ScenarioHome)?
    ) async throws(SimulatorError) {
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
            case .run(let scene):
                do {
                    try await home?.run(scene: scene)
                } catch {
                    results.fail("'\(scene)' failed: \(error)", index)
                }
            case .presence(let person, let isHome):
                do {
                    try await home?.setPresence(of: person, isHome: isHome)
                } catch {
                    throw SimulatorError(.wrongState, reason: "\(error)")
                }
            case .check(let target, let expected):
                let value = try await simulator.value(of: target.address)
                guard !target.isSame(value, expected) else { break }
                let shown = value?.shown ?? "nothing"
                results.fail("expected \(target.text) to be \(expected.shown), but it was \(shown)", index)
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
            case .run, .check: reason = results.failure(index)
            case .set, .fault, .clear, .presence: continue
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
    private let failures = Mutex<[Int: String]>([:])

    var count: Int { results.withLock(\.count) }

    subscript(index: Int) -> ScenarioApp.Result? { results.withLock { $0[index] } }

    func put(_ result: ScenarioApp.Result, _ index: Int) {
        results.withLock { $0[index] = result }
    }

    /// The reason for which a step without an app failed.
    func failure(_ index: Int) -> String? { failures.withLock { $0[index] } }

    func fail(_ reason: String, _ index: Int) {
        failures.withLock { $0[index] = reason }
    }
}

/// The requests of the home's hub. This is a class because the accessories write it and the run reads it.
private final class ScenarioRequestCount: Sendable {
    /// A connection. Each accessory numbers its own.
    private struct Connection: Hashable {
        var accessory: String
        var id: ConnectionID
    }

    private let state = Mutex<(count: Int, writing: Set<Connection>)>((0, []))

    var count: Int { state.withLock(\.count) }

    func add(_ traffic: TrafficEvent) {
        guard case .request = traffic.content else { return }
        state.withLock { $0.count += 1 }
    }

    /// Returns whether a message is a request that writes, or its response. What the hub reads depends on the machine's
    /// speed.
    func isWrite(_ traffic: TrafficEvent, of accessory: String) -> Bool {
        let connection = Connection(accessory: accessory, id: traffic.connection)
        return state.withLock { state in
            switch traffic.content {
            case .request(let request):
                if request.method == .put { state.writing.insert(connection) }
                return request.method == .put
            case .response: return state.writing.remove(connection) != nil
            case .opened, .event, .held, .resumed, .closed: return false
            }
        }
    }
}
