import AccessoryPeers
import Foundation
import HAP
import HAPCatalog
import HAPServer
import PeerProcess
import Testing

@testable import AccessorySimulator

/// Accessories of the demo home, controlled by aiohomekit in a separate process.
@Suite struct AiohomekitTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func run(_ file: String, _ body: (Simulator, RunningAccessory) async throws -> Void) async throws {
        let path = try PeerPython.packageRoot().appending(path: "Examples/DemoHome/\(file)").path()
        let simulator = try Simulator(
            SimulatorConfiguration(
                files: [path],
                dataFolder: folder.path,
                bindAddress: "127.0.0.1",
                interfaces: nil
            )
        )
        do {
            let ready = try #require(try await simulator.start().first)
            try await body(simulator, ready)
            await simulator.stop()
        } catch {
            await simulator.stop()
            throw error
        }
    }

    /// Pairs, and returns the iids of an accessory's characteristics by service and characteristic type.
    private func pair(
        _ peer: AiohomekitController,
        _ ready: RunningAccessory
    ) async throws -> [UInt64: [HAPType: [HAPType: String]]] {
        try await peer.pair(port: ready.port, id: ready.deviceID.description, code: ready.setupCode.dashed)
        var ids: [UInt64: [HAPType: [HAPType: String]]] = [:]
        for accessory in try await peer.ask("list").accessories ?? [] {
            for service in accessory.services {
                let type = try #require(HAPType(service.type))
                for characteristic in service.characteristics {
                    let id = "\(accessory.aid).\(characteristic.iid)"
                    ids[accessory.aid, default: [:]][type, default: [:]][try #require(HAPType(characteristic.type))] =
                        id
                }
            }
        }
        return ids
    }

    @Test func aDoorThatIsToldToOpenOpensAndTellsSo() async throws {
        try await run("garage-door-opener.json") { simulator, ready in
            try await AiohomekitController.run { peer in
                #expect(ready.setupCode.dashed == "140-41-323")
                let door = try #require(try await pair(peer, ready)[1]?[HAPType.Service.garageDoorOpener])
                let target = try #require(door[HAPType.Characteristic.targetDoorState])
                let current = try #require(door[HAPType.Characteristic.currentDoorState])
                try await peer.ask("subscribe", #""ids":["\#(current)"]"#)
                #expect(try await peer.ask("write", #""values":{"\#(target)":0}"#).results == [:])
                #expect(try await peer.changes() == [current: .integer(2)])
                #expect(try await peer.changes() == [current: .integer(0)])
                #expect(try await peer.ask("read", #""ids":["\#(current)"]"#).results?[current]?.value == .integer(0))
                let address = try simulator.find("Garage Door Opener", "CurrentDoorState")
                #expect(try await simulator.value(of: address) == .integer(0))
            }
        }
    }

    @Test func theFadeRateOfTheSampleIsReadAndWritten() async throws {
        try await run("garage-door-opener.json") { simulator, ready in
            try await AiohomekitController.run { peer in
                let light = try #require(try await pair(peer, ready)[1]?[HAPType.Service.lightbulb])
                let type = try #require(HAPType("7E536242-341C-4862-BE90-272CE15BD633"))
                let rate = try #require(light[type])
                #expect(try await peer.ask("write", #""values":{"\#(rate)":0.3}"#).results == [:])
                let address = try simulator.find("Garage Door Opener", type.longForm)
                #expect(try await simulator.value(of: address) == .double(0.3))
                let refused = try await peer.ask("write", #""values":{"\#(rate)":1.5}"#)
                #expect(refused.results?[rate]?.status == HAPStatus.invalidValue.rawValue)
            }
        }
    }

    @Test func aChangeByHandReachesTheController() async throws {
        try await run("light-bridge.json") { simulator, ready in
            try await AiohomekitController.run { peer in
                let bridge = try await pair(peer, ready)
                #expect(bridge.count == 7)
                #expect(bridge[1]?[HAPType.Service.lightbulb] == nil)
                let lamp = try #require(bridge[2]?[HAPType.Service.lightbulb])
                let hue = try #require(lamp[HAPType.Characteristic.hue])
                try await peer.ask("subscribe", #""ids":["\#(hue)"]"#)
                try await simulator.set(.double(200), of: simulator.find("Living Room Lamp", "Hue"))
                #expect(try await peer.changes() == [hue: .integer(200)])
            }
        }
    }

    @Test func aRemovedPairingOpensTheAccessoryAgain() async throws {
        try await run("front-door.json") { simulator, ready in
            var events = simulator.events().makeAsyncIterator()
            try await AiohomekitController.run { peer in
                _ = try await pair(peer, ready)
                #expect(await events.next() == .pairingChanged(name: "Front Door", isPaired: true))
                try await peer.ask("remove")
                #expect(await events.next() == .pairingChanged(name: "Front Door", isPaired: false))
                _ = try await pair(peer, ready)
            }
        }
    }

    @Test func faultsAreWhatAControllerOfAnotherMakerSees() async throws {
        try await FaultFixture.run { fixture in
            try await AiohomekitController.run { peer in
                let lamp = try #require(try await pair(peer, fixture.ready)[1]?[HAPType.Service.lightbulb])
                let on = try #require(lamp[HAPType.Characteristic.on])
                let isOn = try fixture.simulator.find("Lamp", "On")
                try await fixture.simulator.inject(Fault("status -70402 write once"), into: "Lamp")
                let refused = try await peer.ask("write", #""values":{"\#(on)":true}"#)
                #expect(refused.results?[on]?.status == -70402)
                for fault in ["wrong-tag once", "half-answer once", "drop once"] {
                    try await fixture.simulator.inject(Fault(fault), into: "Lamp")
                    await #expect(throws: AiohomekitController.Failure.self) {
                        try await peer.ask("read", #""ids":["\#(on)"]"#)
                    }
                    // It returns automatically.
                    #expect(try await peer.ask("read", #""ids":["\#(on)"]"#).results?[on]?.value == .integer(0))
                }
                try await peer.ask("subscribe", #""ids":["\#(on)"]"#)
                try await fixture.simulator.inject(Fault("event-doubled once"), into: "Lamp")
                try await fixture.simulator.set(.bool(true), of: isOn)
                #expect(try await peer.changes() == [on: .integer(1)])
                #expect(try await peer.changes() == [on: .integer(1)])
                try await fixture.simulator.inject(Fault("pairing-forgotten"), into: "Lamp")
                await #expect(throws: AiohomekitController.Failure.self) {
                    try await peer.ask("read", #""ids":["\#(on)"]"#)
                }
            }
        }
    }
}
