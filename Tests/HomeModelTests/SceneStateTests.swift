import Foundation
import HAPCatalog
import HomeModel
import HubAPI
import Testing

/// Whether a scene is on.
struct SceneStateTests {
    private var test = TestHome()
    private let lamp: UUID

    init() throws {
        let lamp = AccessoryCandidate.dimmer
        self.lamp = lamp.id
        try test.ask(AddAccessories([lamp], server: TestHome.server, name: nil, room: nil))
    }

    private func identity(_ iid: UInt64) throws -> CharacteristicIdentity {
        try #require(test.home.identity(ofCharacteristic: iid, in: lamp))
    }

    private func scene(_ values: [UInt64: CharacteristicValue]) throws -> ActionSetRecord {
        let actions = try values.map { iid, value in
            Action(id: UUID(), operation: .write(try identity(iid), value))
        }
        return ActionSetRecord(id: UUID(), name: "Evening", actions: actions)
    }

    private func isOn(_ scene: ActionSetRecord, _ values: [UInt64: CharacteristicValue]) -> Bool? {
        var state = Projection.test(test.owner.user).state(of: test.home)
        let updates = values.map { iid, value in
            let reference = CharacteristicReference(accessory: lamp, iid: iid)
            return ValueUpdate(home: test.home.id, characteristic: reference, value: value)
        }
        state.apply(.values(updates))
        return state.isOn(scene, in: test.home.id)
    }

    @Test func sceneIsOnWhileAllItsValuesHold() throws {
        let scene = try scene([11: .bool(true), 12: .integer(30)])
        #expect(isOn(scene, [11: .bool(true), 12: .integer(30)]) == true)
        #expect(isOn(scene, [11: .integer(1), 12: .double(30)]) == true)
        #expect(isOn(scene, [11: .bool(true), 12: .integer(31)]) == false)
        #expect(isOn(scene, [11: .bool(false), 12: .integer(30)]) == false)
    }

    @Test func stateIsUnknownWhileAValueIs() throws {
        let scene = try scene([11: .bool(true), 12: .integer(30)])
        #expect(isOn(scene, [:]) == nil)
        #expect(isOn(scene, [11: .bool(true)]) == nil)
        // One value that differs suffices.
        #expect(isOn(scene, [11: .bool(false)]) == false)
    }

    @Test func numberWithinTheAccessorysStepHolds() throws {
        let scene = try scene([13: .double(21.3)])
        #expect(isOn(scene, [13: .double(21.5)]) == true)
        #expect(isOn(scene, [13: .double(21.05)]) == true)
        #expect(isOn(scene, [13: .double(21.0)]) == false)
    }

    @Test func whatCannotBeReadDoesNotCount() throws {
        #expect(isOn(try scene([11: .bool(true), 14: .bool(true)]), [11: .bool(true)]) == true)
        #expect(isOn(try scene([14: .bool(true)]), [11: .bool(true)]) == nil)
    }

    @Test func emptySceneIsNeitherOnNorOff() throws {
        #expect(isOn(try scene([:]), [11: .bool(true)]) == nil)
    }

    @Test func sceneWithALostAccessoryIsNotOn() throws {
        var scene = try scene([11: .bool(true)])
        let lost = CharacteristicIdentity(accessory: UUID(), characteristic: UUID(), type: HAPType.Characteristic.on)
        scene.actions.append(Action(id: UUID(), operation: .write(lost, .bool(true))))
        #expect(isOn(scene, [11: .bool(true)]) == nil)
    }
}

extension AccessoryCandidate {
    /// A lamp with a brightness, a temperature in steps of 0.5, and a characteristic that can't be read.
    fileprivate static var dimmer: AccessoryCandidate {
        var lamp = AccessoryCandidate.lamp("Lamp")
        var temperature = CharacteristicMetadata(format: .float)
        temperature.stepValue = .double(0.5)
        lamp.services[1].characteristics = [
            .init(iid: 11, type: HAPType.Characteristic.on, permissions: [.read, .write], format: .bool),
            .init(iid: 12, type: HAPType.Characteristic.brightness, permissions: [.read, .write], format: .int),
            CharacteristicShape(
                iid: 13,
                type: HAPType.Characteristic.targetTemperature,
                permissions: [.read, .write],
                metadata: temperature
            ),
            .init(iid: 14, type: HAPType.Characteristic.identify, permissions: [.write], format: .bool),
        ]
        return lamp
    }
}
