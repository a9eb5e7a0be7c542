import AccessorySimulator
import Foundation
import HAP
import HAPCatalog
import HomeHub
import HomeModel
import HubAPI
import PeerProcess
import Testing

@testable import HomeKit

/// The flow of an app that finds, adds, uses and removes accessories, on a real hub and network.
struct AccessoryFlowTests {
    /// An app with a home, a client that answers the hub's questions, and one accessory that can be added.
    private struct Fixture: Sendable {
        let hub: HomeHub
        let app: TestApp
        let home: HMHome
        let accessories: SimulatedAccessories
        let folder: URL
        let name: String

        /// Returns another app that follows the home.
        func other() async throws -> TestApp {
            let other = TestApp(on: hub, named: "test.other")
            try await other.until("homes updated")
            return other
        }

        /// Finds the accessory and adds it.
        func add() async throws -> HMAccessory {
            app.browser.startSearchingForNewAccessories()
            let found = try await app.found(name)
            try await home.addAccessory(found)
            app.observe()
            return found
        }
    }

    private static func with(
        _ text: (String) -> String,
        _ body: (Fixture) async throws -> Void
    ) async throws {
        try await withDataFolder { folder in
            try await withHub(at: folder) { hub in
                let name = SimulatedAccessories.newName("Thing")
                try await SimulatedAccessories.with([text(name)], in: folder) { accessories in
                    let app = TestApp(on: hub)
                    try await app.until("homes updated")
                    let home = try await app.manager.addHome(named: "My Home")
                    home.delegate = app
                    let code = try #require(accessories.ready.first).setupCode.dashed
                    _ = try await QuestionResponder(on: hub, answer: code)
                    let fixture = Fixture(
                        hub: hub,
                        app: app,
                        home: home,
                        accessories: accessories,
                        folder: folder,
                        name: name
                    )
                    try await body(fixture)
                }
            }
        }
    }

    @Test func aBrowserTellsOfAccessoriesOnlyWhileItSearches() async throws {
        try await Self.with(SimulatedAccessories.lamp) { fixture in
            let other = try await fixture.other()
            other.browser.startSearchingForNewAccessories()
            let found = try await other.found(fixture.name)
            #expect(fixture.app.messages.value.filter { $0.hasPrefix("found") }.isEmpty)
            #expect(fixture.app.browser.discoveredAccessories.isEmpty)

            fixture.app.browser.startSearchingForNewAccessories()
            let lamp = try await fixture.app.found(fixture.name)
            #expect(lamp !== found)
            #expect(lamp.uniqueIdentifier == found.uniqueIdentifier)
            fixture.app.browser.stopSearchingForNewAccessories()

            // When it joins a home, apps that are searching learn that it isn't new anymore. Apps that stopped keep
            // their list.
            try await fixture.home.addAccessory(lamp)
            try await other.until("lost \(fixture.name)")
            #expect(!other.browser.discoveredAccessories.contains(found))
            #expect(fixture.app.browser.discoveredAccessories.contains(lamp))
            #expect(fixture.app.count("lost \(fixture.name)") == 0)

            // The next search starts over, and finds the accessory that left the home.
            fixture.app.browser.startSearchingForNewAccessories()
            #expect(!fixture.app.browser.discoveredAccessories.contains(lamp))
            try await fixture.home.removeAccessory(lamp)
            try await fixture.app.messages.until { messages in messages.count { $0 == "found \(fixture.name)" } == 2 }
            try await other.messages.until { messages in messages.count { $0 == "found \(fixture.name)" } == 2 }
            let again = try await fixture.app.found(fixture.name)
            #expect(again !== lamp)
        }
    }

    @Test func ofABridgeOthersHearByWhatIsBehindIt() async throws {
        try await Self.with(SimulatedAccessories.bridge) { fixture in
            let other = try await fixture.other()
            let bridge = try await fixture.add()
            try await other.until("added One")
            try await other.until("added Two")
            #expect(other.count("added \(fixture.name)") == 0)
            #expect(fixture.app.messages.value.filter { $0.hasPrefix("added") }.isEmpty)

            let children = fixture.home.accessories.filter { $0 !== bridge }
            #expect(children.map(\.name) == ["One", "Two"])
            #expect(bridge.uniqueIdentifiersForBridgedAccessories == children.map(\.uniqueIdentifier))
            #expect(bridge.bridgedAccessories == children)
            #expect(!bridge.isBridged)
            #expect(children.map(\.isBridged) == [true, true])
            #expect(children.compactMap(\.uniqueIdentifiersForBridgedAccessories).isEmpty)

            let kitchen = try await fixture.home.addRoom(named: "Kitchen")
            try await fixture.home.assignAccessory(bridge, to: kitchen)
            #expect(bridge.room === kitchen)
            #expect(children.filter { $0.room === kitchen }.isEmpty)
            try await fixture.home.assignAccessory(children[0], to: kitchen)
            #expect(Set(kitchen.accessories) == [bridge, children[0]])

            let removal = await code { try await fixture.home.removeAccessory(children[0]) }
            #expect(removal == .cannotRemoveNonBridgeAccessory)
            #expect(fixture.home.accessories.count == 3)
            try await fixture.home.removeAccessory(bridge)
            #expect(fixture.home.accessories.isEmpty)
            try await other.messages.until { messages in messages.count { $0.hasPrefix("removed ") } == 3 }
            #expect(children[0].name == "One")
            #expect(await code { try await children[0].identify() } == .objectNotAssociatedToAnyHome)
        }
    }

    @Test func whoWatchesAWholeHomeIsToldTheValuesOfThatMoment() async throws {
        try await Self.with(SimulatedAccessories.lamp) { fixture in
            let lamp = try await fixture.add()
            let home = fixture.home.uniqueIdentifier
            let probe = try await RecordingHubClient(to: fixture.hub)
            // The reply contains values that changed before the client subscribed and that its state lacks.
            let simulator = fixture.accessories.simulator
            try await simulator.set(.bool(true), of: simulator.find(fixture.name, "On"))
            let power = try fixture.app.characteristic(HMCharacteristicTypePowerState, of: fixture.name)
            try await power.readValue()
            let all = NotifyCharacteristics(home: home, characteristics: nil, enabled: true)
            let outcomes = try await probe.call(HubMethods.notify, all).outcomes
            #expect(outcomes.map(\.value) == [.bool(true)])
            #expect(outcomes.map(\.characteristic.accessory) == [lamp.uniqueIdentifier])
            try await simulator.set(.bool(false), of: simulator.find(fixture.name, "On"))
            let on = outcomes[0].characteristic
            try await probe.until { $0.values[on, in: home] == .bool(false) }
        }
    }

    @Test func aStandaloneAccessoryIsNeitherABridgeNorBridged() async throws {
        try await Self.with(SimulatedAccessories.lamp) { fixture in
            let lamp = try await fixture.add()
            #expect(!lamp.isBridged)
            #expect(lamp.uniqueIdentifiersForBridgedAccessories == nil)
            #expect(lamp.bridgedAccessories.isEmpty)
            #expect(lamp.category.categoryType == HMAccessoryCategoryTypeLightbulb)
            #expect(lamp.home === fixture.home)
            #expect(lamp.room === fixture.home.roomForEntireHome())
        }
    }

    @Test func accessoriesIdentifyThemselvesBeforeTheyAreAddedAndAfter() async throws {
        try await Self.with(SimulatedAccessories.bridge) { fixture in
            let identified = AwaitableValue<[String]>([])
            let events = fixture.accessories.simulator.events()
            let listening = Task {
                for await event in events {
                    if case .identify(let serialNumber) = event { identified.change { $0.append(serialNumber) } }
                }
            }
            fixture.app.browser.startSearchingForNewAccessories()
            let bridge = try await fixture.app.found(fixture.name)
            #expect(bridge.supportsIdentify)
            try await bridge.identify()
            try await identified.until { $0.count == 1 }
            try await fixture.home.addAccessory(bridge)
            try await bridge.identify()
            try await identified.until { $0.count == 2 }
            let two = try #require(fixture.home.accessories.last)
            #expect(two.supportsIdentify)
            try await two.identify()
            try await identified.until { $0.count == 3 }
            let (first, second, third) = (identified.value[0], identified.value[1], identified.value[2])
            #expect(first == second)
            #expect(third != first)
            await fixture.accessories.simulator.stop()
            try await fixture.app.messages.until { _ in !two.isReachable }
            #expect(await code { try await two.identify() } == .accessoryNotReachable)
            listening.cancel()
        }
    }

    @Test func anAccessoryIsFoundByItsPublicKeyInHomesThatTheUserHasAPartIn() async throws {
        try await Self.with(SimulatedAccessories.bridge) { fixture in
            let key = try Self.publicKey(in: fixture.folder)
            let manager = fixture.app.manager
            #expect(await code { _ = try await manager.findVendorAccessory(withHAPPublicKey: key) } == .notFound)
            let bridge = try await fixture.add()
            #expect(try await manager.findVendorAccessory(withHAPPublicKey: key) === bridge)
            let short = key.dropLast()
            let refusal = await code { _ = try await manager.findVendorAccessory(withHAPPublicKey: short) }
            #expect(refusal == .invalidParameter)

            let probe = try await RecordingHubClient(to: fixture.hub)
            let addition = AddHomeUser(home: fixture.home.uniqueIdentifier, name: "Guest", role: .guest)
            let guest = try await RecordingHubClient(
                to: fixture.hub,
                as: try await probe.call(HubMethods.addUser, addition).id
            )
            let find = FindAccessory(publicKey: key)
            #expect(try await guest.call(HubMethods.findAccessory, find).id == bridge.uniqueIdentifier)
            let stranger = try await RecordingHubClient(to: fixture.hub, as: UUID())
            #expect(try await stranger.refusal(HubMethods.findAccessory, find) == "notFound")
            try await fixture.home.removeAccessory(bridge)
            #expect(await code { _ = try await manager.findVendorAccessory(withHAPPublicKey: key) } == .notFound)
        }
    }

    /// Returns the long-term public key of the only accessory server in a folder.
    private static func publicKey(in folder: URL) throws -> Data {
        struct Credentials: Decodable {
            var longTermKey: Data
        }
        let accessories = folder.appending(path: "accessories")
        let files = try FileManager.default.subpathsOfDirectory(atPath: accessories.path)
        let file = try #require(files.first { $0.hasSuffix("/credentials.json") })
        let data = try Data(contentsOf: accessories.appending(path: file))
        let seed = try JSONDecoder().decode(Credentials.self, from: data).longTermKey
        return Data(try #require(LongTermKeyPair(seed: seed)).publicKey.bytes)
    }
}
