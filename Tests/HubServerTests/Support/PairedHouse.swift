import Foundation
import HAP
import HAPCatalog
import HAPServer
import HomeModel
import HubAPI
import LocalRPC
import PeerProcess
import Replication
import Synchronization
import Testing

@testable import AccessorySimulator
@testable import HomeHub
@testable import HubServer

/// Two hubs on manual clocks with a relay, and a lamp and a motion sensor that both control.
struct PairedHouse {
    /// Monday, 2026-03-02, 12:00 UTC.
    static let noon = Date(timeIntervalSince1970: 1_772_452_800)

    /// What happened to triggers and writes at a hub, as it is journaled.
    final class Told: Sendable {
        // This is a class because the activity stream keeps its subscriber.

        private let state = Mutex<(outcomes: [TriggerOutcome], failures: [HubError.Code])>(([], []))

        var outcomes: [TriggerOutcome] { state.withLock { $0.outcomes } }
        var failures: [HubError.Code] { state.withLock { $0.failures } }

        init(of hub: RunningHub) {
            hub.hub.activities.subscribe { [weak self] activity in
                switch activity {
                case .trigger(let activity): self?.state.withLock { $0.outcomes.append(activity.outcome) }
                case .failedWrites(let writes):
                    self?.state.withLock { $0.failures += writes.map(\.error.code) }
                default: break
                }
            }
        }
    }

    /// The requests that change something, as the accessories got them.
    final class Requests: Sendable {
        // This is a class because the accessories add to it.

        private struct State {
            var lines: [String] = []
            var prepared: (@Sendable () -> Void)?
        }

        private let state = Mutex(State())

        /// The bodies of all writes of values.
        var writes: [String] { state.withLock { $0.lines }.filter { $0.contains(#""value""#) } }
        /// The bodies of all preparations.
        var preparations: [String] { state.withLock { $0.lines }.filter { $0.contains(#""ttl""#) } }

        /// Sets what happens while an accessory prepares a write.
        func whenPrepared(_ action: @escaping @Sendable () -> Void) { state.withLock { $0.prepared = action } }

        fileprivate func add(_ request: HTTPRequest) {
            guard request.method == .put else { return }
            let body = String(decoding: request.body, as: UTF8.self)
            let action = state.withLock { state in
                state.lines.append(body)
                return body.contains(#""ttl""#) ? state.prepared : nil
            }
            action?()
        }
    }

    let one: URL
    let two: URL
    let port: Int
    let home: UUID
    let relay: TestRelay
    let house: RunningHub.House
    let simulator: Simulator
    let lamp: RunningAccessory
    let sensor: RunningAccessory
    let requests: Requests
    /// When the manual clocks begin; `nil` if the hubs have the system's.
    let beginning: Date?

    /// Runs a body with the house, whose hubs don't run yet.
    ///
    /// - Parameters:
    ///   - isJoined: Whether the second hub has joined.
    ///   - beginning: When manual clocks begin; `nil` for the system's.
    static func with(
        isJoined: Bool = true,
        from beginning: Date? = noon,
        _ body: (PairedHouse) async throws -> Void
    ) async throws {
        try await TestRelay.with { relay in
            try await RunningHub.withFolder { folder in
                let requests = Requests()
                let simulator = try simulator(in: folder, requests)
                do {
                    let accessories = try await simulator.start()
                    let (one, two) = (folder.appending(path: "one"), folder.appending(path: "two"))
                    let furnish = { (first: RunningHub, home: UUID) in
                        let owner = try await first.owner()
                        for accessory in accessories {
                            let (id, code) = (accessory.deviceID.description, accessory.setupCode.dashed)
                            let addition = AddAccessory(home: home, deviceID: id, code: code)
                            _ = try await owner.call(HubMethods.addAccessory, addition)
                        }
                        owner.close()
                    }
                    let (port, home) =
                        try await isJoined
                        ? HubPairTests.join(two, one, from: beginning, furnish: furnish)
                        : RunningHub.start(one, from: beginning).run { first in
                            let home = try await first.addHome("Villa")
                            try await furnish(first, home)
                            return (0, home)
                        }
                    try await body(
                        PairedHouse(
                            one: one,
                            two: two,
                            port: port,
                            home: home,
                            relay: relay,
                            house: RunningHub.House(relay: relay.url),
                            simulator: simulator,
                            lamp: accessories[0],
                            sensor: accessories[1],
                            requests: requests,
                            beginning: beginning
                        )
                    )
                    await simulator.stop()
                } catch {
                    await simulator.stop()
                    throw error
                }
            }
        }
    }

    private static func simulator(in folder: URL, _ requests: Requests) throws -> Simulator {
        let services = [
            #"{"type": "Lightbulb", "characteristics": {"On": false}}"#,
            #"{"type": "MotionSensor", "characteristics": {"MotionDetected": false}}"#,
        ]
        let files = try services.enumerated().map { number, service in
            let file = folder.appending(path: "\(number).json")
            let text = """
                {"format": 1, "name": "\(number) \(UUID().uuidString.prefix(8))", "serialNumber": "\(UUID().uuidString)",
                 "category": "Other", "services": [\(service)]}
                """
            try Data(text.utf8).write(to: file)
            return file.path
        }
        return try Simulator(
            SimulatorConfiguration(
                files: files,
                dataFolder: folder.path,
                bindAddress: "127.0.0.1",
                interfaces: ["127.0.0.1"]
            ),
            scheduler: ClockScheduler(ContinuousClock())
        ) { _, traffic in
            if case .request(let request) = traffic.content { requests.add(request) }
        }
    }

    /// Starts a hub. Without a house, it has no relay.
    ///
    /// - Parameter now: The system's clock.
    func start(
        _ folder: URL,
        voting: Bool = true,
        now: @escaping @Sendable () -> Date = { Date() }
    ) async throws -> RunningHub {
        try await RunningHub.start(
            folder,
            port: folder == one ? port : 0,
            voting: voting ? house : nil,
            from: beginning,
            now: now
        )
    }

    /// Waits until one of two hubs leads and both reach the accessories.
    ///
    /// - Returns: The one that leads, and the other one.
    func leader(of hubs: [RunningHub]) async throws -> (leader: RunningHub, other: RunningHub) {
        for hub in hubs { try await reached(by: hub) }
        try await Wait.until("a hub leads") {
            for hub in hubs where await hub.runsAutomations { return true }
            return false
        }
        return await hubs[0].runsAutomations ? (hubs[0], hubs[1]) : (hubs[1], hubs[0])
    }

    /// Waits until a hub reaches the accessories.
    func reached(by hub: RunningHub) async throws {
        for accessory in [lamp, sensor] { try await hub.reaches(accessory.deviceID) }
    }

    /// Adds an automation that turns the lamp on, and waits until both hubs have it.
    @discardableResult
    func addAutomation(
        _ definition: TriggerDefinition,
        named name: String = "Light",
        at leader: RunningHub,
        and other: RunningHub
    ) async throws -> UUID {
        let owner = try await leader.owner()
        defer { owner.close() }
        let scene = try await owner.call(HubMethods.addActionSet, InHome(home, AddActionSet(name: name))).id
        let action = AddAction(try await identity(.Characteristic.on, at: leader), value: .bool(true), actionSet: scene)
        _ = try await owner.call(HubMethods.addAction, InHome(home, action))
        let addition = AddTrigger(name: "\(name) Automation", definition, actionSets: [scene])
        let trigger = try await owner.call(HubMethods.addTrigger, InHome(home, addition)).id
        _ = try await owner.call(HubMethods.enableTrigger, InHome(home, EnableTrigger(trigger, true)))
        for hub in [leader, other] {
            try await Wait.until("both hubs have the automation") {
                await hub.hub.automations.homes[home]?.triggers[id: trigger]?.isEnabled == true
            }
        }
        return trigger
    }

    /// An automation at a time, in seconds after noon.
    func timer(at seconds: TimeInterval) -> TriggerDefinition {
        .timer(TimerSchedule(fireDate: Self.noon.addingTimeInterval(seconds)))
    }

    /// An automation that motion sets off.
    func motion(at hub: RunningHub, endsAfter seconds: Int? = nil) async throws -> TriggerDefinition {
        let moving = TriggerEvent.Occurrence.characteristic(
            try await identity(.Characteristic.motionDetected, at: hub),
            .bool(true)
        )
        return .event(
            EventRule(
                events: [TriggerEvent(id: UUID(), occurrence: moving)],
                endEvents: seconds.map { [TriggerEvent(id: UUID(), occurrence: .duration(seconds: $0))] } ?? [],
                condition: nil,
                executesOnce: false
            )
        )
    }

    private func identity(_ type: HAPType, at hub: RunningHub) async throws -> CharacteristicIdentity {
        let home = try #require(await hub.hub.database.stored.homes[home])
        for accessory in home.accessories {
            for shape in home.services(of: accessory).flatMap(\.characteristics) where shape.type == type {
                return try #require(home.identity(ofCharacteristic: shape.iid, in: accessory.id))
            }
        }
        return try #require(nil)
    }

    /// Changes whether the sensor sees motion, and waits until a hub knows.
    func setMotion(_ isMoving: Bool, seenBy hub: RunningHub) async throws {
        try await simulator.set(.bool(isMoving), of: simulator.find(sensor.name, "MotionDetected"))
        let identity = try await identity(.Characteristic.motionDetected, at: hub)
        let found = try #require(await hub.hub.database.stored.homes[home]?.characteristic(identity))
        let reference = CharacteristicReference(accessory: found.accessory.id, iid: found.shape.iid)
        try await Wait.until("the hub knows of the motion") {
            hub.hub.live.value(of: reference, in: home) == .bool(isMoving)
        }
    }

    /// Advances a hub's clock.
    static func advance(_ hub: RunningHub, by seconds: Int64) async {
        await hub.hub.automations.advance(by: seconds * 1_000)
    }
}

extension RunningHub {
    /// Whether the hub's automations know that the other hub doesn't lead any more.
    var missesLeader: Bool {
        get async {
            if case .following = await hub.automations.role { return false }
            return true
        }
    }

    /// Whether the hub leads and its automations have begun.
    var runsAutomations: Bool {
        get async {
            let runner = hub.automations
            guard await runner.isStarted else { return false }
            return await runner.mayFire
        }
    }
}
