import Foundation
import HAP
import PeerProcess
import Testing

@testable import ControllerFiles

/// Tests pairing files as other programs write them, and malformed ones.
@Suite struct ControllerFileTests {
    /// A peer's report about a pairing that it wrote.
    private struct PeerOutput: Decodable, Sendable {
        var event: String
        var name: String?
        var id: String?
        var accessoryKey: String?
        var controller: String?
        var controllerKey: String?
        var hosts: [String]?
        var port: Int?
    }

    /// A pairing in the format of files.
    private struct Sample {
        var keyPair = LongTermKeyPair.random()
        var members: [String: Any]

        init(_ deviceID: String = DeviceID.random().description) {
            members = [
                "AccessoryPairingID": deviceID,
                "AccessoryLTPK": LongTermKeyPair.random().publicKey.description,
                "iOSPairingId": UUID().uuidString.lowercased(),
                "iOSDeviceLTSK": keyPair.seed.map { String(format: "%02x", $0) }.joined(),
                "iOSDeviceLTPK": keyPair.publicKey.description,
                "AccessoryIP": "192.0.2.7",
                "AccessoryPort": 51_826,
                "Connection": "IP",
            ]
        }
    }

    private static func read(_ value: Any) throws(ControllerFileError) -> ControllerFile {
        try ControllerFile(reading: text(value))
    }

    private static func text(_ value: Any) -> [UInt8] {
        Array((try? JSONSerialization.data(withJSONObject: value)) ?? Data())
    }

    private static func fault(_ members: [String: Any]) throws -> ExternalPairingError? {
        let file = try read(["Lamp": members, "Other": Sample().members])
        guard case .failure(let fault)? = file.entries.first(where: { $0.name == "Lamp" })?.pairing else { return nil }
        return fault
    }

    @Test(arguments: ["aiohomekit", "home-assistant", "single"])
    func whatAnotherControllerWritesIsRead(form: String) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "pairings-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "core.config_entries")
        let peer = try PeerPython.start("controller_files.py", [form, file.path])
        _ = try await peer.json(PeerOutput.self, "the file") { $0.event == "written" }
        let entries = try ControllerFile(reading: Array(Data(contentsOf: file))).entries
        #expect(entries.count == (form == "single" ? 1 : 2))
        for entry in entries {
            let report = try await peer.json(PeerOutput.self, "the pairing") {
                $0.event == "pairing" && $0.name == entry.name
            }
            let pairing = try entry.pairing.get()
            #expect(pairing.deviceID.description == report.id)
            #expect(entry.deviceID == pairing.deviceID)
            #expect(pairing.accessoryPublicKey.description == report.accessoryKey)
            #expect(pairing.controllerIdentity.pairingID.description == report.controller)
            #expect(pairing.controllerIdentity.keyPair.publicKey.description == report.controllerKey)
            #expect(pairing.hosts == report.hosts)
            #expect(pairing.port == report.port)
        }
        if form == "home-assistant" { try Self.checkRegistry(in: folder, entries) }
        await peer.terminate()
    }

    private static func checkRegistry(in folder: URL, _ entries: [ControllerFile.Entry]) throws {
        func content(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: folder.appending(path: name))) }
        let (devices, areas) = (try content("core.device_registry"), try content("core.area_registry"))
        let registry = try HomeAssistantRegistry(devices: devices, areas: areas)
        let servers = try entries.map { try #require($0.deviceID) }
        #expect(registry.device(on: servers[0], aid: 1) == .init(name: "Lampe", area: "Küche"))
        #expect(registry.device(on: servers[1], aid: 1) == .init(name: nil, area: nil))
        #expect(registry.device(on: servers[1], aid: 2) == .init(name: nil, area: "Küche"))
        #expect(registry.device(on: servers[0], aid: 2) == nil)
        #expect(throws: ControllerFileError.unknownFormat) { try HomeAssistantRegistry(devices: areas, areas: devices) }
        #expect(throws: ControllerFileError.self) {
            try HomeAssistantRegistry(devices: Array(devices.dropLast(3)), areas: areas)
        }
    }

    @Test func everyCutOfAFileIsRefused() throws {
        let whole = Self.text(["Lamp": Sample().members])
        #expect(throws: Never.self) { try ControllerFile(reading: whole) }
        for length in whole.indices {
            let error = #expect(throws: ControllerFileError.self) {
                try ControllerFile(reading: Array(whole[..<length]))
            }
            guard case .notJSON = error else {
                Issue.record("\(length) bytes: \(String(describing: error))")
                continue
            }
        }
    }

    @Test func filesOfOtherProgramsAreNamedAsSuch() throws {
        let others: [Any] = [
            [], [1, 2], ["mac": "AA:BB:CC:DD:EE:FF", "paired_clients": [String: String]()], ["lamp": ["on": true]],
            ["format": 1, "name": "Lamp"],
        ]
        for other in others {
            #expect(throws: ControllerFileError.unknownFormat) { try Self.read(other) }
        }
        #expect(throws: ControllerFileError.unsupportedStore("core.device_registry")) {
            try Self.read(["version": 1, "key": "core.device_registry", "data": ["devices": [String]()]])
        }
        #expect(throws: ControllerFileError.unknownFormat) {
            try Self.read(["version": 1, "key": "core.config_entries", "data": ["entries": 1]])
        }
    }

    @Test func aControllersFileWithoutPairingsSaysSo() throws {
        #expect(throws: ControllerFileError.noPairings) { try Self.read([String: Any]()) }
        let ignored: [String: Any] = [
            "domain": "homekit_controller", "source": "ignore", "title": "Lamp", "data": [String: String](),
        ]
        #expect(throws: ControllerFileError.noPairings) {
            try Self.read(["version": 1, "key": "core.config_entries", "data": ["entries": [ignored]]])
        }
    }

    @Test func anEntryThatLacksSomethingIsNamedAndTheOthersAreRead() throws {
        let needed = ["AccessoryPairingID", "AccessoryLTPK", "iOSPairingId", "iOSDeviceLTSK"]
        for name in needed {
            var sample = Sample().members
            sample[name] = nil
            #expect(try Self.fault(sample) == .missing(name))
            for wrong in [7, "", "xyz\n", String(repeating: "0", count: 62), NSNull()] as [Any] {
                guard name != "iOSPairingId" || wrong as? String != "xyz\n" else { continue }
                sample[name] = wrong
                if name == "iOSPairingId", (wrong as? String)?.count == 62 {
                    sample[name] = String(repeating: "é", count: 19)
                }
                #expect(try Self.fault(sample) == .malformed(name))
            }
        }
        let file = try Self.read([
            "Broken": ["AccessoryPairingID": "x"], "Whole": Sample().members, "Empty": [String: Any](),
        ])
        #expect(file.entries.count == 3)
        #expect(file.entries.filter { (try? $0.pairing.get()) != nil }.map(\.name) == ["Whole"])
    }

    @Test func keysThatDontBelongTogetherAreFoundBeforeAnythingIsSent() throws {
        for name in ["iOSDeviceLTSK", "iOSDeviceLTPK"] {
            var sample = Sample().members
            var digits = Array(try #require(sample[name] as? String))
            digits[5] = digits[5] == "0" ? "1" : "0"
            sample[name] = String(digits)
            #expect(try Self.fault(sample) == .keysDiffer)
        }
        var sample = Sample().members
        sample["iOSDeviceLTPK"] = nil
        #expect(try Self.fault(sample) == nil)
    }

    @Test func noErrorShowsAKey() throws {
        for name in ["AccessoryLTPK", "iOSDeviceLTSK", "iOSDeviceLTPK", "AccessoryPairingID", "iOSPairingId"] {
            var sample = Sample().members
            let secret = (try #require(sample["iOSDeviceLTSK"] as? String)) + "00"
            sample[name] = secret
            let fault = try #require(try Self.fault(sample))
            #expect(!fault.description.contains(secret.prefix(8)))
        }
        var shown = ""
        dump(try Self.read(["Lamp": Sample().members]), to: &shown)
        let sample = Sample()
        dump(try Self.read(["Lamp": sample.members]), to: &shown)
        #expect(!shown.contains(try #require(sample.members["iOSDeviceLTSK"] as? String)))
    }

    @Test func whatIsNotReachedByIPIsNamed() throws {
        for (transport, word) in [("BLE", "Bluetooth"), ("CoAP", "Thread"), ("Smoke", "doesn't support")] {
            var sample = Sample().members
            sample["Connection"] = transport
            sample["iOSDeviceLTSK"] = nil
            let fault = try #require(try Self.fault(sample))
            #expect(fault == .transport(transport))
            #expect(fault.description.contains(word))
        }
        var sample = Sample().members
        sample["Connection"] = nil
        #expect(try Self.fault(sample) == nil)
    }

    @Test func wherePortAndHostsAreOfNoUseThePairingIsNotLost() throws {
        for port in [0, 65_536, -1, "x", 1.5] as [Any] {
            var sample = Sample().members
            sample["AccessoryPort"] = port
            sample["AccessoryIP"] = ""
            let pairing = try #require(try Self.read(["Lamp": sample]).entries.first).pairing.get()
            #expect(pairing.port == nil)
            #expect(pairing.hosts.isEmpty)
        }
        var sample = Sample().members
        sample["AccessoryPort"] = "51826"
        #expect(try #require(try Self.read(["Lamp": sample]).entries.first).pairing.get().port == 51_826)
    }

    @Test func twoEntriesOfOneAccessoryAreBothRead() throws {
        let id = DeviceID.random().description
        let file = try Self.read(["Old": Sample(id).members, "New": Sample(id.lowercased()).members])
        #expect(Set(file.entries.map(\.deviceID)) == [DeviceID(id)])
        #expect(file.entries.count == 2)
    }

    @Test func aFileHasAsManyPairingsAsTheLimitSaysAndNoMore() throws {
        let member = String(decoding: Self.text(Sample().members), as: UTF8.self)
        func file(_ count: Int) -> [UInt8] {
            Array("{\((0..<count).map { #""\#($0)":\#(member)"# }.joined(separator: ","))}".utf8)
        }
        #expect(try ControllerFile(reading: file(ControllerFile.maximumPairings)).entries.count == 1_000)
        #expect(throws: ControllerFileError.tooManyPairings(1_001)) {
            try ControllerFile(reading: file(ControllerFile.maximumPairings + 1))
        }
    }

    @Test func theTableOfLimitsSaysWhatTheCodeSays() throws {
        let page = try PeerPython.packageRoot().appending(path: "Documentation/Limits.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        #expect(text.contains("| `ControllerFile.maximumPairings` | \(ControllerFile.maximumPairings) |"))
        #expect(text.contains("| `ControllerFile.maximumLength` | \(ControllerFile.maximumLength) |"))
    }

    @Test func aFileThatIsTooLongIsNotRead() throws {
        let text = Self.text(["Lamp": Sample().members])
        let spaces = [UInt8](repeating: UInt8(ascii: " "), count: ControllerFile.maximumLength - text.count)
        #expect(try ControllerFile(reading: text + spaces).entries.count == 1)
        #expect(throws: ControllerFileError.tooLong) { try ControllerFile(reading: text + spaces + [0x20]) }
    }
}
