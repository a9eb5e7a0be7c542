import Foundation
import HAPCatalog
@testable import HomeKit
import HomeModel
import HubAPI
import Testing

struct AccessoryTests {
    @Test func anAccessoryTellsWhatItIs() async throws {
        let hub = ScriptedHub()
        let id = try hub.addHome("Villa")
        try hub.addAccessories([Devices.lamp("Lamp")], in: id)
        let app = try await App(on: hub)
        let lamp = try app.accessory("Lamp")
        #expect(lamp.category.categoryType == HMAccessoryCategoryTypeLightbulb)
        #expect(lamp.category.localizedDescription == "Lightbulb")
        #expect(lamp.manufacturer == "Maker")
        #expect(lamp.model == "Model")
        #expect(lamp.firmwareVersion == "1.0")
        #expect(lamp.hapInstanceID == 1)
        #expect(lamp.supportsIdentify)
        #expect(lamp.isReachable)
        #expect(!lamp.isBridged)
        #expect(lamp.uniqueIdentifiersForBridgedAccessories == nil)
        #expect(lamp.services.map(\.serviceType) == [HMServiceTypeAccessoryInformation, HMServiceTypeLightbulb])
        #expect(lamp.services.map(\.isUserInteractive) == [false, true])
        #expect(lamp.services.map(\.isPrimaryService) == [false, true])
        #expect(lamp.services.map(\.name) == ["Lamp", "Light"])
        #expect(lamp.services.last?.localizedDescription == "Lightbulb")
        #expect(try app.home().servicesWithTypes([HMServiceTypeLightbulb]) == [try #require(lamp.services.last)])
        #expect(try app.home().servicesWithTypes([HMServiceTypeLockMechanism]) == nil)
        #expect(try app.home().servicesWithTypes(["nonsense"]) == nil)
        let record = try #require(hub.home(id)?.accessories.first)
        #expect(lamp.services.last?.uniqueIdentifier == Home.serviceID(of: 10, in: record))
        let power = try lamp.characteristic(HMCharacteristicTypePowerState)
        #expect(power.uniqueIdentifier == Home.characteristicID(of: 11, in: record))
    }

    @Test func ofABridgeTheDelegateHearsByWhatIsBehindIt() async throws {
        let hub = ScriptedHub()
        let id = try hub.addHome("Villa")
        let app = try await App(on: hub)
        let home = try app.home()
        let bridge = Devices.bridge("Bridge")
        let ids = try hub.addAccessories([bridge, Devices.lamp("One", aid: 2), Devices.lamp("Two", aid: 3)], in: id)
        #expect(try await app.recorder.next() == "added accessory One")
        #expect(try await app.recorder.next() == "added accessory Two")
        #expect(home.accessories.map(\.uniqueIdentifier) == ids)
        #expect(home.accessories.map(\.isBridged) == [false, true, true])
        #expect(home.accessories.map { $0.uniqueIdentifiersForBridgedAccessories?.count } == [2, nil, nil])
        #expect(home.accessories.first?.bridgedAccessories.map(\.name) == ["One", "Two"])
        #expect(home.accessories.first?.category.categoryType == HMAccessoryCategoryTypeBridge)
        try hub.change(RemoveAccessory(ids[0]), in: id)
        let removed = [try await app.recorder.next(), try await app.recorder.next(), try await app.recorder.next()]
        #expect(removed == ["removed accessory Bridge", "removed accessory One", "removed accessory Two"])
    }

    @Test func namesOfAccessoriesAndServicesAreToldToTheAccessorysDelegate() async throws {
        let hub = ScriptedHub()
        let id = try hub.addHome("Villa")
        try hub.addAccessories([Devices.lamp("Lamp")], in: id)
        let app = try await App(on: hub)
        let lamp = try app.accessory("Lamp")
        try hub.change(RenameAccessory(lamp.uniqueIdentifier, name: "Torch"), in: id)
        try hub.change(RenameService(accessory: lamp.uniqueIdentifier, iid: 10, name: "Glow"), in: id)
        #expect(try await app.recorder.next() == "accessory name Torch")
        #expect(try await app.recorder.next() == "service name Glow")
    }

    @Test func callsNameTheirAccessory() async throws {
        let hub = ScriptedHub()
        let id = try hub.addHome("Villa")
        let room = try hub.addRoom("Kitchen", in: id)
        try hub.addAccessories([Devices.lamp("Lamp")], in: id)
        let app = try await App(on: hub)
        let home = try app.home()
        let lamp = try app.accessory("Lamp")
        let service = try #require(lamp.services.last)
        let kitchen = try #require(home.rooms.first)

        async let moved: Void = home.assignAccessory(lamp, to: kitchen)
        let move = try await app.request(HubMethods.moveAccessory)
        #expect(move.parameters == InHome(id, MoveAccessory(lamp.uniqueIdentifier, room: room)))
        try move.request.reply(Empty())
        try await moved

        async let renamed: Void = service.updateName("Glow")
        let rename = try await app.request(HubMethods.renameService)
        let expected = InHome(id, RenameService(accessory: lamp.uniqueIdentifier, iid: 10, name: "Glow"))
        #expect(rename.parameters == expected)
        try rename.request.reply(Empty())
        try await renamed

        async let identified = code { try await lamp.identify() }
        let identify = try await app.request(HubMethods.identifyAccessory)
        #expect(identify.parameters == ItemTarget(home: id, id: lamp.uniqueIdentifier))
        identify.request.refuse(.notReachable, "It is switched off.")
        #expect(await identified == .accessoryNotReachable)

        async let removed: Void = home.removeAccessory(lamp)
        let removal = try await app.request(HubMethods.removeAccessory)
        #expect(removal.parameters == InHome(id, RemoveAccessory(lamp.uniqueIdentifier)))
        try removal.request.reply(Empty())
        try await removed
    }

    @Test func reachabilityIsToldWhenItChanges() async throws {
        let hub = ScriptedHub()
        let id = try hub.addHome("Villa")
        let ids = try hub.addAccessories([Devices.lamp("Lamp")], in: id)
        let app = try await App(on: hub)
        let lamp = try app.accessory("Lamp")
        hub.setReachable(ids, true, in: id)
        hub.setReachable(ids, false, in: id)
        #expect(try await app.recorder.next() == "reachable false")
        #expect(!lamp.isReachable)
        hub.setReachable(ids, true, in: id)
        #expect(try await app.recorder.next() == "reachable true")
    }

    @Test func aLastingTroubleIsToldOnce() async throws {
        let hub = ScriptedHub()
        let id = try hub.addHome("Villa")
        let ids = try hub.addAccessories([Devices.bridge("Bridge"), Devices.lamp("Lamp", aid: 2)], in: id)
        let other = try hub.addAccessories([Devices.lamp("Other")], in: id)
        hub.setReachable(other, false, because: .impostor, in: id)
        let app = try await App(on: hub)
        for name in ["Bridge", "Lamp", "Other"] { _ = try app.accessory(name) }
        // This accessory already has a problem.
        hub.setReachable(other, false, because: .impostor, in: id)
        // Transient problems aren't reported, and retries don't report a problem again.
        let codes: [HubError.Code] = [
            .notReachable, .pairingForgotten, .notReachable, .pairingForgotten, .accessoryBlocked,
        ]
        for code in codes {
            hub.setReachable(ids, false, because: code, in: id)
        }
        let forgotten = "trouble of Bridge: \(HMError.Code.securityFailure.rawValue)"
        let blocked = "trouble of Bridge: \(HMError.Code.accessoryIsBlocked.rawValue)"
        #expect(try await app.recorder.next() == "reachable false")
        #expect(try await app.recorder.next() == "reachable false")
        #expect(try await app.recorder.next() == forgotten)
        #expect(try await app.recorder.next() == blocked)
        hub.setReachable([ids[0]], true, in: id)
        hub.setReachable([ids[0]], false, because: .accessoryBlocked, in: id)
        #expect(try await app.recorder.next() == "reachable true")
        #expect(try await app.recorder.next() == "reachable false")
        #expect(try await app.recorder.next() == blocked)
    }

    @Test func othersHearThatAnAccessoryIsUnblocked() async throws {
        let hub = ScriptedHub()
        let id = try hub.addHome("Villa")
        let ids = try hub.addAccessories([Devices.bridge("Bridge"), Devices.lamp("Lamp", aid: 2)], in: id)
        let app = try await App(on: hub)
        let home = try app.home()
        #expect(home.accessories.map(\.isBlocked) == [false, false])
        try hub.change(BlockAccessory(ids[0]), in: id)
        try hub.change(UnblockAccessory(ids[1]), in: id)
        #expect(try await app.recorder.next() == "unblocked accessory Bridge, false")
        #expect(try await app.recorder.next() == "unblocked accessory Lamp, false")
    }

    @Test func whoUnblocksHearsItByTheCompletionAlone() async throws {
        let hub = ScriptedHub()
        let id = try hub.addHome("Villa")
        let ids = try hub.addAccessories([Devices.lamp("Lamp")], in: id)
        try hub.change(BlockAccessory(ids[0]), in: id)
        let app = try await App(on: hub)
        let (home, lamp) = (try app.home(), try app.accessory("Lamp"))
        #expect(lamp.isBlocked)

        async let unblocked: Void = home.unblockAccessory(lamp)
        let call = try await app.request(HubMethods.unblockAccessory)
        #expect(call.parameters == InHome(id, UnblockAccessory(lamp.uniqueIdentifier)))
        try hub.change(UnblockAccessory(ids[0]), in: id, isMine: true)
        try call.request.reply(Empty())
        try await unblocked
        #expect(!lamp.isBlocked)
        try hub.addRoom("Kitchen", in: id)
        #expect(try await app.recorder.next() == "added room Kitchen of 1")

        async let refused = code { try await home.unblockAccessory(lamp) }
        try await app.request(HubMethods.unblockAccessory).request.refuse(.init(rawValue: "insufficientPrivileges"), "")
        #expect(await refused == .insufficientPrivileges)
        async let read = code { try await lamp.identify() }
        try await app.request(HubMethods.identifyAccessory).request.refuse(.accessoryBlocked, "It is blocked.")
        #expect(await read == .accessoryIsBlocked)
    }

    @Test func servicesThatAreNumberedAnewStayTheSameObjects() async throws {
        let hub = ScriptedHub()
        let id = try hub.addHome("Villa")
        let old = Devices.candidate("Lamp", category: .lightbulb, services: [Devices.lampService(), Devices.button])
        try hub.addAccessories([old], in: id)
        let app = try await App(on: hub)
        let lamp = try app.accessory("Lamp")
        let services = lamp.services
        let power = try lamp.characteristic(HMCharacteristicTypePowerState)
        let brightness = try lamp.characteristic(HMCharacteristicTypeBrightness)
        let identity = power.uniqueIdentifier
        let press = try lamp.characteristic(HMCharacteristicTypeInputEvent)

        let new = Devices.candidate(
            "Lamp",
            category: .lightbulb,
            services: [Devices.lampService(first: 50)],
            firmware: "2.0"
        )
        try hub.change(UpdateAccessories([new], server: old.id.uuidString), in: id)
        #expect(try await app.recorder.next() == "services 2")
        #expect(try await app.recorder.next() == "firmware 2.0")
        #expect(lamp.services == Array(services.prefix(2)))
        #expect(try lamp.characteristic(HMCharacteristicTypePowerState) === power)
        #expect(power.uniqueIdentifier == identity)
        #expect(try lamp.characteristic(HMCharacteristicTypeBrightness) === brightness)
        let record = try #require(hub.home(id)?.accessories.first)
        #expect(brightness.uniqueIdentifier == Home.characteristicID(of: 52, in: record))

        async let read: Void = power.readValue()
        let reading = try await app.request(HubMethods.read)
        let reference = CharacteristicReference(accessory: lamp.uniqueIdentifier, iid: 51)
        #expect(reading.parameters.characteristics == [reference])
        try reading.request.reply(
            CharacteristicResults(outcomes: [.init(characteristic: reference, value: .bool(true))])
        )
        try await read

        #expect(services[2].serviceType == HMServiceTypeStatelessProgrammableSwitch)
        #expect(services[2].characteristics == [press])
        #expect(await code { try await press.readValue() } == .objectNotAssociatedToAnyHome)
    }

    @Test func whatJoinsABridgeLaterIsAnAddition() async throws {
        let hub = ScriptedHub()
        let id = try hub.addHome("Villa")
        let bridge = Devices.bridge("Bridge")
        let one = Devices.lamp("One", aid: 2)
        try hub.addAccessories([bridge, one], in: id)
        let app = try await App(on: hub)
        _ = try app.home()
        let two = Devices.lamp("Two", aid: 3)
        try hub.change(UpdateAccessories([bridge, one, two], server: bridge.id.uuidString), in: id)
        #expect(try await app.recorder.next() == "added accessory Two")
    }

    @Test func delegatesAreHeldWeakly() async throws {
        let hub = ScriptedHub()
        let id = try hub.addHome("Villa")
        try hub.addAccessories([Devices.lamp("Lamp")], in: id)
        let app = try await App(on: hub)
        let lamp = try app.accessory("Lamp")
        var delegate: Recorder? = Recorder()
        lamp.delegate = delegate
        #expect(lamp.delegate === delegate)
        delegate = nil
        #expect(lamp.delegate == nil)
    }

    @Test func aDelegateIsCalledThoughTheAppKeepsOnlyItsManager() async throws {
        let hub = ScriptedHub()
        let id = try hub.addHome("Villa")
        let ids = try hub.addAccessories([Devices.lamp("Lamp")], in: id)
        let app = try await App(on: hub)
        _ = try app.accessory("Lamp")
        hub.setReachable(ids, false, in: id)
        #expect(try await app.recorder.next() == "reachable false")
    }
}
