import AccessoryPeers
import Foundation
import HAP
import HAPCatalog
import HAPServer
import class HomeKitTesting.ManualClock
import PeerProcess
import Testing

@testable import AccessorySimulator

/// The built-in accessories.
struct LibraryTests {
    /// Runs accessories of the library during a test.
    private func run(
        _ names: [String],
        clock: any Clock<Duration> = ManualClock(),
        _ body: (Simulator, [RunningAccessory]) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        var descriptions: [AccessoryDescription] = []
        for name in names { descriptions.append(try AccessoryLibrary.accessory(name)) }
        let simulator = try Simulator(
            SimulatorConfiguration(
                accessories: descriptions,
                dataFolder: folder.path + "data",
                bindAddress: "127.0.0.1",
                interfaces: nil
            ),
            clock: clock
        )
        let ready = try await simulator.start()
        do {
            try await body(simulator, ready)
            await simulator.stop()
        } catch {
            await simulator.stop()
            throw error
        }
    }

    /// Waits for a value, without a tight time limit.
    private func wait(_ simulator: Simulator, _ accessory: String, _ type: String, _ value: CharacteristicValue)
        async throws
    {
        let address = try simulator.find(accessory, type)
        while try await simulator.value(of: address) != value { await Task.yield() }
    }

    @Test func thereAreTwentyFiveOfDifferentKindsWithNamesOfTheirOwn() throws {
        let descriptions = try AccessoryLibrary.names.map { try AccessoryLibrary.accessory($0) }
        #expect(descriptions.count == 25)
        #expect(Set(descriptions.map(\.name)).count == 25)
        #expect(Set(descriptions.map(\.category)).count >= 20)
        let serialNumbers = descriptions.flatMap { $0.accessories.map(\.key) }
        #expect(Set(serialNumbers).count == serialNumbers.count)
    }

    @Test func everyServiceAndCharacteristicIsOfTheCatalogue() throws {
        let fadeRate = "7E536242-341C-4862-BE90-272CE15BD633"
        for name in AccessoryLibrary.names {
            for service in try AccessoryLibrary.accessory(name).accessories.flatMap(\.services) {
                let definition = try #require(ServiceDefinition.of(service.type), "\(name)")
                let known = Set(definition.required + definition.optional)
                for characteristic in service.characteristics where characteristic.type.longForm != fadeRate {
                    #expect(known.contains(characteristic.type), "\(name): \(service.key)/\(characteristic.type)")
                }
            }
        }
    }

    @Test func numberedButtonsBelongToTheirLabel() throws {
        var numbered = 0
        for accessory in try AccessoryLibrary.names.flatMap({ try AccessoryLibrary.accessory($0).accessories }) {
            let labels = accessory.services.filter { $0.type == HAPType.Service.serviceLabel }.map(\.key)
            for service in accessory.services where service.type == HAPType.Service.statelessProgrammableSwitch {
                let types = service.characteristics.map(\.type)
                guard types.contains(HAPType.Characteristic.serviceLabelIndex) else { continue }
                numbered += 1
                #expect(labels.count == 1 && service.linked == labels, "\(service.key)")
            }
        }
        #expect(numbered == 2)
    }

    @Test func theGarageDoorIsThatOfTheSample() throws {
        let door = try AccessoryLibrary.accessory("garage-door")
        #expect(door.setupCode == (try SetupCode("140-41-323")))
        let types = door.accessories.flatMap(\.services).flatMap(\.characteristics).map(\.type.longForm)
        #expect(types.contains("7E536242-341C-4862-BE90-272CE15BD633"))
    }

    @Test func aiohomekitPairsWithEachAndReadsItWhole() async throws {
        try await run(AccessoryLibrary.names) { simulator, ready in
            #expect(ready.count == 25)
            for accessory in ready {
                try await AiohomekitController.run { peer in
                    try await peer.pair(
                        port: accessory.port,
                        id: accessory.deviceID.description,
                        code: accessory.setupCode.dashed
                    )
                    var ids: [String] = []
                    for attributes in try await peer.ask("list").accessories ?? [] {
                        for characteristic in attributes.services.flatMap(\.characteristics)
                        where characteristic.perms.contains("pr") {
                            ids.append("\"\(attributes.aid).\(characteristic.iid)\"")
                        }
                    }
                    #expect(ids.count >= 7)
                    let results = try await peer.ask("read", #""ids":[\#(ids.joined(separator: ","))]"#).results ?? [:]
                    #expect(results.count == ids.count, "\(accessory.name)")
                    #expect(results.filter { ($0.value.status ?? 0) != 0 }.isEmpty, "\(accessory.name)")
                }
            }
        }
    }

    // MARK: Behavior

    @Test func theGarageDoorTakesItsTime() async throws {
        let clock = ManualClock()
        try await run(["garage-door"], clock: clock) { simulator, _ in
            try await simulator.set(.integer(0), of: simulator.find("Garage Door Opener", "TargetDoorState"))
            try await wait(simulator, "Garage Door Opener", "CurrentDoorState", .integer(2))
            await clock.waitForSleepers(1)
            clock.move(by: .seconds(12))
            try await wait(simulator, "Garage Door Opener", "CurrentDoorState", .integer(0))
        }
    }

    @Test func theThermostatsRoomCoolsDownUntilItHeats() async throws {
        let clock = ManualClock()
        try await run(["thermostat"], clock: clock) { simulator, _ in
            await clock.waitForSleepers(1)
            clock.move(by: .seconds(60))
            try await wait(simulator, "Thermostat", "CurrentTemperature", .double(20.9))
            try await wait(simulator, "Thermostat", "CurrentHeatingCoolingState", .integer(1))
            await clock.waitForSleepers(2)
            clock.move(by: .seconds(60))
            try await wait(simulator, "Thermostat", "CurrentTemperature", .double(21))
            try await wait(simulator, "Thermostat", "CurrentHeatingCoolingState", .integer(0))
        }
    }

    @Test func theLocksBatteryEmpties() async throws {
        let clock = ManualClock()
        try await run(["door-lock"], clock: clock) { simulator, _ in
            await clock.waitForSleepers(1)
            clock.move(by: .seconds(6 * 3600))
            try await wait(simulator, "Front Door Lock", "BatteryLevel", .integer(63))
        }
    }

    @Test func theLockJamsTheTenthTime() async throws {
        let clock = ManualClock()
        try await run(["door-lock"], clock: clock) { simulator, _ in
            let target = try simulator.find("Front Door Lock", "LockTargetState")
            for turn in 1...10 {
                let state = CharacteristicValue.integer(turn.isMultiple(of: 2) ? 1 : 0)
                try await simulator.set(state, of: target)
                // The first sleeper is the battery's step.
                await clock.waitForSleepers(1 + turn)
                clock.move(by: .seconds(2))
                try await wait(simulator, "Front Door Lock", "LockCurrentState", turn == 10 ? .integer(2) : state)
            }
        }
    }

    @Test func theFaucetStopsByItself() async throws {
        let clock = ManualClock()
        try await run(["faucet"], clock: clock) { simulator, _ in
            let valve = try simulator.find("Faucet", "Active", service: "Valve")
            try await simulator.set(.integer(2), of: simulator.find("Faucet", "SetDuration"))
            try await simulator.set(.integer(1), of: valve)
            try await wait(simulator, "Faucet", "RemainingDuration", .integer(2))
            #expect(try await simulator.value(of: simulator.find("Faucet", "InUse")) == .integer(1))
            await clock.waitForSleepers(1)
            clock.move(by: .seconds(1))
            try await wait(simulator, "Faucet", "RemainingDuration", .integer(1))
            await clock.waitForSleepers(2)
            clock.move(by: .seconds(1))
            try await wait(simulator, "Faucet", "InUse", .integer(0))
            #expect(try await simulator.value(of: valve) == .integer(0))
        }
    }
}
