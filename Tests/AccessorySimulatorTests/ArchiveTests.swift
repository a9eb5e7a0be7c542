import AccessoryPeers
import Foundation
import HAP
import HAPCatalog
import HAPServer
import PeerProcess
import Testing

@testable import AccessorySimulator

/// Accessory files of Apple's HomeKit Accessory Simulator. The specimen is from Apple's sample code; its license is
/// next to it.
@Suite struct ArchiveTests {
    private static let fadeRate = HAPType(uuid: 0x7E53_6242_341C_4862_BE90_272C_E15B_D633)

    private static var specimen: [UInt8] {
        get throws {
            let folder = try PeerPython.packageRoot().appending(path: "Tests/AccessorySimulatorTests/Specimens")
            return Array(try Data(contentsOf: folder.appending(path: "garage.hasaccessory")))
        }
    }

    private static func garage() throws -> (description: AccessoryDescription, omitted: [String]) {
        try AccessoryDescription.importing(archive: try specimen, source: "garage.hasaccessory")
    }

    /// The specimen with another member in one of its objects.
    private static func changed(_ object: Int, _ key: String, _ value: PropertyList) throws -> [UInt8] {
        var archive = try #require(try PropertyList(try specimen).dictionary)
        var objects = try #require(archive["$objects"]?.array)
        var members = try #require(objects[object].dictionary)
        members[key] = value
        objects[object] = .dictionary(members)
        archive["$objects"] = .array(objects)
        return PropertyList.dictionary(archive).encoded()
    }

    /// The parts of a description that must survive.
    private static func check(_ description: AccessoryDescription) throws {
        #expect(description.category == .garageDoorOpener)
        #expect(description.setupCode?.dashed == "140-41-323")
        #expect(description.setupID?.description == "DSRE")
        #expect(description.deviceID?.description == "74:B3:92:4A:41:85")
        let accessory = try #require(description.accessories.first)
        #expect(accessory.information.manufacturer == "Kilgo Devices, Inc.")
        #expect(accessory.key == "8S43NF3M6S85F")
        #expect(accessory.services.map(\.type) == [HAPType.Service.garageDoorOpener, HAPType.Service.lightbulb])
        #expect(accessory.services.map(\.isPrimary) == [true, false])
        let stated = try #require(accessory.identifiers)
        #expect(stated.lastIID == 50)
        let types = HAPType.Characteristic.self
        let expected: [(String, HAPType?, UInt64)] = [
            ("AccessoryInformation", nil, 1), ("AccessoryInformation", types.identify, 2),
            ("AccessoryInformation", types.serialNumber, 6), ("ProtocolInformation", nil, 13),
            ("ProtocolInformation", types.version, 14), ("GarageDoorOpener", nil, 36),
            ("GarageDoorOpener", types.targetDoorState, 39), ("Lightbulb", nil, 43),
            ("Lightbulb", types.saturation, 48), ("Lightbulb", fadeRate, 49),
        ]
        for (service, type, iid) in expected {
            #expect(stated.iids[.init(service: service, characteristic: type)] == iid, "\(service)")
        }
        let door = accessory.services[0].characteristics
        let state = try #require(door.first { $0.type == types.currentDoorState })
        #expect(state.metadata.validValues == [0, 1, 2, 3, 4])
        #expect(state.metadata.maxValue == .integer(4))
        #expect(state.value == .integer(1))
        #expect(door.first { $0.type == types.targetDoorState }?.value == .integer(1))
        let fade = try #require(accessory.services[1].characteristics.first { $0.type == fadeRate })
        #expect(fade.metadata.manufacturerDescription == "Fade Rate")
        #expect(fade.metadata.format == .float && fade.metadata.unit == .seconds)
        #expect(fade.metadata.minValue == .integer(0) && fade.metadata.maxValue == .integer(1))
        #expect(fade.metadata.stepValue == .double(0.1))
        #expect(fade.permissions == [.read, .write, .notify])
    }

    @Test func theSpecimenIsImportedWithCodeIdsAndConstraints() throws {
        let (description, omitted) = try Self.garage()
        try Self.check(description)
        #expect(omitted.contains { $0.contains("HAK.services[1]") && $0.contains("pairing service") })
        #expect(omitted.contains { $0.contains("HAK.transports") })
        #expect(omitted.count == 2, "\(omitted)")
    }

    @Test func whatWasImportedIsTheSameAsAFileAndAsAnArchive() throws {
        let description = try Self.garage().description
        let file = try AccessoryDescription(parsing: description.fileText(), source: "garage.json")
        try Self.check(file)
        #expect(file.accessories == description.accessories)
        let archive = try file.archive()
        let again = try AccessoryDescription.importing(archive: archive, source: "again").description
        try Self.check(again)
        #expect(again.accessories == description.accessories)
        #expect(try again.archive() == archive)
    }

    @Test func aForeignReaderReadsWhatIsExported() async throws {
        let folder = try TemporaryFolder()
        let archive = try Self.garage().description.archive()
        try Data(archive).write(to: URL(filePath: folder.path + "garage.hasaccessory"))
        // Python's plistlib resolves all references of the objects; the script prints the results.
        let script = """
            import plistlib, sys
            a = plistlib.load(open(sys.argv[1], "rb"))
            o = a["$objects"]
            root = o[a["$top"]["root"].data]
            members = {o[k.data]: o[v.data] for k, v in zip(root["NS.keys"], root["NS.objects"])}
            accessory = members["accessory"]
            services = [o[s.data] for s in o[accessory["HAK.services"].data]["NS.objects"]]
            kind = o[accessory["$class"].data]["$classname"]
            print(members["kind"], members["version"], kind, o[accessory["HAK.password"].data], len(services),
                  [o[s["HAK.instanceid"].data] for s in services], a["$archiver"])
            """
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/python3")
        process.arguments = ["-c", script, folder.path + "garage.hasaccessory"]
        process.standardOutput = pipe
        try process.run()
        let output = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        #expect(output == "accessory 1 HAKAccessory 140-41-323 4 [1, 13, 36, 43] NSKeyedArchiver\n")
    }

    @Test func aControllerPairsWithWhatWasImported() async throws {
        let folder = try TemporaryFolder()
        let simulator = try Simulator(
            SimulatorConfiguration(
                accessories: [try Self.garage().description],
                dataFolder: folder.path + "data",
                bindAddress: "127.0.0.1",
                interfaces: nil
            )
        )
        do {
            let ready = try #require(try await simulator.start().first)
            try await AiohomekitController.run { peer in
                try await peer.pair(port: ready.port, id: "74:B3:92:4A:41:85", code: "140-41-323")
                let seen = try #require(try await peer.ask("list").accessories?.first)
                #expect(Set(seen.services.map(\.iid)) == [1, 13, 36, 43])
                #expect(try await peer.ask("write", #""values":{"1.49":0.3}"#).results == [:])
                #expect(try await peer.ask("read", #""ids":["1.49"]"#).results?["1.49"]?.value == .double(0.3))
            }
            await simulator.stop()
        } catch {
            await simulator.stop()
            throw error
        }
    }

    @Test func whatIsOmittedLeavesNothingBehindAndItsIdIsNotUsedAgain() throws {
        // The accessory is object 6; the characteristics of Protocol Information are 88, and one of the omitted pairing
        // service is 61, with the IID 9.
        let withoutPool = try Self.changed(6, "HAK.idPool", .reference(0))
        let withAnother = try Self.changed(88, "NS.objects", .array([.reference(89), .reference(61)]))
        let withLaterID = try Self.changed(61, "HAK.instanceid", .integer(70))
        for (archive, last) in [(withoutPool, UInt64(49)), (withAnother, 50), (withLaterID, 70)] {
            let description = try AccessoryDescription.importing(archive: archive, source: "g").description
            let stated = try #require(description.accessories[0].identifiers)
            #expect(stated.lastIID == last)
            #expect(!stated.iids.values.contains(9) && !stated.iids.values.contains(70))
            let again = try AccessoryDescription.importing(archive: try description.archive(), source: "g").description
            #expect(again.accessories == description.accessories)
        }
    }

    @Test func anArchiveWithTwoInformationServicesIsRefused() throws {
        // The services are object 11; 12 is the Accessory Information service.
        let archive = try Self.changed(11, "NS.objects", .array([.reference(12), .reference(97), .reference(12)]))
        let error = #expect(throws: SimulatorError.self) {
            try AccessoryDescription.importing(archive: archive, source: "g")
        }
        #expect(
            error?.reason == "g.accessory.HAK.services[2]: there is more than one Accessory Information service",
            "\(error?.reason ?? "")"
        )
    }

    @Test func aCharacteristicWithTheTypeOfAServiceHasNoNameInFiles() throws {
        // Object 177 is the type of the saturation, of which this makes that of a carbon dioxide sensor.
        let bytes: [UInt8] = [0, 0, 0, 0x97, 0, 0, 0x10, 0, 0x80, 0, 0, 0x26, 0xBB, 0x76, 0x52, 0x91]
        let archive = try Self.changed(177, "NS.uuidbytes", .data(bytes))
        let description = try AccessoryDescription.importing(archive: archive, source: "g").description
        let file = try AccessoryDescription(parsing: description.fileText(), source: "garage.json")
        #expect(file.accessories == description.accessories)
    }

    @Test(arguments: [PropertyList.string("10"), .bool(true), .real(.nan), .real(.infinity)])
    func aLimitThatIsNoNumberIsRefused(limit: PropertyList) throws {
        // The limits of the fade rate are object 185.
        for key in ["HAK.minValue", "HAK.maxValue", "HAK.stepValue"] {
            let archive = try Self.changed(185, key, limit)
            let error = #expect(throws: SimulatorError.self) {
                try AccessoryDescription.importing(archive: archive, source: "g")
            }
            #expect(error?.reason.contains("\(key): expected a number") == true, "\(error?.reason ?? "")")
        }
    }

    @Test func aRequiredCharacteristicThatAnArchiveLacksIsAddedAsInAFile() throws {
        var lacking = try Self.garage().description
        lacking.accessories[0].services[1].characteristics.removeAll { $0.type == HAPType.Characteristic.on }
        let archive = try lacking.archive()
        let description = try AccessoryDescription.importing(archive: archive, source: "g").description
        let light = description.accessories[0].services[1].characteristics
        #expect(light.first { $0.type == HAPType.Characteristic.on }?.value == .bool(false))
        let file = try AccessoryDescription(parsing: description.fileText(), source: "garage.json")
        #expect(file.accessories == description.accessories)
    }

    @Test func whatIsNotKnownIsNamedWithItsPath() throws {
        func read(_ bytes: [UInt8]) throws -> [String] {
            try AccessoryDescription.importing(archive: bytes, source: "g").omitted
        }
        // The fade rate is object 180, the brightness 162, the accessory 6.
        let format = #expect(throws: SimulatorError.self) { try read(try Self.changed(180, "HAK.format", .integer(6))) }
        #expect(
            format?.reason
                == "g.accessory.HAK.services[4].HAK.characteristics[5].HAK.format: unknown format 6",
            "\(format?.reason ?? "")"
        )
        let unit = try read(try Self.changed(162, "HAK.unit", .integer(1)))
        #expect(unit.contains { $0.contains("HAK.characteristics[2]: unknown unit 1; using percentage") })
        let member = try read(try Self.changed(6, "HAK.colour", .integer(1)))
        #expect(member.contains("g.accessory: the unknown key 'HAK.colour' was omitted"))
        let bridge = #expect(throws: SimulatorError.self) {
            try read(try Self.changed(6, "HAK.bridge", .reference(6)))
        }
        #expect(bridge?.reason.contains("g.accessory.HAK.bridge: bridges are not supported") == true)
        let code = #expect(throws: SimulatorError.self) {
            try read(try Self.changed(6, "HAK.password", .string("12345678")))
        }
        #expect(code?.reason.hasPrefix("g.accessory.HAK.password: ") == true)
    }

    @Test func damagedArchivesAreRefusedAndNeverCrash() throws {
        let bytes = try Self.specimen
        for length in stride(from: 0, to: bytes.count, by: 61) {
            #expect(throws: SimulatorError.self) {
                try AccessoryDescription.importing(archive: Array(bytes.prefix(length)), source: "g")
            }
        }
        for index in bytes.indices where index % 7 == 0 {
            var damaged = bytes
            damaged[index] ^= 0xFF
            _ = try? AccessoryDescription.importing(archive: damaged, source: "g")
        }
    }

    @Test func aLongObjectThatIsUsedOftenCountsEachTimeByItsLength() throws {
        // 31 times 16,129 values and the array are exactly the maximum.
        let length = 16_128 * PropertyList.valueLength
        let wide = String(repeating: "\u{3B1}", count: length / 2)
        for long in [
            PropertyList.data([UInt8](repeating: 7, count: length)), .string(String(repeating: "a", count: length)),
            .string(wide),
        ] {
            let uses = [PropertyList](repeating: long, count: 31)
            #expect(try PropertyList(PropertyList.array(uses).encoded()).array?.count == 31)
            let error = #expect(throws: PropertyList.Failure.self) {
                _ = try PropertyList(PropertyList.array(uses + [.bool(true)]).encoded())
            }
            #expect(error?.reason.contains("too large") == true)
        }
    }

    @Test func whatAppleHasNoKnownFormForIsNotExported() throws {
        let text = """
            {"format": 1, "name": "Lamp", "serialNumber": "L-1", "category": "Lightbulb", "services": [
              {"type": "Lightbulb"}]}
            """
        let lamp = try AccessoryDescription(parsing: Array(text.utf8), source: "lamp.json")
        let error = #expect(throws: SimulatorError.self) { try lamp.archive() }
        #expect(error?.code == .notAllowed)
        var garage = try Self.garage().description
        garage.accessories[0].services[1].characteristics[5].metadata.format = .uint16
        let format = #expect(throws: SimulatorError.self) { try garage.archive() }
        #expect(format?.reason.contains("the format uint16 is unknown") == true, "\(format?.reason ?? "")")
        garage = try Self.garage().description
        garage.accessories[0].services[1].characteristics[5].metadata.maxLength = 4
        let length = #expect(throws: SimulatorError.self) { try garage.archive() }
        #expect(length?.reason.contains("a maximum length besides a range of values") == true)
    }
}
