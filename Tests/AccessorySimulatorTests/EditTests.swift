import AccessoryPeers
import Foundation
import HAP
import HAPCatalog
import HAPServer
import Testing

@testable import AccessorySimulator

/// Edits of running accessories.
@Suite struct EditTests {
    private let folder: TemporaryFolder
    private static let hue = HAPType.Characteristic.hue
    private static let lampText = """
        {"format": 1, "name": "Lamp", "serialNumber": "L-1", "category": "Lightbulb", "setupCode": "482-11-957",
         "services": [{"type": "Lightbulb", "characteristics": {"On": false, "Brightness": 40}}]}
        """
    private static let bridgeText = """
        {"format": 1, "name": "Bridge", "serialNumber": "B-1", "category": "Bridge", "services": [], "accessories": [
          {"name": "One", "serialNumber": "B-2", "services": [{"type": "Lightbulb"}]}]}
        """

    init() throws {
        folder = try TemporaryFolder()
        try folder.write(Self.lampText, "lamp.json")
        try folder.write(Self.bridgeText, "bridge.json")
    }

    private func run(
        _ files: [String] = ["lamp.json", "bridge.json"],
        _ body: (Simulator, [RunningAccessory]) async throws -> Void
    ) async throws {
        let simulator = try Simulator(
            SimulatorConfiguration(
                files: files.map { folder.path + $0 },
                dataFolder: folder.path + "data",
                bindAddress: "127.0.0.1",
                interfaces: nil
            )
        )
        do {
            try await body(simulator, try await simulator.start())
            await simulator.stop()
        } catch {
            await simulator.stop()
            throw error
        }
    }

    private static func characteristic(_ type: HAPType) throws -> HostedCharacteristic {
        try #require(HostedCharacteristic(type))
    }

    /// Returns the iids of an accessory by service key and characteristic.
    private static func iids(_ simulator: Simulator, _ name: String) async throws -> [String: UInt64] {
        let detail = try await simulator.detail(of: name)
        let pairs = detail.services.flatMap { service in
            [(service.key, service.iid)] + service.characteristics.map { ("\(service.key)/\($0.name)", $0.iid) }
        }
        return Dictionary(pairs) { first, _ in first }
    }

    private static func number(_ simulator: Simulator, _ name: String) async throws -> Int? {
        try await simulator.detail(of: name).summary.configurationNumber
    }

    @Test func editsRaiseTheNumberAndKeepIdsAndValues() async throws {
        var edited: [String: UInt64] = [:]
        try await run(["lamp.json"]) { simulator, _ in
            let before = try await Self.iids(simulator, "Lamp")
            let brightness = try simulator.find("Lamp", "Brightness")
            try await simulator.set(.integer(77), of: brightness)
            let hue = try Self.characteristic(Self.hue)
            try await simulator.edit("Lamp", .addCharacteristic(hue, service: "Lightbulb"))
            #expect(try await Self.number(simulator, "Lamp") == 2)
            let after = try await Self.iids(simulator, "Lamp")
            #expect(after.filter { before[$0.key] != nil } == before)
            #expect(after["Lightbulb/Hue"].map { !before.values.contains($0) } == true)
            #expect(try await simulator.value(of: brightness) == .integer(77))
            try await simulator.edit("L-1", .removeCharacteristic(Self.hue, service: "Lightbulb"))
            try await simulator.edit("L-1", .addCharacteristic(hue, service: "Lightbulb"))
            #expect(try await Self.iids(simulator, "Lamp") == after)
            #expect(try await Self.number(simulator, "Lamp") == 4)
            try await simulator.edit("Lamp", .information(InformationChange(name: "Floor Lamp", model: "F")))
            #expect(try await Self.number(simulator, "Floor Lamp") == 5)
            let name = CharacteristicAddress(
                accessory: "L-1",
                service: "AccessoryInformation",
                type: HAPType.Characteristic.name
            )
            #expect(try await simulator.value(of: name) == .string("Floor Lamp"))
            edited = after
        }
        // Everything is there after a restart, with the same configuration number and IDs.
        try await run(["lamp.json"]) { simulator, ready in
            #expect(ready.first?.isEdited == true)
            #expect(ready.first?.setupCode.dashed == "482-11-957")
            let ids = try await Self.iids(simulator, "Floor Lamp")
            #expect(ids == edited)
            #expect(try await Self.number(simulator, "Floor Lamp") == 5)
        }
    }

    @Test func whatBreaksARuleIsRefusedWithTheRuleAndChangesNothing() async throws {
        let on = HAPType.Characteristic.on
        let model = HAPType.Characteristic.model
        let lightbulb = HostedService(HAPType.Service.lightbulb, characteristics: [try Self.characteristic(on)])
        let information = HostedService(
            HAPType.Service.accessoryInformation,
            key: "more",
            characteristics: [try Self.characteristic(model)]
        )
        var long = try Self.characteristic(HAPType.Characteristic.name)
        long.value = .string(String(repeating: "x", count: 65))
        let cases: [(AccessoryEdit, SimulatorError.Code, String)] = [
            (.addCharacteristic(try Self.characteristic(on), service: "Lightbulb"), .notAllowed, "each type"),
            (.removeCharacteristic(on, service: "Lightbulb"), .notAllowed, "requires On"),
            (.removeCharacteristic(Self.hue, service: "Lightbulb"), .notFound, "no characteristic Hue"),
            (.removeService("AccessoryInformation"), .notAllowed, "required of every accessory"),
            (.removeService("ProtocolInformation"), .notAllowed, "required of every accessory"),
            (.removeService("Fan"), .notFound, "it has: Lightbulb"),
            (.removeCharacteristic(model, service: "AccessoryInformation"), .notAllowed, "Model"),
            (.addCharacteristic(try Self.characteristic(model), service: "AccessoryInformation"), .notAllowed, "Model"),
            (.addService(lightbulb, delay: nil), .notAllowed, "give the new one another key"),
            (.addService(information, delay: nil), .notAllowed, "AccessoryInformation"),
            (.changeService("Lightbulb", ServiceChange(linked: ["Fan"])), .invalidValue, "Fan"),
            (.addCharacteristic(long, service: "Lightbulb"), .invalidValue, "65"),
            (.information(InformationChange(name: "")), .invalidValue, "name"),
            (.information(InformationChange(firmwareRevision: "one")), .invalidValue, "not a revision"),
        ]
        try await run(["lamp.json"]) { simulator, _ in
            let before = try await Self.iids(simulator, "Lamp")
            for (edit, code, reason) in cases {
                let error = await #expect(throws: SimulatorError.self) { try await simulator.edit("Lamp", edit) }
                #expect(error?.code == code, "\(edit)")
                #expect(error?.reason.contains(reason) == true, "\(error?.reason ?? "")")
            }
            #expect(try await Self.iids(simulator, "Lamp") == before)
            #expect(try await Self.number(simulator, "Lamp") == 1)
            #expect(!FileManager.default.fileExists(atPath: folder.path + "data/L-1/description.json"))
        }
    }

    @Test func servicesComeGoAndChangeTheirStanding() async throws {
        try await run(["lamp.json"]) { simulator, _ in
            let motion = HostedService(
                HAPType.Service.motionSensor,
                isPrimary: true,
                linked: ["Lightbulb"],
                characteristics: [try Self.characteristic(HAPType.Characteristic.motionDetected)]
            )
            try await simulator.edit("Lamp", .addService(motion, delay: nil))
            try await simulator.edit(
                "Lamp",
                .changeService("Lightbulb", ServiceChange(name: "Ceiling", isPrimary: true, linked: ["MotionSensor"]))
            )
            var services = try await simulator.detail(of: "Lamp").services
            #expect(services.map(\.isPrimary) == [false, false, true, false])
            #expect(services[2].linked == [services[3].iid])
            #expect(services[2].characteristics.first?.value == .string("Ceiling"))
            try await simulator.edit("Lamp", .removeService("MotionSensor"))
            services = try await simulator.detail(of: "Lamp").services
            #expect(services.map(\.key) == ["AccessoryInformation", "ProtocolInformation", "Lightbulb"])
            #expect(services[2].linked.isEmpty)
        }
    }

    @Test func habitsComeWithAServiceAndGoWithWhatTheyNeed() async throws {
        func ask(_ simulator: Simulator, _ method: String, _ parameters: String) async throws {
            _ = try await simulator.answer(method, Array(parameters.utf8))
        }
        let valve = #"{"type": "Valve", "characteristics": {"RemainingDuration": 0}, "habits": ["runs-down"]}"#
        let sensor = #"{"type": "MotionSensor", "habits": ["clears MotionDetected after 20s"]}"#
        func habits(_ simulator: Simulator, _ name: String) async throws -> [String: [String]] {
            let habits = try await simulator.description(of: name).habits.map {
                ($0.key.service, $0.value.map { "\($0)" })
            }
            return Dictionary(uniqueKeysWithValues: habits)
        }
        try await run { simulator, _ in
            try await ask(simulator, "service.add", #"{"accessory": "Lamp", "service": \#(valve)}"#)
            try await ask(simulator, "service.add", #"{"accessory": "Lamp", "service": \#(sensor)}"#)
            let both = ["Valve": ["runs-down"], "MotionSensor": ["clears MotionDetected after 20s"]]
            #expect(try await habits(simulator, "Lamp") == both)
            try await simulator.edit("Lamp", .removeService("MotionSensor"))
            #expect(try await habits(simulator, "Lamp") == ["Valve": ["runs-down"]])
            let plain = #"{"accessory": "Lamp", "service": {"type": "MotionSensor"}}"#
            try await ask(simulator, "service.add", plain)
            #expect(try await habits(simulator, "Lamp") == ["Valve": ["runs-down"]])
            let duration = HAPType.Characteristic.remainingDuration
            try await simulator.edit("Lamp", .removeCharacteristic(duration, service: "Valve"))
            #expect(try await habits(simulator, "Lamp").isEmpty)
            let three = #"{"name": "Three", "serialNumber": "B-4", "services": [\#(sensor)]}"#
            try await ask(simulator, "accessory.add", #"{"accessory": \#(three), "bridge": "Bridge"}"#)
        }
        // A stored habit without its characteristic would prevent the start.
        try await run { simulator, _ in
            let lamp = try await habits(simulator, "Lamp")
            let bridge = try await habits(simulator, "Bridge")
            #expect(lamp.isEmpty)
            #expect(bridge == ["MotionSensor": ["clears MotionDetected after 20s"]])
        }
    }

    @Test func anAddedDoorDoesWhatDoorsDo() async throws {
        try await run(["lamp.json"]) { simulator, _ in
            let types = HAPType.Characteristic.self
            let lock = HostedService(
                HAPType.Service.lockMechanism,
                characteristics: [
                    try Self.characteristic(types.lockCurrentState), try Self.characteristic(types.lockTargetState),
                ]
            )
            try await simulator.edit("Lamp", .addService(lock, delay: nil))
            var events = simulator.events().makeAsyncIterator()
            let current = try simulator.find("Lamp", "LockCurrentState")
            try await simulator.set(.integer(1), of: simulator.find("Lamp", "LockTargetState"))
            while let event = await events.next() {
                if case .valueChanged(let change) = event, change.address == current { break }
            }
            #expect(try await simulator.value(of: current) == .integer(1))
        }
    }

    @Test func accessoriesComeAndGoBehindABridgeAndKeepTheirAids() async throws {
        let two = try AccessoryDescription(
            parsing: Array(
                """
                {"format": 1, "name": "Two", "serialNumber": "B-3", "category": "Lightbulb",
                 "services": [{"type": "Lightbulb"}]}
                """.utf8
            ),
            source: "two.json"
        ).accessories[0]
        try await run(["bridge.json"]) { simulator, _ in
            let one = try await simulator.detail(of: "One").aid
            try await simulator.add(two, behind: "Bridge")
            #expect(try await Self.number(simulator, "Bridge") == 2)
            let aid = try await simulator.detail(of: "Two").aid
            #expect(aid != one)
            try await simulator.remove("One")
            let error = await #expect(throws: SimulatorError.self) { try await simulator.detail(of: "One") }
            #expect(error?.code == .notFound)
            #expect(try await simulator.detail(of: "Two").aid == aid)
            let taken = await #expect(throws: SimulatorError.self) { try await simulator.add(two, behind: "Bridge") }
            #expect(
                taken?.reason == "'Two' has the serial number 'B-3'; give each a different number",
                "\(taken?.reason ?? "")"
            )
            let noBridge = await #expect(throws: SimulatorError.self) { try await simulator.add(two, behind: "Two") }
            #expect(noBridge?.code == .notAllowed)
        }
        try await run(["bridge.json"]) { simulator, _ in
            #expect(simulator.descriptions.flatMap(\.accessories).map(\.key) == ["B-1", "B-3"])
        }
    }

    @Test func whatIsAddedAndRemovedStaysSoOverARestart() async throws {
        var first: RunningAccessory?
        try await run(["lamp.json"]) { simulator, _ in
            let bridge = try AccessoryDescription(file: folder.path + "bridge.json")
            first = try await simulator.add(bridge)
            try await simulator.remove("Lamp")
            #expect(simulator.descriptions.map(\.name) == ["Bridge"])
        }
        try await run(["lamp.json"]) { simulator, ready in
            #expect(ready.map(\.name) == ["Bridge"])
            #expect(ready.first?.deviceID == first?.deviceID)
            #expect(try folder.names("data/L-1") == ["description.json", "lock"])
            // The accessory that is added again is new, and not paired.
            let lamp = try await simulator.add(try AccessoryDescription(file: folder.path + "lamp.json"))
            #expect(!lamp.isPaired)
            try await simulator.remove("Bridge")
        }
        try await run([]) { _, ready in #expect(ready.map(\.name) == ["Lamp"]) }
    }

    @Test func anEditThatCannotBeKeptChangesNothing() async throws {
        try await run(["lamp.json"]) { simulator, _ in
            // A folder with the file's name can't be replaced by a file.
            let place = folder.path + "data/L-1/description.json"
            try FileManager.default.createDirectory(atPath: place + "/x", withIntermediateDirectories: true)
            let hue = try Self.characteristic(Self.hue)
            let error = await #expect(throws: SimulatorError.self) {
                try await simulator.edit("Lamp", .addCharacteristic(hue, service: "Lightbulb"))
            }
            #expect(error?.code.rawValue == "storageUnwritable")
            #expect(try await Self.number(simulator, "Lamp") == 1)
            #expect(try await Self.iids(simulator, "Lamp")["Lightbulb/Hue"] == nil)
        }
    }

    @Test func damagedEditsStopTheStartAndAreLeftAsTheyAre() async throws {
        try await run(["lamp.json"]) { simulator, _ in
            try await simulator.edit("Lamp", .information(InformationChange(name: "Other")))
        }
        try folder.write("{\n  \"format\": 1,\n  \"name\": 7}", "data/L-1/description.json")
        let error = await #expect(throws: SimulatorError.self) { try await run(["lamp.json"]) { _, _ in } }
        #expect(error?.code == .invalidFile)
        #expect(error?.reason.contains("data/L-1/description.json, line") == true, "\(error?.reason ?? "")")
        #expect(try folder.read("data/L-1/description.json").hasSuffix("7}"))
    }

    @Test func aSecondSimulatorOnTheSameFolderIsRefused() async throws {
        try await run(["lamp.json"]) { _, _ in
            let error = await #expect(throws: SimulatorError.self) { try await run(["bridge.json"]) { _, _ in } }
            #expect(error?.code.rawValue == "storageLocked")
            #expect(error?.reason.contains("Another simulator uses the data folder") == true)
        }
        try await run(["bridge.json"]) { _, ready in #expect(ready.count == 1) }
    }

    @Test func sameDeviceIDsAreRefused() async throws {
        let id = #""deviceID": "3C:5A:B4:00:00:01", "category""#
        try folder.write(Self.lampText.replacingOccurrences(of: #""category""#, with: id), "lamp.json")
        try folder.write(Self.bridgeText.replacingOccurrences(of: #""category""#, with: id), "bridge.json")
        let error = await #expect(throws: SimulatorError.self) { try await run { _, _ in } }
        #expect(error?.code == .invalidConfiguration)
        #expect(error?.reason.contains("device ID 3C:5A:B4:00:00:01") == true)
        try await run(["lamp.json"]) { simulator, _ in
            let bridge = try AccessoryDescription(file: folder.path + "bridge.json")
            let error = await #expect(throws: SimulatorError.self) { try await simulator.add(bridge) }
            #expect(error?.code == .invalidConfiguration)
            #expect(simulator.descriptions.count == 1)
        }
    }

    @Test func aControllerSeesEditsOnItsConnectionAndStaysPaired() async throws {
        try await run(["lamp.json"]) { simulator, ready in
            let lamp = try #require(ready.first)
            try await AiohomekitController.run { peer in
                try await peer.pair(port: lamp.port, id: lamp.deviceID.description, code: "482-11-957")
                let ids = try await Self.iids(simulator, "Lamp")
                let brightness = "1.\(try #require(ids["Lightbulb/Brightness"]))"
                try await peer.ask("subscribe", #""ids":["\#(brightness)"]"#)
                let fade = try #require(HAPType("7E536242-341C-4862-BE90-272CE15BD633"))
                let custom = HostedCharacteristic(
                    type: fade,
                    permissions: [.read, .write, .notify],
                    metadata: CharacteristicMetadata(format: .float, minValue: .integer(0), maxValue: .integer(1)),
                    value: .double(0.5)
                )
                try await simulator.edit("Lamp", .addCharacteristic(custom, service: "Lightbulb"))
                let seen = try #require(try await peer.ask("list").accessories?.first)
                let bulb = try #require(seen.services.last)
                #expect(bulb.iid == ids["Lightbulb"])
                let added = try #require(bulb.characteristics.first { HAPType($0.type) == fade })
                #expect(!ids.values.contains(added.iid))
                #expect(try await peer.ask("write", #""values":{"1.\#(added.iid)":0.25}"#).results == [:])
                #expect(try await simulator.value(of: simulator.find("Lamp", fade.longForm)) == .double(0.25))
                // The subscription from before the edit still exists.
                try await simulator.set(.integer(12), of: simulator.find("Lamp", "Brightness"))
                #expect(try await peer.changes() == [brightness: .integer(12)])

                // Another setup code restarts the accessory, and the pairing is kept.
                try await simulator.edit("Lamp", setupCode: try SetupCode("314-15-926"))
                let summary = try await simulator.detail(of: "Lamp").summary
                #expect(summary.port == lamp.port)
                #expect(summary.isPaired == true)
                #expect(summary.setupCode == "314-15-926")
                try await peer.ask("reconnect", #""port":\#(lamp.port)"#)
                #expect(try await peer.ask("list").accessories?.first?.services.last?.iid == ids["Lightbulb"])

                try await simulator.unpair("Lamp")
                #expect(try await simulator.detail(of: "Lamp").summary.isPaired == false)
                try await simulator.reset("Lamp")
                let renewed = try await simulator.detail(of: "Lamp").summary
                #expect(renewed.id != lamp.deviceID.description)
                #expect(renewed.setupCode == "314-15-926")
                #expect(renewed.configurationNumber == 1)
                try await peer.pair(port: try #require(renewed.port), id: try #require(renewed.id), code: "314-15-926")
            }
        }
    }
}
