import AccessorySimulator
import Foundation
import HAP
import HAPCatalog
import HAPClient
import HomeModel
import HubAPI
import Testing

@testable import HomeHub

/// Subscriptions after a client reconnects, and their limit.
struct SubscriptionTests {
    private static let limit = HubProtocol.subscriptionsPerConnection

    private static func characteristics(_ count: Int) -> [CharacteristicReference] {
        let accessory = UUID()
        return (1...UInt64(count)).map { CharacteristicReference(accessory: accessory, iid: $0) }
    }

    @Test func theFilterTakesAsManyAsTheLimitAndNotOneMore() {
        let home = UUID()
        let characteristics = Self.characteristics(Self.limit + 1)
        var filter = NotificationFilter()
        let taken = characteristics.map { filter.set($0, in: home, enabled: true) }
        #expect(taken == Array(repeating: true, count: Self.limit) + [false])
        #expect(!filter.passes(characteristics[Self.limit], in: home))
        // A subscription that exists already doesn't count again.
        let changes = [(0, true), (0, false), (Self.limit, true)]
        let areDone = changes.map { filter.set(characteristics[$0], in: home, enabled: $1) }
        #expect(areDone == [true, true, true])
        #expect(filter.passes(characteristics[Self.limit], in: home))
        #expect(!filter.passes(characteristics[0], in: home))
    }

    @Test func aGreetingRestoresAsManyAsTheLimitAndNotOneMore() {
        let home = UUID()
        let characteristics = Self.characteristics(Self.limit + 1)
        var filter = NotificationFilter()
        let areRestored = [characteristics.dropLast(), characteristics[...]].map { part in
            filter.restore(CharacteristicSet(part, in: home))
        }
        #expect(areRestored == [true, false])
        #expect(filter.passes(characteristics[0], in: home))
        #expect(!filter.passes(characteristics[Self.limit], in: home))
    }

    @Test func aGreetingWithTheMostSubscriptionsFitsIntoARequest() throws {
        // These are the longest numbers, each for a different accessory.
        let characteristics = (0..<UInt64(Self.limit)).map {
            CharacteristicReference(accessory: UUID(), iid: .max - $0)
        }
        let logs = (0..<HomeLimits.homesPerUser).map { _ in (UUID(), LogCursor(lineage: UUID(), revision: .max)) }
        let hello = Hello(
            app: String(repeating: "a", count: HomeLimits.appIdentifierLength),
            purpose: String(repeating: "p", count: HomeLimits.purposeLength),
            seen: LogCursors(
                account: LogCursor(lineage: UUID(), revision: .max),
                homes: Dictionary(uniqueKeysWithValues: logs)
            ),
            former: PreviousConnection(run: UUID(), client: UUID()),
            subscriptions: CharacteristicSet(characteristics, in: UUID())
        )
        let envelope = 200
        #expect(try JSONEncoder().encode(hello).count + envelope <= HubProtocol.requestLimit)
    }

    @Test func aGreetingWithOneSubscriptionTooManyIsRefused() async throws {
        try await withHub { hub in
            let most = CharacteristicSet(Self.characteristics(Self.limit), in: UUID())
            _ = try await RecordingHubClient(to: hub, subscriptions: most)
            let more = CharacteristicSet(Self.characteristics(Self.limit + 1), in: UUID())
            let error = await #expect(throws: HubError.self) {
                try await RecordingHubClient(to: hub, subscriptions: more)
            }
            #expect(error?.code == .malformedMessage)
        }
    }

    @Test func theFilterForgetsWhatIsGone() {
        let (home, other) = (UUID(), UUID())
        let (lamp, fan) = (Self.characteristics(2), Self.characteristics(1))
        var filter = NotificationFilter()
        for characteristic in lamp + fan { _ = filter.set(characteristic, in: home, enabled: true) }
        _ = filter.set(fan[0], in: other, enabled: true)
        filter.remove(accessories: [lamp[0].accessory], in: home)
        #expect((lamp + fan).map { filter.passes($0, in: home) } == [false, false, true])
        filter.remove(home: home)
        #expect(!filter.passes(fan[0], in: home))
        #expect(filter.passes(fan[0], in: other))
    }

    @Test func subscriptionsEndWithTheirAccessoryAndTheirHome() async throws {
        let (lamp, fan) = (UUID(), UUID())
        try await withPopulatedHub([.gadget("Lamp", id: lamp)]) { hub, home in
            let power = CharacteristicReference(accessory: lamp, iid: 11)
            let other = CharacteristicReference(accessory: fan, iid: 11)
            let client = try await RecordingHubClient(
                to: hub,
                subscriptions: CharacteristicSet([power, other], in: home)
            )
            func passes() -> [Bool]? {
                let session = hub.sessions.all.first { $0.id == client.welcome.client }
                return session?.withFilter { filter in [power, other].map { filter.passes($0, in: home) } }
            }
            #expect(passes() == [true, true])
            let person = try await RecordingHubClient(to: hub)
            _ = try await person.call(HubMethods.removeAccessory, InHome(home, RemoveAccessory(lamp)))
            try await client.until { $0.homes[home]?.accessories.isEmpty == true }
            #expect(passes() == [false, true])
            _ = try await person.call(HubMethods.removeHome, HomeTarget(home: home))
            try await client.until { $0.homes[home] == nil }
            #expect(passes() == [false, false])
        }
    }

    @Test func aClientThatComesBackHearsOfAnAccessoryThatComesLater() async throws {
        try await withDataFolder { folder in
            let description = SimulatedAccessories.lamp(SimulatedAccessories.newName("Lamp"))
            let (home, lamp, power) = try await withHub(at: folder) { hub in
                try await SimulatedAccessories.with([description], in: folder) { accessories in
                    try await Self.add(try #require(accessories.ready.first).deviceID.description, to: hub) {
                        try #require(accessories.ready.first).setupCode.dashed
                    }
                }
            }
            try await withHub(at: folder) { hub in
                let client = try await RecordingHubClient(to: hub, subscriptions: CharacteristicSet([power], in: home))
                #expect(client.view.reachability[lamp]?.isReachable == false)
                // A new subscription fails while the accessory is unreachable, but renewing an earlier one succeeds.
                let subscription = NotifyCharacteristics(home: home, characteristics: [power], enabled: true)
                let refused = try await client.call(HubMethods.notify, subscription)
                #expect(refused.outcomes.first?.error?.code == .notReachable)
                var renewal = subscription
                renewal.isRenewal = true
                #expect(try await client.call(HubMethods.notify, renewal).outcomes.first?.error == nil)

                try await SimulatedAccessories.with([description], in: folder) { accessories in
                    try await client.until { $0.reachability[lamp]?.isReachable == true }
                    let writer = try await RecordingHubClient(to: hub)
                    for isOn in [true, false, true] {
                        let write = WriteCharacteristics.Write(characteristic: power, value: .bool(isOn))
                        let writes = WriteCharacteristics(home: home, writes: [write])
                        #expect(try await writer.call(HubMethods.write, writes).outcomes.first?.error == nil)
                        try await client.until { $0.values[power, in: home] == .bool(isOn) }
                    }
                    await accessories.simulator.stop()
                    try await client.until { $0.reachability[lamp]?.isReachable == false }
                }
                // The accessory was offline and returns. No client subscribes again.
                try await SimulatedAccessories.with([description], in: folder) { _ in
                    try await client.until { $0.reachability[lamp]?.isReachable == true }
                    let writer = try await RecordingHubClient(to: hub)
                    let known = client.view.values[power, in: home]
                    let isOn: CharacteristicValue = known == .bool(true) ? .bool(false) : .bool(true)
                    let write = WriteCharacteristics.Write(characteristic: power, value: isOn)
                    _ = try await writer.call(HubMethods.write, WriteCharacteristics(home: home, writes: [write]))
                    try await client.until { $0.values[power, in: home] == isOn }
                }
            }
        }
    }

    @Test func aPressAfterTheHubHasAnAccessorysAnswerIsHeard() async throws {
        try await withDataFolder { folder in
            let name = SimulatedAccessories.newName("Bell")
            try await SimulatedAccessories.with([SimulatedAccessories.button(name)], in: folder) { accessories in
                let ready = try #require(accessories.ready.first)
                _ = try await withHub(at: folder) { hub in
                    let type = HAPType.Characteristic.programmableSwitchEvent
                    return try await Self.add(ready.deviceID.description, with: type, to: hub) {
                        ready.setupCode.dashed
                    }
                }
                for _ in 0..<10 {
                    try await withHub(at: folder) { hub in
                        // Asks as often as possible, so that it gets in between all steps of connecting.
                        while await hub.hasAnswered(ready.deviceID) != true { await Task.yield() }
                        try await accessories.simulator.press(name)
                        await hub.catchUp(with: ready.deviceID)
                        #expect(await hub.connections.links[ready.deviceID]?.values.lastEvent != nil)
                    }
                }
            }
        }
    }

    /// Pairs an accessory and adds it to a new home. Returns its first characteristic of a type.
    private static func add(
        _ deviceID: String,
        with type: HAPType = HAPType.Characteristic.on,
        to hub: HomeHub,
        code: () throws -> String
    ) async throws -> (home: UUID, accessory: UUID, characteristic: CharacteristicReference) {
        let probe = try await RecordingHubClient(to: hub)
        let home = try await probe.call(HubMethods.addHome, AddHome(name: "My Home")).id
        let request = AddAccessory(home: home, deviceID: deviceID, code: try code())
        let accessory = try #require(try await probe.call(HubMethods.addAccessory, request).ids.first)
        let view = try #require(probe.view.homes[home])
        let record = try #require(view.accessories[id: accessory])
        let shapes = view.services(of: record).flatMap(\.characteristics)
        let characteristic = try #require(shapes.first { $0.type == type })
        return (home, accessory, CharacteristicReference(accessory: accessory, iid: characteristic.iid))
    }
}
