import AccessoryPeers
import HAPCatalog
import Testing

@testable import AccessorySimulator

struct HabitTests {
    private typealias Types = HAPType.Characteristic

    private func step(
        _ line: String,
        _ values: [HAPType: CharacteristicValue],
        seed: UInt64 = 0
    ) throws -> [HAPType: CharacteristicValue] {
        var generator = SeededGenerator(seed: seed)
        return try Habit(line).step(values, using: &generator)
    }

    // MARK: Effects

    @Test func aBatteryEmptiesAndWarns() throws {
        let habit = "falls BatteryLevel 5 every 1h"
        #expect(
            try step(habit, [Types.batteryLevel: .integer(30)])
                == [Types.batteryLevel: .integer(25), Types.statusLowBattery: .integer(0)]
        )
        #expect(
            try step(habit, [Types.batteryLevel: .integer(24)])
                == [Types.batteryLevel: .integer(19), Types.statusLowBattery: .integer(1)]
        )
        #expect(try step(habit, [Types.batteryLevel: .integer(3)])[Types.batteryLevel] == .integer(0))
        #expect(try step(habit, [Types.batteryLevel: .integer(0)]) == [:])
    }

    @Test func aFilterWearsAndWarns() throws {
        let changes = try step("falls FilterLifeLevel 1 every 1h", [Types.filterLifeLevel: .double(10)])
        #expect(changes == [Types.filterLifeLevel: .integer(9), Types.filterChangeIndication: .integer(1)])
    }

    @Test func aSensorWandersBetweenItsBounds() throws {
        let habit = "wanders CurrentTemperature 0.1 every 30s from 20 to 20.2"
        var seen: Set<CharacteristicValue> = []
        var generator = SeededGenerator(seed: 1)
        var value = CharacteristicValue.double(20.1)
        for _ in 0..<50 {
            let next = try #require(
                try Habit(habit).step([Types.currentTemperature: value], using: &generator)[Types.currentTemperature]
            )
            value = next
            seen.insert(next)
        }
        #expect(seen == [.integer(20), .double(20.1), .double(20.2)])
    }

    @Test(arguments: [
        ("Heat", 20.0, 20.1), ("Cool", 20.0, 19.9), ("Off", 20.0, 19.9), ("Off", 16.0, 16.1), ("Off", 17.0, 17.0),
        ("Off", 17.05, 17.0),
    ])
    func aRoomDriftsAsItIsHeatedOrNot(_ state: String, _ temperature: Double, _ next: Double) throws {
        let type = Types.currentHeatingCoolingState
        let changes = try step(
            "drifts 0.1 every 1min to 17",
            [
                type: try #require(CharacteristicDefinition.of(type)?.value(named: state)),
                Types.currentTemperature: .double(temperature),
            ]
        )
        #expect(changes[Types.currentTemperature]?.number == next)
    }

    @Test func waterRunsForItsTime() throws {
        let habit = "runs-down"
        let running: [HAPType: CharacteristicValue] = [Types.active: .integer(1), Types.inUse: .integer(1)]
        func step(_ rest: Int64) throws -> [HAPType: CharacteristicValue] {
            try self.step(habit, running.merging([Types.remainingDuration: .integer(rest)]) { $1 })
        }
        #expect(try step(2) == [Types.remainingDuration: .integer(1)])
        #expect(
            try step(1) == [
                Types.active: .integer(0), Types.inUse: .integer(0), Types.remainingDuration: .integer(0),
            ]
        )
        #expect(try step(0) == [:])
        #expect(try self.step(habit, [Types.inUse: .integer(0), Types.remainingDuration: .integer(9)]) == [:])
    }

    @Test func motionIsOverAfterAWhile() throws {
        let habit = try Habit("clears MotionDetected after 10s")
        #expect(habit.time == .seconds(10))
        let reaction = habit.reaction(to: Types.motionDetected, [Types.motionDetected: .bool(true)])
        #expect(reaction?.later == [Types.motionDetected: .bool(false)])
        let smoke = try Habit("clears SmokeDetected after 1min")
        let cleared = smoke.reaction(to: Types.smokeDetected, [Types.smokeDetected: .integer(1)])
        #expect(cleared?.later == [Types.smokeDetected: .integer(0)])
        #expect(habit.reaction(to: Types.motionDetected, [Types.motionDetected: .bool(false)]) == nil)
        #expect(habit.reaction(to: Types.statusActive, [Types.motionDetected: .bool(true)]) == nil)
    }

    @Test func anOutletIsInUseWhileItIsOn() throws {
        let habit = try Habit("copies On to OutletInUse")
        #expect(habit.reaction(to: Types.on, [Types.on: .bool(true)])?.later == [Types.outletInUse: .bool(true)])
        #expect(habit.reaction(to: Types.outletInUse, [Types.on: .bool(true)]) == nil)
    }

    @Test func aLockJamsEachTimeOfSoMany() throws {
        let habit = try Habit("jams every 3")
        let secured = Behavior.Reaction(later: [Types.lockCurrentState: .integer(1)])
        let states = (1...6).map { habit.altered(secured, $0).later[Types.lockCurrentState] }
        #expect(states == [1, 1, 2, 1, 1, 2].map { .integer($0) })
    }

    // MARK: Text

    @Test(arguments: [
        "falls BatteryLevel 1 every 21600s", "wanders CurrentTemperature 0.1 every 30s from 18 to 24.5",
        "drifts 0.1 every 60s to 17", "runs-down", "clears MotionDetected after 10s", "copies On to OutletInUse",
        "jams every 10",
    ])
    func aHabitIsWrittenAsItWasRead(_ line: String) throws {
        #expect(try Habit(line).description == line)
    }

    @Test(arguments: [
        ("", "a habit is missing"), ("sleeps", "'sleeps' is not a habit; use falls"),
        ("falls Battery 1 every 1h", "'Battery' is not a characteristic"),
        ("falls BatteryLevel 0 every 1h", "is not greater than 0"),
        ("falls BatteryLevel 1", "'every' is missing at the end"),
        ("wanders On 1 every 1s from 2 to 1", "2.0 is greater than 1.0"),
        ("jams every 0", "'0' is not a number from 1"),
        ("clears On after 99ms", "is not between 100ms"), ("runs-down now", "unexpected 'now'"),
    ])
    func whatIsWrongWithALineIsNamed(_ line: String, _ reason: String) {
        let error = #expect(throws: SimulatorError.self) { _ = try Habit(line) }
        #expect(error?.reason.contains(reason) == true, "\(String(describing: error))")
    }

    @Test func aHabitThatTheServiceCannotHaveIsAnErrorOfTheFile() {
        let text = """
            {"format": 1, "name": "Lamp", "serialNumber": "L-1", "category": "Lightbulb", "services": [
              {"type": "Lightbulb", "habits": ["falls BatteryLevel 1 every 1h"]}]}
            """
        let error = #expect(throws: SimulatorError.self) {
            _ = try AccessoryDescription(parsing: Array(text.utf8), source: "lamp.json")
        }
        #expect(error?.reason.contains("line 2: services[0].habits[0]: ") == true)
        #expect(error?.reason.contains("needs the characteristic Battery Level") == true)
    }
}

extension HabitTests {
    @Test func habitsAreWrittenToFiles() throws {
        let lock = try AccessoryLibrary.accessory("door-lock")
        let again = try AccessoryDescription(parsing: lock.fileText(), source: "again.json")
        #expect(lock.habits.count == 2)
        #expect(again.habits == lock.habits)
    }
}
