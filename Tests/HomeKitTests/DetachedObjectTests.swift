import Foundation
@testable import HomeKit
import HomeModel
import HubAPI
import Testing

/// Objects that an app has created itself, which belong to no home.
struct DetachedObjectTests {
    @Test func anAccessoryThatAnAppMakesIsInNoHome() async {
        let accessory = HMAccessory()
        #expect(accessory.uniqueIdentifier != HMAccessory().uniqueIdentifier)
        #expect(accessory.uniqueIdentifier == accessory.uniqueIdentifier)
        #expect(accessory.name.isEmpty)
        #expect(accessory.category.categoryType == HMAccessoryCategoryTypeOther)
        #expect(accessory.home == nil)
        #expect(accessory.room == nil)
        #expect(accessory.services.isEmpty)
        #expect(accessory.profiles.isEmpty)
        #expect(!accessory.isReachable)
        #expect(!accessory.isBridged)
        #expect(!accessory.supportsIdentify)
        await refuses { try await accessory.identify() }
        await refuses { try await accessory.updateName("Lamp") }
    }

    @Test func aServiceThatAnAppMakesIsOfNoAccessory() async {
        let service = HMService()
        #expect(service.uniqueIdentifier != HMService().uniqueIdentifier)
        #expect(service.uniqueIdentifier == service.uniqueIdentifier)
        #expect(service.accessory == nil)
        #expect(service.serviceType.isEmpty)
        #expect(service.name.isEmpty)
        #expect(service.characteristics.isEmpty)
        #expect(service.linkedServices == nil)
        await refuses { try await service.updateName("Lamp") }
        await refuses { try await service.updateAssociatedServiceType(HMServiceTypeFan) }
    }

    @Test func aCharacteristicThatAnAppMakesHasNoValue() async {
        let characteristic = HMCharacteristic()
        #expect(characteristic.uniqueIdentifier != HMCharacteristic().uniqueIdentifier)
        #expect(characteristic.service == nil)
        #expect(characteristic.characteristicType.isEmpty)
        #expect(characteristic.value == nil)
        #expect(characteristic.metadata == nil)
        #expect(characteristic.properties.isEmpty)
        #expect(!characteristic.isNotificationEnabled)
        await refuses { try await characteristic.readValue() }
        await refuses { try await characteristic.writeValue(true) }
        await refuses { try await characteristic.enableNotification(true) }
        await refuses { try await characteristic.updateAuthorizationData(Data()) }
        let action = HMCharacteristicWriteAction(characteristic: characteristic, targetValue: 1)
        await refuses { try await action.updateTargetValue(2) }
    }

    @Test func anActionThatAnAppMakesHasAnIdentity() {
        let action = HMAction()
        #expect(action.uniqueIdentifier == action.uniqueIdentifier)
        #expect(action.uniqueIdentifier != HMAction().uniqueIdentifier)
    }

    @Test func aHomeTakesNoneOfThem() async throws {
        let hub = ScriptedHub()
        let villa = try hub.addHome("Villa")
        let kitchen = try hub.addRoom("Kitchen", in: villa)
        try hub.change(AddServiceGroup(id: UUID(), name: "Lamps"), in: villa)
        let app = try await App(on: hub)
        let home = try app.home()
        let room = try #require(home.rooms.first { $0.uniqueIdentifier == kitchen })
        let accessory = HMAccessory()
        await refuses(.accessoryDiscoveryFailed) { try await home.addAccessory(accessory) }
        await refuses { try await home.removeAccessory(accessory) }
        await refuses { try await home.assignAccessory(accessory, to: room) }
        await refuses { try await home.unblockAccessory(accessory) }
        let group = try #require(home.serviceGroups.first)
        await refuses { try await group.addService(HMService()) }
        #expect(home.accessories.isEmpty)
        #expect(app.hub.requests.drain().isEmpty)
    }

    private func refuses(
        _ code: HMError.Code = .objectNotAssociatedToAnyHome,
        _ location: SourceLocation = #_sourceLocation,
        _ call: () async throws -> Void
    ) async {
        let error = await #expect(throws: HMError.self, sourceLocation: location) { try await call() }
        #expect(error?.code == code, sourceLocation: location)
    }
}
