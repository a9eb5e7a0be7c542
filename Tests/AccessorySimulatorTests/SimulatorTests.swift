import AccessoryPeers
import HAP
import HAPCatalog
import HAPServer
import class HomeKitTesting.ManualClock
import Testing

@testable import AccessorySimulator

@Suite struct SimulatorTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func configuration(_ files: [String] = [], lights: Int = 0) -> SimulatorConfiguration {
        SimulatorConfiguration(
            files: files,
            lights: lights,
            dataFolder: folder.path + "data",
            bindAddress: "127.0.0.1",
            interfaces: nil
        )
    }

    /// Writes an accessory file and returns its path.
    private func file(_ name: String, _ text: String) throws -> String {
        try folder.write(text, name)
        return folder.path + name
    }

    private func garage() throws -> String {
        try file(
            "garage.json",
            """
            {"format": 1, "name": "Garage", "serialNumber": "G-1", "category": "GarageDoorOpener", "services": [
              {"type": "GarageDoorOpener", "delay": 5,
               "characteristics": {"CurrentDoorState": "Closed", "TargetDoorState": "Closed"}}]}
            """
        )
    }

    /// Runs a simulator during a test.
    private func run(
        _ configuration: SimulatorConfiguration,
        clock: any Clock<Duration> = ContinuousClock(),
        _ body: (Simulator, [RunningAccessory]) async throws -> Void
    ) async throws {
        let simulator = try Simulator(configuration, clock: clock)
        let ready = try await simulator.start()
        do {
            try await body(simulator, ready)
            await simulator.stop()
        } catch {
            await simulator.stop()
            throw error
        }
    }

    /// Returns the next change of a characteristic.
    private func next(
        _ events: inout AsyncStream<SimulatorEvent>.Iterator,
        _ address: CharacteristicAddress
    ) async -> CharacteristicValue? {
        while let event = await events.next() {
            if case .valueChanged(let change) = event, change.address == address { return change.value }
        }
        return nil
    }

    @Test func identityAndCodeSurviveARestart() async throws {
        let files = [try garage()]
        var first: [RunningAccessory] = []
        try await run(configuration(files)) { _, ready in first = ready }
        try await run(configuration(files)) { _, ready in
            #expect(ready.map(\.deviceID) == first.map(\.deviceID))
            #expect(ready.map(\.setupPayload) == first.map(\.setupPayload))
            #expect(ready.first?.name == "Garage")
            #expect(ready.first?.isPaired == false)
        }
        #expect(try folder.names("data") == [".control", "G-1"])
        #expect(try folder.mode("data/G-1") == 0o700)
    }

    @Test func aFactoryResetMakesAnotherAccessoryWithTheSameCode() async throws {
        var configuration = configuration([try garage()])
        var first: [RunningAccessory] = []
        try await run(configuration) { _, ready in first = ready }
        configuration.isFactoryReset = true
        try await run(configuration) { _, ready in
            #expect(ready.map(\.deviceID) != first.map(\.deviceID))
            #expect(ready.map(\.setupPayload) == first.map(\.setupPayload))
            #expect(ready.first?.isPaired == false)
        }
    }

    @Test func aDoorOpensAfterItsDelay() async throws {
        let clock = ManualClock()
        try await run(configuration([try garage()]), clock: clock) { simulator, _ in
            let target = try simulator.find("Garage", "TargetDoorState")
            let current = try simulator.find("Garage", "CurrentDoorState")
            var events = simulator.events().makeAsyncIterator()
            try await simulator.set(.integer(0), of: target)
            #expect(await next(&events, current) == .integer(2))
            await clock.waitForSleepers(1)
            clock.move(by: .milliseconds(4999))
            #expect(try await simulator.value(of: current) == .integer(2))
            clock.move(by: .milliseconds(1))
            #expect(await next(&events, current) == .integer(0))
        }
    }

    @Test func aDoorThatIsReversedDoesNotArriveWhereItWasGoing() async throws {
        let clock = ManualClock()
        try await run(configuration([try garage()]), clock: clock) { simulator, _ in
            let target = try simulator.find("Garage", "TargetDoorState")
            let current = try simulator.find("Garage", "CurrentDoorState")
            var events = simulator.events().makeAsyncIterator()
            try await simulator.set(.integer(0), of: target)
            #expect(await next(&events, current) == .integer(2))
            await clock.waitForSleepers(1)
            clock.move(by: .seconds(4))
            try await simulator.set(.integer(1), of: target)
            #expect(await next(&events, current) == .integer(3))
            await clock.waitForSleepers(2)
            clock.move(by: .seconds(4))
            #expect(try await simulator.value(of: current) == .integer(3))
            clock.move(by: .seconds(1))
            #expect(await next(&events, current) == .integer(1))
        }
    }

    @Test func everyPressIsAnEvent() async throws {
        let button = try file(
            "button.json",
            """
            {"format": 1, "name": "Button", "serialNumber": "B-1", "category": "ProgrammableSwitch", "services": [
              {"type": "StatelessProgrammableSwitch"},
              {"type": "StatelessProgrammableSwitch", "key": "second", "characteristics":
                {"ProgrammableSwitchEvent": {"validValues": [0]}}}]}
            """
        )
        try await run(configuration([button])) { simulator, _ in
            var events = simulator.events().makeAsyncIterator()
            let error = await #expect(throws: SimulatorError.self) { try await simulator.press("Button") }
            // Two services have the characteristic, and none was specified.
            #expect(error?.code == .ambiguous)
            for press in [Simulator.Press.single, .single, .long] {
                try await simulator.press("Button", service: "StatelessProgrammableSwitch", press)
            }
            let type = "ProgrammableSwitchEvent"
            let address = try simulator.find("Button", type, service: "StatelessProgrammableSwitch")
            for value in [0, 0, 2] as [Int64] { #expect(await next(&events, address) == .integer(value)) }
            let refusal = await #expect(throws: SimulatorError.self) {
                try await simulator.press("Button", service: "second", .double)
            }
            #expect(refusal?.code == .invalidValue)
        }
    }

    @Test func namesThatDoNotExistAreAnsweredWithThoseThatDo() async throws {
        try await run(configuration([try garage()])) { simulator, _ in
            let accessory = #expect(throws: SimulatorError.self) { _ = try simulator.find("Lamp", "On") }
            #expect(accessory?.code == .notFound)
            #expect(accessory?.reason.contains("Garage") == true)
            let characteristic = #expect(throws: SimulatorError.self) { _ = try simulator.find("Garage", "On") }
            #expect(characteristic?.reason.contains("GarageDoorOpener") == true)
            #expect(throws: SimulatorError.self) { _ = try simulator.find("Garage", "Nonsense") }
            let address = try simulator.find("Garage", "Target Door State")
            #expect(try simulator.find("G-1", "target-door-state") == address)
            let value = await #expect(throws: SimulatorError.self) {
                try await simulator.set(.integer(9), of: simulator.find("Garage", "TargetDoorState"))
            }
            #expect(value?.code == .invalidValue)
        }
    }

    @Test func twoSimulatorsCannotUseOneDataFolder() async throws {
        let files = [try garage()]
        try await run(configuration(files)) { _, _ in
            let second = try Simulator(configuration(files))
            let error = await #expect(throws: SimulatorError.self) { _ = try await second.start() }
            #expect(error?.code.rawValue == "storageLocked")
        }
    }

    @Test func aSerialNumberIsForOneAccessory() throws {
        let files = [try garage(), try file("copy.json", try folder.read("garage.json"))]
        let error = #expect(throws: SimulatorError.self) { _ = try Simulator(configuration(files)) }
        #expect(error?.code == .invalidConfiguration)
        #expect(error?.reason.contains("copy.json") == true && error?.reason.contains("garage.json") == true)
    }

    @Test func aFailedStartLeavesNothingRunning() async throws {
        let garage = try garage()
        let lamp = try file(
            "lamp.json",
            #"{"format": 1, "name": "Lamp", "serialNumber": "L-1", "category": "Lightbulb", "services": []}"#
        )
        try await run(configuration([lamp])) { _, _ in }
        let lock = try FolderStorage(folder: folder.path + "data/L-1")
        let failing = try Simulator(configuration([garage, lamp]))
        await #expect(throws: SimulatorError.self) { _ = try await failing.start() }
        try await run(configuration([garage])) { _, ready in #expect(ready.count == 1) }
        lock.release()
        try await run(configuration([garage, lamp])) { _, ready in #expect(ready.count == 2) }
    }

    @Test func aSimulatorStartsOnce() async throws {
        try await run(configuration([try garage()])) { simulator, _ in
            let error = await #expect(throws: SimulatorError.self) { _ = try await simulator.start() }
            #expect(error?.code == .wrongState)
            let target = try simulator.find("Garage", "TargetDoorState")
            #expect(try await simulator.value(of: target) == .integer(1))
        }
    }

    @Test func nothingToSimulateIsRefusedUnlessItIsToBeAddedLater() async throws {
        let empty = try Simulator(configuration())
        let error = await #expect(throws: SimulatorError.self) { _ = try await empty.start() }
        #expect(error?.code == .invalidConfiguration)
        var configuration = configuration()
        configuration.canBeEmpty = true
        try await run(configuration) { _, ready in #expect(ready.isEmpty) }
        #expect(throws: SimulatorError.self) { _ = try Simulator(self.configuration(lights: -1)) }
    }

    @Test func theStreamsEndWithTheSimulator() async throws {
        let simulator = try Simulator(configuration([try garage()]))
        let events = simulator.events()
        _ = try await simulator.start()
        await simulator.stop()
        for await _ in events {}
        for await _ in simulator.events() {}
    }
}

@Suite struct LightsTests {
    @Test func lampsAreSplitOverBridgesAndStayThere() {
        let few = AccessoryDescription.lights(149)
        #expect(few.map(\.accessories.count) == [150])
        let many = AccessoryDescription.lights(299)
        #expect(many.map(\.accessories.count) == [150, 150, 2])
        #expect(many[0].accessories == few[0].accessories)
        let names = many.flatMap { $0.accessories.dropFirst().map(\.information.name) }
        #expect(names == (1...299).map { "Lamp \($0)" })
        #expect(AccessoryDescription.lights(0).isEmpty)
        #expect(AccessoryDescription.lights(1).map(\.accessories.count) == [2])
    }

    @Test func aLampHasPowerAndBrightness() throws {
        let lamp = try #require(AccessoryDescription.lights(1).first?.accessories.last)
        let types = lamp.services.flatMap { $0.characteristics.map(\.type) }
        #expect(types == [HAPType.Characteristic.on, HAPType.Characteristic.brightness])
    }
}
