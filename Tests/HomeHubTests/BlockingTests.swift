import AccessorySimulator
import Foundation
import HAP
import HAPCatalog
import HomeHub
import HomeModel
import HubAPI
import PeerProcess
import Testing

/// Blocking and unblocking accessories, on a real hub and network.
struct BlockingTests {
    /// A client with a home, and an accessory in it that has been reached.
    private struct Fixture: Sendable {
        let probe: RecordingHubClient
        let home: UUID
        /// The IDs of the accessory and its bridged accessories.
        let ids: [UUID]

        /// A request about the bridge.
        func request<Request: ItemRequest>() -> InHome<Request> { InHome(home, Request(ids[0])) }

        /// Returns the power characteristic of the last accessory.
        func power() throws -> CharacteristicReference {
            let view = try #require(probe.view.homes[home])
            let last = try #require(ids.last)
            let record = try #require(view.accessories[id: last])
            let shapes = view.services(of: record).flatMap(\.characteristics)
            let power = try #require(shapes.first { $0.type == HAPType.Characteristic.on })
            return CharacteristicReference(accessory: record.id, iid: power.iid)
        }

        /// Returns the codes of the errors of reading, writing, subscribing and identifying.
        func refusals() async throws -> [String?] {
            let power = try power()
            let read = ReadCharacteristics(home: home, characteristics: [power])
            let write = WriteCharacteristics.Write(characteristic: power, value: .bool(true))
            let watch = NotifyCharacteristics(home: home, characteristics: [power], enabled: true)
            return [
                try await probe.call(HubMethods.read, read).outcomes[0].error?.code.rawValue,
                try await probe.call(HubMethods.write, WriteCharacteristics(home: home, writes: [write])).outcomes[0]
                    .error?.code.rawValue,
                try await probe.call(HubMethods.notify, watch).outcomes[0].error?.code.rawValue,
                try await probe.refusal(HubMethods.identifyAccessory, ItemTarget(home: home, id: power.accessory)),
            ]
        }

        func untilBlocked(on probe: RecordingHubClient) async throws {
            try await probe.until { [ids] view in
                ids.filter { view.reachability[$0]?.code != .accessoryBlocked }.isEmpty
            }
            #expect(ids.compactMap { probe.view.reachability[$0]?.isReachable } == ids.map { _ in false })
        }

        func untilReached(on probe: RecordingHubClient) async throws {
            try await probe.until { [ids] view in
                ids.filter { view.reachability[$0]?.isReachable != true }.isEmpty
            }
        }
    }

    /// Adds an accessory to a new home.
    private static func add(_ accessory: RunningAccessory, to hub: HomeHub) async throws -> Fixture {
        let probe = try await RecordingHubClient(to: hub)
        let home = try await probe.call(HubMethods.addHome, AddHome(name: "My Home")).id
        let code = accessory.setupCode.dashed
        let addition = AddAccessory(home: home, deviceID: accessory.deviceID.description, code: code)
        let ids = try await probe.call(HubMethods.addAccessory, addition).ids
        let fixture = Fixture(probe: probe, home: home, ids: ids)
        try await fixture.untilReached(on: probe)
        return fixture
    }

    private static func withBridge(_ body: (Fixture, Simulator) async throws -> Void) async throws {
        try await withDataFolder { folder in
            let text = SimulatedAccessories.bridge(SimulatedAccessories.newName("Bridge"))
            try await SimulatedAccessories.with([text], in: folder) { accessories in
                try await withHub(at: folder) { hub in
                    let accessory = try #require(accessories.ready.first)
                    let fixture = try await add(accessory, to: hub)
                    try await body(fixture, accessories.simulator)
                }
            }
        }
    }

    @Test func aBlockedAccessoryIsNotConnectedToUntilItIsUnblocked() async throws {
        try await Self.withBridge { fixture, _ in
            #expect(fixture.ids.count == 3)
            #expect(try await fixture.refusals() == [nil, nil, nil, nil])

            _ = try await fixture.probe.call(HubMethods.blockAccessory, fixture.request())
            #expect(fixture.probe.changes.last?.change.verb == .accessoriesBlocked)
            try await fixture.untilBlocked(on: fixture.probe)
            #expect(try await fixture.refusals() == Array(repeating: "accessoryBlocked", count: 4))

            _ = try await fixture.probe.call(HubMethods.unblockAccessory, fixture.request())
            try await fixture.untilReached(on: fixture.probe)
            #expect(try await fixture.refusals() == [nil, nil, nil, nil])
        }
    }

    @Test func anAccessoryStaysBlockedWhenTheHubStartsAgain() async throws {
        try await withDataFolder { folder in
            let text = SimulatedAccessories.lamp(SimulatedAccessories.newName("Lamp"))
            try await SimulatedAccessories.with([text], in: folder) { accessories in
                let fixture = try await withHub(at: folder) { hub in
                    let accessory = try #require(accessories.ready.first)
                    let fixture = try await Self.add(accessory, to: hub)
                    _ = try await fixture.probe.call(HubMethods.blockAccessory, fixture.request())
                    return fixture
                }
                try await withHub(at: folder) { hub in
                    let probe = try await RecordingHubClient(to: hub)
                    try await fixture.untilBlocked(on: probe)
                    _ = try await probe.call(HubMethods.unblockAccessory, fixture.request())
                    try await fixture.untilReached(on: probe)
                }
            }
        }
    }

    @Test func aBlockedAccessoryIsRemovedAndItsPairingWithIt() async throws {
        try await Self.withBridge { fixture, simulator in
            let unpaired = AwaitableValue(false)
            let events = simulator.events()
            let listening = Task {
                for await event in events {
                    if case .pairingChanged(_, isPaired: false) = event { unpaired.change { $0 = true } }
                }
            }
            defer { listening.cancel() }
            _ = try await fixture.probe.call(HubMethods.blockAccessory, fixture.request())
            #expect(!unpaired.value)
            _ = try await fixture.probe.call(HubMethods.removeAccessory, fixture.request())
            try await unpaired.until { $0 }
            #expect(fixture.probe.view.homes[fixture.home]?.accessories.isEmpty == true)
        }
    }

    @Test func anAccessoryIsBlockedOnce() async throws {
        try await withPopulatedHub([.gadget("Gadget")]) { hub, home in
            let probe = try await RecordingHubClient(to: hub)
            let gadget = try #require(probe.view.homes[home]?.accessories.first)
            _ = try await probe.call(HubMethods.blockAccessory, InHome(home, BlockAccessory(gadget.id)))
            #expect(probe.view.homes[home]?.accessories[id: gadget.id]?.isBlocked == true)
            // Doing it twice changes nothing.
            let count = probe.changes.count
            _ = try await probe.call(HubMethods.blockAccessory, InHome(home, BlockAccessory(gadget.id)))
            #expect(probe.changes.count == count)
        }
    }
}
