import Foundation
import HAPCatalog
@testable import HomeKit
import HomeModel
import HubAPI
import Testing

/// The properties of a home's objects.
struct PropertyTests {
    @Test func aHomeTellsWhatIsInIt() async throws {
        let hub = ScriptedHub()
        let villa = try hub.addHome("Villa")
        try hub.addHome("Hut")
        let kitchen = try hub.addRoom("Kitchen", in: villa)
        let upstairs = UUID()
        try hub.change(AddZone(id: upstairs, name: "Upstairs"), in: villa)
        try hub.change(AddRoomToZone(room: kitchen, zone: upstairs), in: villa)
        let lamp = Devices.lamp("Lamp")
        try hub.addAccessories([lamp], in: villa)
        try hub.change(MoveAccessory(lamp.id, room: kitchen), in: villa)
        let app = try await App(on: hub)
        #expect(app.manager.homes.map(\.name) == ["Villa", "Hut"])
        #expect(app.manager.homes.map(\.isPrimary) == [true, false])
        let home = try app.home()
        #expect(home.uniqueIdentifier == villa)
        #expect(home.delegate === app.recorder)
        #expect(home.accessories.map(\.uniqueIdentifier) == [lamp.id])
        let room = try #require(home.rooms.first)
        #expect(room.uniqueIdentifier == kitchen)
        #expect(room.name == "Kitchen")
        #expect(room.accessories == home.accessories)
        let zone = try #require(home.zones.first)
        #expect(zone.uniqueIdentifier == upstairs)
        #expect(zone.name == "Upstairs")
        #expect(zone.rooms == [room])
        #expect(home.accessories.first?.home === home)
        #expect(home.accessories.first?.room === room)
    }

    @Test func aServiceKnowsItsPlaceAndWhatItIsLinkedWith() async throws {
        let hub = ScriptedHub()
        let id = try hub.addHome("Villa")
        let label = ServiceShape(
            iid: 20,
            type: HAPType.Service.serviceLabel,
            linked: [30],
            characteristics: [Devices.characteristic(21, HAPType.Characteristic.serviceLabelNamespace)]
        )
        let remote = Devices.candidate("Remote", category: .programmableSwitch, services: [label, Devices.button])
        try hub.addAccessories([remote], in: id)
        let app = try await App(on: hub)
        let accessory = try app.accessory("Remote")
        let service = try #require(accessory.services.first { $0.serviceType == HMServiceTypeLabel })
        let button = try #require(accessory.services.last)
        #expect(service.linkedServices == [button])
        #expect(button.linkedServices == nil)
        #expect(service.accessory === accessory)
        #expect(service.characteristics.map(\.characteristicType) == [HMCharacteristicTypeLabelNamespace])
        #expect(service.characteristics.first?.service === service)
        #expect(service.localizedDescription == "Service Label")
    }

    @Test func metadataTellTheBoundsOfAValue() async throws {
        let hub = ScriptedHub()
        let id = try hub.addHome("Villa")
        let mode = CharacteristicShape(
            iid: 40,
            type: HAPType.Characteristic.targetHeatingCoolingState,
            permissions: [.read, .write],
            metadata: CharacteristicMetadata(format: .uint8, validValues: [0, 1, 3])
        )
        let service = ServiceShape(iid: 39, type: HAPType.Service.thermostat, characteristics: [mode])
        try hub.addAccessories(
            [Devices.candidate("Stove", category: .thermostat, services: [service, Devices.lampService()])],
            in: id
        )
        let app = try await App(on: hub)
        let stove = try app.accessory("Stove")
        let heating = try stove.characteristic(HMCharacteristicTypeTargetHeatingCooling)
        #expect(heating.metadata?.validValues == [0, 1, 3])
        #expect(heating.metadata?.maxLength == nil)
        #expect(heating.properties == [HMCharacteristicPropertyReadable, HMCharacteristicPropertyWritable])
        let label = try stove.characteristic("7E536242-341C-4862-BE90-272CE15BD634")
        #expect(label.metadata?.maxLength == 8)
        #expect(label.metadata?.validValues == nil)
        let fadeRate = try stove.characteristic("7E536242-341C-4862-BE90-272CE15BD633")
        #expect(fadeRate.metadata?.manufacturerDescription == "Fade Rate")
    }

    @Test func formerNamesMeanTheSame() async throws {
        let hub = ScriptedHub()
        let id = try hub.addHome("Villa")
        try hub.addAccessories([Devices.bridge("Bridge"), Devices.lamp("Lamp", aid: 2)], in: id)
        let app = try await App(on: hub)
        let bridge = try app.accessory("Bridge")
        #expect(bridge.identifier == bridge.uniqueIdentifier)
        #expect(bridge.identifiersForBridgedAccessories == [try app.accessory("Lamp").uniqueIdentifier])
        #expect(HMError.Code.incompatibleHomeHub == .noCompatibleHomeHub)
    }

    @Test func anAuthorizationStatusIsASetOfBits() {
        let status: HMHomeManagerAuthorizationStatus = [.determined, .restricted]
        #expect(status.rawValue == 3)
        #expect(status.contains(.restricted))
        #expect(!status.contains(.authorized))
        #expect(HMHomeManagerAuthorizationStatus.authorized.rawValue == 4)
    }

    @Test func acceptsTheFrameworksCompletionBlock() async throws {
        let hub = ScriptedHub()
        try hub.addHome("Villa")
        let app = try await App(on: hub)
        let home = try app.home()
        let completed = Inbox<Bool>()
        let block: HMErrorBlock = { completed.put($0 == nil) }
        home.updateName("Castle", completionHandler: block)
        try await app.request(HubMethods.renameHome).request.reply(Empty())
        #expect(try await completed.next())
    }

    @Test func aBrowserTakesTheEnvironmentOfItsTaskAndHoldsItsDelegateWeakly() async throws {
        let hub = ScriptedHub()
        let browser = HomeKitEnvironment.$current.withValue(hub.environment()) { HMAccessoryBrowser() }
        var delegate: Recorder? = Recorder()
        browser.delegate = delegate
        #expect(browser.delegate === delegate)
        delegate = nil
        #expect(browser.delegate == nil)
        browser.startSearchingForNewAccessories()
        #expect(try await hub.requests.next().method == HubMethods.startBrowsing.name)
    }

    @Test func aChangeIsToldWithItsAccessoryServiceAndCharacteristic() async throws {
        final class Listener: NSObject, HMAccessoryDelegate, Sendable {
            let heard = Inbox<(HMAccessory, HMService, HMCharacteristic, Bool?)>()

            func accessory(
                _ accessory: HMAccessory,
                service: HMService,
                didUpdateValueFor characteristic: HMCharacteristic
            ) {
                heard.put((accessory, service, characteristic, characteristic.value as? Bool))
            }
        }
        let hub = ScriptedHub()
        let id = try hub.addHome("Villa")
        try hub.addAccessories([Devices.lamp("Lamp")], in: id)
        let app = try await App(on: hub)
        let lamp = try app.accessory("Lamp")
        let listener = Listener()
        lamp.delegate = listener
        let power = try lamp.characteristic(HMCharacteristicTypePowerState)
        async let notified: Void = power.enableNotification(true)
        let reference = CharacteristicReference(accessory: lamp.uniqueIdentifier, iid: 11)
        let request = try await app.request(HubMethods.notify).request
        try request.reply(CharacteristicResults(outcomes: [.init(characteristic: reference)]))
        try await notified
        hub.setValue(.bool(true), of: reference, in: id)
        let (accessory, service, characteristic, value) = try await listener.heard.next()
        #expect(accessory === lamp)
        #expect(service === power.service)
        #expect(characteristic === power)
        #expect(value == true)
    }
}
