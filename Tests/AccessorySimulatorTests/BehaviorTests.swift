import HAPCatalog
import Testing

@testable import AccessorySimulator

@Suite struct BehaviorTests {
    private typealias Types = HAPType.Characteristic

    private func value(_ type: HAPType, _ name: String) throws -> CharacteristicValue {
        try #require(CharacteristicDefinition.of(type)?.value(named: name))
    }

    @Test func aGarageDoorMovesBeforeItArrives() throws {
        let door = try #require(Behavior(HAPType.Service.garageDoorOpener))
        let open = try value(Types.targetDoorState, "Open")
        let reaction = door.reaction(to: Types.targetDoorState, [Types.targetDoorState: open])
        #expect(reaction?.now == [Types.currentDoorState: try value(Types.currentDoorState, "Opening")])
        #expect(reaction?.later == [Types.currentDoorState: try value(Types.currentDoorState, "Open")])
        #expect(door.delay > .zero)
        #expect(door.reaction(to: Types.currentDoorState, [Types.targetDoorState: open]) == nil)
    }

    @Test(arguments: [(0, 100, "Increasing"), (100, 0, "Decreasing"), (40, 40, "Stopped")])
    func blindsMoveTowardsTheirTarget(_ current: Int64, _ target: Int64, _ state: String) throws {
        let blinds = try #require(Behavior(HAPType.Service.windowCovering))
        let values: [HAPType: CharacteristicValue] = [
            Types.currentPosition: .integer(current), Types.targetPosition: .integer(target),
        ]
        let reaction = try #require(blinds.reaction(to: Types.targetPosition, values))
        #expect(reaction.now == [Types.positionState: try value(Types.positionState, state)])
        #expect(
            reaction.later == [
                Types.positionState: try value(Types.positionState, "Stopped"), Types.currentPosition: .integer(target),
            ]
        )
    }

    @Test(arguments: [
        ("Heat", 20.0, 21.0, "Heat"), ("Heat", 21, 21, "Off"), ("Cool", 22, 21, "Cool"), ("Cool", 20, 21, "Off"),
        ("Auto", 20, 21, "Heat"), ("Auto", 22, 21, "Cool"), ("Off", 10, 30, "Off"),
    ])
    func aThermostatHeatsOrCoolsAsWanted(
        _ mode: String,
        _ current: Double,
        _ target: Double,
        _ state: String
    ) throws {
        let thermostat = try #require(Behavior(HAPType.Service.thermostat))
        let values: [HAPType: CharacteristicValue] = [
            Types.targetHeatingCoolingState: try value(Types.targetHeatingCoolingState, mode),
            Types.currentTemperature: .double(current), Types.targetTemperature: .double(target),
        ]
        let expected = [Types.currentHeatingCoolingState: try value(Types.currentHeatingCoolingState, state)]
        for changed in values.keys { #expect(thermostat.reaction(to: changed, values)?.later == expected) }
        #expect(thermostat.reaction(to: Types.currentHeatingCoolingState, values) == nil)
    }

    @Test func aLockFollowsItsTarget() throws {
        let lock = try #require(Behavior(HAPType.Service.lockMechanism))
        let reaction = lock.reaction(to: Types.lockTargetState, [Types.lockTargetState: .integer(1)])
        #expect(reaction?.later == [Types.lockCurrentState: .integer(1)])
        #expect(reaction?.now == [:])
    }

    @Test func aFanBlowsWhileItIsActive() throws {
        let fan = try #require(Behavior(HAPType.Service.fanv2))
        for (active, state) in [("Active", "Blowing Air"), ("Inactive", "Inactive")] {
            let reaction = fan.reaction(to: Types.active, [Types.active: try value(Types.active, active)])
            #expect(reaction?.later == [Types.currentFanState: try value(Types.currentFanState, state)])
        }
    }

    @Test func aLampDoesNothingByItself() {
        #expect(Behavior(HAPType.Service.lightbulb) == nil)
    }
}
