import Foundation
@testable import HomeKit
import HomeModel
import HubAPI
import Testing

struct ActionTests {
    private let hub = ScriptedHub()

    private func brightness() async throws -> (app: App, characteristic: HMCharacteristic) {
        let id = try hub.addHome("Villa")
        try hub.addAccessories([Devices.lamp("Lamp")], in: id)
        let app = try await App(on: hub)
        return (app, try app.accessory("Lamp").characteristic(HMCharacteristicTypeBrightness))
    }

    @Test func aWriteActionKeepsWhatItIsMadeOf() async throws {
        let (app, brightness) = try await brightness()
        let action: HMAction = HMCharacteristicWriteAction<any NSCopying>(
            characteristic: brightness,
            targetValue: NSNumber(value: 40)
        )
        let write = try #require(action as? HMCharacteristicWriteAction<any NSCopying>)
        #expect(write.characteristic === brightness)
        #expect(write.targetValue as? NSNumber == 40)
        let other = HMCharacteristicWriteAction(characteristic: brightness, targetValue: 50 as NSNumber)
        #expect(other.targetValue == 50)
        #expect(Set<HMAction>([action, other, action]).count == 2)
        #expect(Set([action.uniqueIdentifier, other.uniqueIdentifier, write.uniqueIdentifier]).count == 2)
        #expect(app.hub.requests.drain().isEmpty)
    }

    @Test func aWriteActionTakesOnlyAnotherValueThatTheCharacteristicTakes() async throws {
        let (app, brightness) = try await brightness()
        let action = HMCharacteristicWriteAction<any NSCopying>(
            characteristic: brightness,
            targetValue: NSNumber(value: 40)
        )
        try await action.updateTargetValue(NSNumber(value: 100))
        #expect(action.targetValue as? NSNumber == 100)
        #expect(await code { try await action.updateTargetValue(NSNumber(value: 101)) } == .valueHigherThanMaximum)
        #expect(await code { try await action.updateTargetValue("bright" as NSString) } == .invalidValueType)
        #expect(action.targetValue as? NSNumber == 100)
        action.updateTargetValue(0 as NSNumber) { error in
            app.recorder.notes.put("updated to \(action.targetValue) \(error == nil)")
        }
        #expect(try await app.recorder.next() == "updated to 0 true")
    }
}
