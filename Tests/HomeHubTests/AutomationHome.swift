import AccessorySimulator
import Automations
import DNSSD
import Foundation
import HAP
import HAPCatalog
import HomeModel
import HubAPI
import Logging
import PeerProcess
import Testing

@testable import HomeHub

/// A home with a hub on a manual clock, a dimmable lamp, a second lamp, a motion sensor and a thermometer, all simulated.
final class AutomationHome: Sendable {
    // This is a class because the hub is replaced when a test restarts it.

    /// Monday, 2026-03-02, 12:00 in Berlin.
    static let noon = Date(timeIntervalSince1970: 1_772_449_200)
    static let berlin = Place(latitude: 52.52, longitude: 13.405)

    let folder: URL
    let accessories: SimulatedAccessories
    let names: [String]
    let home: UUID
    let ids: [UUID]
    private let running: AwaitableValue<Running>
    let published = AwaitableValue<[Activity]>([])

    private struct Running: Sendable {
        var hub: HomeHub
        var client: RecordingHubClient
    }

    var hub: HomeHub { running.value.hub }
    var client: RecordingHubClient { running.value.client }

    private init(
        folder: URL,
        accessories: SimulatedAccessories,
        names: [String],
        home: UUID,
        ids: [UUID],
        hub: HomeHub,
        client: RecordingHubClient
    ) {
        (self.folder, self.accessories, self.names, self.home, self.ids) = (folder, accessories, names, home, ids)
        running = AwaitableValue(Running(hub: hub, client: client))
        watch(hub)
    }

    /// Runs `body` with the home.
    static func with(_ body: (AutomationHome) async throws -> Void) async throws {
        try await withDataFolder { folder in
            let names = ["Lamp", "Other", "Motion", "Thermometer"].map { SimulatedAccessories.newName($0) }
            try await SimulatedAccessories.with(zip(names, Self.services).map(Self.file), in: folder) { accessories in
                let hub = try await start(at: folder)
                let made: AutomationHome
                do {
                    made = try await populate(hub, folder, accessories, names)
                } catch {
                    await hub.stop()
                    throw error
                }
                do {
                    try await body(made)
                } catch {
                    await made.hub.stop()
                    throw error
                }
                await made.hub.stop()
            }
        }
    }

    private static let services = [
        #"{"type": "Lightbulb", "characteristics": {"On": false, "Brightness": 50}}"#,
        #"{"type": "Lightbulb", "characteristics": {"On": false}}"#,
        #"{"type": "MotionSensor", "characteristics": {"MotionDetected": false}}"#,
        #"{"type": "TemperatureSensor", "characteristics": {"CurrentTemperature": 20}}"#,
    ]

    private static func file(_ name: String, _ service: String) -> String {
        """
        {"format": 1, "name": "\(name)", "serialNumber": "\(UUID().uuidString)", "category": "Other", "services": [\(service)]}
        """
    }

    private static func start(at folder: URL) async throws -> HomeHub {
        try await HomeHub(
            HubConfiguration(
                data: folder.appending(path: "hub"),
                interfaces: [.loopback],
                userName: "Tester",
                clockKind: .manual,
                timeZone: TimeZone(identifier: "Europe/Berlin") ?? .current,
                now: { noon },
                log: quiet
            )
        )
    }

    private static let quiet = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })

    /// A logger that logs nothing.
    var quiet: Logger { Self.quiet }

    private static func populate(
        _ hub: HomeHub,
        _ folder: URL,
        _ accessories: SimulatedAccessories,
        _ names: [String]
    ) async throws -> AutomationHome {
        let client = try await RecordingHubClient(to: hub)
        let home = try await client.call(HubMethods.addHome, AddHome(name: "Villa")).id
        _ = try await client.call(HubMethods.setHomePlace, InHome(home, SetHomePlace(berlin)))
        var ids: [UUID] = []
        for accessory in accessories.ready {
            let addition = AddAccessory(
                home: home,
                deviceID: accessory.deviceID.description,
                code: accessory.setupCode.dashed
            )
            ids += try await client.call(HubMethods.addAccessory, addition).ids
        }
        let added = ids
        try await client.until { view in added.allSatisfy { view.reachability[$0]?.isReachable == true } }
        try await follow(home, client)
        return AutomationHome(
            folder: folder,
            accessories: accessories,
            names: names,
            home: home,
            ids: ids,
            hub: hub,
            client: client
        )
    }

    private static func follow(_ home: UUID, _ client: RecordingHubClient) async throws {
        let notify = NotifyCharacteristics(home: home, characteristics: nil, enabled: true)
        _ = try await client.call(HubMethods.notify, notify)
    }

    private func watch(_ hub: HomeHub) {
        hub.activities.subscribe { [published] activity in published.change { $0.append(activity) } }
    }

    /// Stops the hub and starts it again.
    ///
    /// - Parameter waiting: Whether to wait until all accessories are reachable again.
    func restart(waiting: Bool = true) async throws {
        await hub.stop()
        let hub = try await Self.start(at: folder)
        let client = try await RecordingHubClient(to: hub)
        running.change { $0 = Running(hub: hub, client: client) }
        watch(hub)
        try await Self.follow(home, client)
        guard waiting else { return }
        try await client.until { [ids] view in ids.allSatisfy { view.reachability[$0]?.isReachable == true } }
    }

    // MARK: What tests do

    /// A characteristic of the accessory with a number: 0 and 1 are the lamps, 2 is the motion sensor, 3 the thermometer.
    func identity(_ accessory: Int, _ type: HAPType) throws -> CharacteristicIdentity {
        let home = try #require(client.view.homes[home])
        let record = try #require(home.accessories[id: ids[accessory]])
        let found = home.services(of: record).flatMap(\.characteristics).first { $0.type == type }
        let shape = try #require(found)
        return try #require(home.identity(ofCharacteristic: shape.iid, in: record.id))
    }

    func power(_ accessory: Int) throws -> CharacteristicIdentity {
        try identity(accessory, HAPType.Characteristic.on)
    }

    /// Adds a scene with writes.
    func addScene(_ name: String, _ writes: [(CharacteristicIdentity, CharacteristicValue)]) async throws -> UUID {
        let scene = try await client.call(HubMethods.addActionSet, InHome(home, AddActionSet(name: name))).id
        for (characteristic, value) in writes {
            let action = AddAction(characteristic, value: value, actionSet: scene)
            _ = try await client.call(HubMethods.addAction, InHome(home, action))
        }
        return scene
    }

    /// Adds a trigger that runs scenes, and enables it.
    @discardableResult
    func addTrigger(_ name: String, _ definition: TriggerDefinition, running scenes: [UUID]) async throws -> UUID {
        let trigger = try await client.call(HubMethods.addTrigger, InHome(home, AddTrigger(name: name, definition))).id
        for scene in scenes {
            let addition = AddActionSetToTrigger(actionSet: scene, trigger: trigger)
            _ = try await client.call(HubMethods.addActionSetToTrigger, InHome(home, addition))
        }
        _ = try await client.call(HubMethods.enableTrigger, InHome(home, EnableTrigger(trigger, true)))
        return trigger
    }

    /// Adds a timer that the hub removes once it has fired, and enables it.
    func addTemporaryTimer(after seconds: TimeInterval, running scene: UUID) async throws -> UUID {
        let schedule = TimerSchedule(fireDate: Self.noon.addingTimeInterval(seconds))
        let request = AddTrigger(name: "Temporary", .timer(schedule), actionSets: [scene], isTemporary: true)
        let trigger = try await client.call(HubMethods.addTrigger, InHome(home, request)).id
        _ = try await client.call(HubMethods.enableTrigger, InHome(home, EnableTrigger(trigger, true)))
        return trigger
    }

    /// Adds a trigger of events.
    @discardableResult
    func addTrigger(
        _ name: String,
        on occurrences: [TriggerEvent.Occurrence],
        until ends: [TriggerEvent.Occurrence] = [],
        if condition: Condition? = nil,
        once: Bool = false,
        running scenes: [UUID]
    ) async throws -> UUID {
        let rule = EventRule(
            events: occurrences.map { TriggerEvent(id: UUID(), occurrence: $0) },
            endEvents: ends.map { TriggerEvent(id: UUID(), occurrence: $0) },
            condition: condition,
            executesOnce: once
        )
        return try await addTrigger(name, .event(rule), running: scenes)
    }

    /// Advances the clock.
    @discardableResult
    func advance(_ minutes: Double) async throws -> ClockTime {
        try await client.call(HubMethods.advanceClock, AdvanceClock(milliseconds: Int64(minutes * 60_000)))
    }

    /// Changes a value at the accessory itself.
    func set(_ accessory: Int, _ characteristic: String, _ value: CharacteristicValue) async throws {
        let simulator = accessories.simulator
        try await simulator.set(value, of: simulator.find(names[accessory], characteristic))
    }

    /// The value that the accessory has.
    func value(_ accessory: Int, _ characteristic: String) async throws -> CharacteristicValue? {
        let simulator = accessories.simulator
        return try await simulator.value(of: simulator.find(names[accessory], characteristic))
    }

    /// The outcomes of a trigger's events so far, in order.
    func outcomes(of trigger: UUID) -> [TriggerOutcome] {
        activities(of: trigger).map(\.outcome)
    }

    func activities(of trigger: UUID) -> [TriggerActivity] {
        published.value.compactMap { $0.activity(of: trigger) }
    }

    /// Waits until a trigger has had a number of outcomes.
    func until(_ trigger: UUID, _ count: Int) async throws {
        try await published.until { all in all.count { $0.activity(of: trigger) != nil } >= count }
    }

    /// Waits until the client knows that a lamp is on or off.
    func untilKnown(_ accessory: Int, isOn: Bool) async throws {
        let identity = try power(accessory)
        let found = try #require(client.view.homes[home]?.characteristic(identity))
        let reference = CharacteristicReference(accessory: found.accessory.id, iid: found.shape.iid)
        try await client.until { [home] in $0.values[reference, in: home] == .bool(isOn) }
    }
}

extension Activity {
    /// Returns what happened to a trigger; `nil` if the activity is about something else.
    fileprivate func activity(of trigger: UUID) -> TriggerActivity? {
        switch self {
        case .trigger(let activity):
            return activity.trigger == trigger ? activity : nil
        case .held(let held):
            guard let member = held.members.first(where: { $0.trigger == trigger }) else { return nil }
            return TriggerActivity(
                id: UUID(),
                home: held.home,
                trigger: trigger,
                time: held.time,
                outcome: .conditionFalse,
                event: member.event,
                observations: held.observations,
                due: nil,
                parent: held.parent
            )
        default:
            return nil
        }
    }
}
