import AccessorySimulator
import Foundation
import HAP
import HAPCatalog
import HomeModel
import HomeStore
import HubAPI
import PeerProcess
import Testing

@testable import HomeHub

/// Runs of action sets, against simulated accessories.
struct ActionSetRunTests {
    /// A home with a bridge of lamps and an action set that turns all of them on.
    private struct Fixture: Sendable {
        let hub: HomeHub
        let client: RecordingHubClient
        let home: UUID
        let scene: UUID
        let lamps: [UUID]
        let accessories: SimulatedAccessories
        let published: AwaitableValue<[Activity]>

        func run() async throws -> ActionSetResult {
            try await client.call(HubMethods.runActionSet, ItemTarget(home: home, id: scene))
        }
    }

    private static func withScene(
        lamps names: [String],
        _ body: (Fixture) async throws -> Void
    ) async throws {
        try await withDataFolder { folder in
            let name = SimulatedAccessories.newName("Bridge")
            let text = SimulatedAccessories.bridge(name, lamps: names)
            try await SimulatedAccessories.with([text], in: folder) { accessories in
                try await withHub(at: folder) { hub in
                    let published = AwaitableValue<[Activity]>([])
                    hub.activities.subscribe { activity in published.change { $0.append(activity) } }
                    let client = try await RecordingHubClient(to: hub)
                    let home = try await client.call(HubMethods.addHome, AddHome(name: "Villa")).id
                    let bridge = try #require(accessories.ready.first)
                    let addition = AddAccessory(
                        home: home,
                        deviceID: bridge.deviceID.description,
                        code: bridge.setupCode.dashed
                    )
                    let lamps = Array(try await client.call(HubMethods.addAccessory, addition).ids.dropFirst())
                    try await client.until { view in lamps.allSatisfy { view.reachability[$0]?.isReachable == true } }
                    let notify = NotifyCharacteristics(home: home, characteristics: nil, enabled: true)
                    _ = try await client.call(HubMethods.notify, notify)
                    let scene = try await client.call(
                        HubMethods.addActionSet,
                        InHome(home, AddActionSet(name: "Evening"))
                    )
                    .id
                    for lamp in lamps {
                        let power = try #require(client.view.homes[home]?.powerState(of: lamp))
                        let action = AddAction(power, value: .bool(true), actionSet: scene)
                        _ = try await client.call(HubMethods.addAction, InHome(home, action))
                    }
                    try await body(
                        Fixture(
                            hub: hub,
                            client: client,
                            home: home,
                            scene: scene,
                            lamps: lamps,
                            accessories: accessories,
                            published: published
                        )
                    )
                }
            }
        }
    }

    @Test func aRunWritesAllActionsOfABridgeAtOnceAndSaysWhenItWas() async throws {
        try await Self.withScene(lamps: ["One", "Two", "Three"]) { fixture in
            let result = try await fixture.run()
            #expect(result == ActionSetResult(actions: 3, failures: []))
            let view = fixture.client.view
            let areOn = fixture.lamps.allSatisfy { lamp in view.isOn(lamp, in: fixture.home) }
            #expect(areOn)
            let run = try #require(view.runs[fixture.scene])
            #expect(run.last != nil && !run.isRunning)

            // Every value names the scene as its cause, and the run that wrote it.
            let scenes = fixture.published.value.compactMap { if case .scene(let scene) = $0 { scene } else { nil } }
            let activity = try #require(scenes.first)
            #expect(scenes.count == 1 && activity.actions == 3 && activity.failures == 0)
            #expect(activity.origin.caller?.app == RecordingHubClient.defaultApp)
            let origins = fixture.published.value.flatMap { activity -> [Origin] in
                if case .values(let values) = activity { values.map(\.origin) } else { [] }
            }.filter { $0.cause.kind == .scene }
            #expect(origins.count == 3 && origins.allSatisfy { $0.parent == activity.id })
        }
    }

    @Test func otherClientsSeeThatTheSceneRanAndStillDoAfterARestart() async throws {
        try await withDataFolder { folder in
            var (home, scene, last) = (UUID(), UUID(), Date?.none)
            try await withHub(at: folder) { hub in
                let client = try await RecordingHubClient(to: hub)
                home = try await client.call(HubMethods.addHome, AddHome(name: "Villa")).id
                scene = try await client.call(HubMethods.addActionSet, InHome(home, AddActionSet(name: "Evening"))).id
                let target = ItemTarget(home: home, id: scene)
                #expect(try await client.refusal(HubMethods.runActionSet, target) == "nothingToRun")
                #expect(client.view.runs[scene] == nil)
            }
            let store = try await HomeStore.open(at: folder.appending(path: "hub"))
            last = Date(milliseconds: 1_700_000_000_000)
            try await store.setStates([StateKey(.run, home: home, id: scene): RunState(last: last ?? Date()).bytes])
            try await store.close()
            try await withHub(at: folder) { hub in
                let client = try await RecordingHubClient(to: hub)
                #expect(client.view.runs[scene]?.last == last)
            }
        }
    }

    @Test func aFailedActionIsNamedAndTheOthersAreCarriedOut() async throws {
        try await Self.withScene(lamps: ["One", "Two"]) { fixture in
            try await fixture.accessories.simulator.inject(Fault(.status(.busy, .write)), into: "Two")
            let result = try await fixture.run()
            #expect(result.failures.map(\.accessory) == [fixture.lamps[1]])
            let isOn = fixture.client.view.isOn(fixture.lamps[0], in: fixture.home)
            #expect(isOn)
        }
    }

    @Test func aSceneThatIsRunningIsNotStartedAgain() async throws {
        try await Self.withScene(lamps: ["One"]) { fixture in
            let slow = Fault(.latency(.seconds(4), jitter: .zero))
            try await fixture.accessories.simulator.inject(slow, into: "One")
            let second = try await RecordingHubClient(to: fixture.hub)
            async let first = fixture.run()
            try await second.until { $0.runs[fixture.scene]?.isRunning == true }
            let target = ItemTarget(home: fixture.home, id: fixture.scene)
            #expect(try await second.refusal(HubMethods.runActionSet, target) == "alreadyExecuting")
            #expect(try await first.failures.isEmpty)
            try await second.until { $0.runs[fixture.scene]?.isRunning == false }
        }
    }
}

extension Home {
    /// Returns the power state of an accessory's first lightbulb.
    fileprivate func powerState(of accessory: UUID) -> CharacteristicIdentity? {
        guard let record = accessories[id: accessory] else { return nil }
        let shapes = services(of: record).flatMap(\.characteristics)
        return shapes.first { $0.type == HAPType.Characteristic.on }
            .flatMap { identity(ofCharacteristic: $0.iid, in: accessory) }
    }
}

extension HubState {
    fileprivate func isOn(_ accessory: UUID, in home: UUID) -> Bool {
        guard let identity = homes[home]?.powerState(of: accessory),
            let found = homes[home]?.characteristic(identity)
        else { return false }
        return values[CharacteristicReference(accessory: accessory, iid: found.shape.iid), in: home] == .bool(true)
    }
}
