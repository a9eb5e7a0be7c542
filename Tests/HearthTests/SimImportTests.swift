import AccessoryPeers
import Foundation
import HAPCatalog
import PeerProcess
import Testing

/// A file of Apple's simulator, run, exported and imported by commands. aiohomekit checks each accessory.
struct SimImportTests {
    private static let id = "74:B3:92:4A:41:85"
    private static let code = "140-41-323"
    private static let name = "Garage Door Opener"
    private static let fadeRate = "7E536242-341C-4862-BE90-272CE15BD633"

    private static func specimen() throws -> String {
        let folder = try PeerPython.packageRoot().appending(path: "Tests/AccessorySimulatorTests/Specimens")
        return folder.appending(path: "garage.hasaccessory").path
    }

    private func start(_ fixture: Fixture, _ name: String, _ more: [String]) async throws -> PeerProcess {
        let network = ["--bind", "127.0.0.1", "--mdns-interface", "127.0.0.1", "--json"]
        return try PeerProcess(
            Programs.hearth,
            ["simulator", "--data", fixture.folder.appending(path: name).path] + network + more
        )
    }

    /// The contents of an accessory server, as a controller reads them: the instance IDs of services and
    /// characteristics, and the fade rate.
    private struct BrowseResult: Equatable {
        var iids: [UInt64: [UInt64]] = [:]
        var isRateRefusedAboveOne = false
    }

    private func pair(_ port: Int) async throws -> BrowseResult {
        var sight = BrowseResult()
        try await AiohomekitController.run { peer in
            try await peer.pair(port: port, id: Self.id, code: Self.code)
            for service in try await peer.ask("list").accessories?.first?.services ?? [] {
                sight.iids[service.iid] = service.characteristics.map(\.iid)
            }
            #expect(try await peer.ask("write", #""values":{"1.49":0.3}"#).results == [:])
            #expect(try await peer.ask("read", #""ids":["1.49"]"#).results?["1.49"]?.value == .double(0.3))
            let refused = try await peer.ask("write", #""values":{"1.49":1.5}"#)
            sight.isRateRefusedAboveOne = refused.results?["1.49"]?.status == -70410
            try await peer.ask("remove")
        }
        return sight
    }

    @Test func anAccessoryOfApplesSimulatorIsPairedExportedImportedAndPairedAgain() async throws {
        try await Fixture.with { fixture in
            let first = try await start(fixture, "first", [try Self.specimen()])
            let ready = try await first.json(Fixture.Line.self, "the garage") { $0.event == "ready" }
            #expect(ready.id == Self.id && ready.setupCode == Self.code && ready.name == Self.name)
            #expect(first.transcript.contains("HAK.services[1]") && first.transcript.contains("HAK.transports"))
            let before = try await pair(try #require(ready.port))
            #expect(Set(before.iids.keys) == [1, 13, 36, 43] && before.isRateRefusedAboveOne)

            let data = ["--data", fixture.folder.appending(path: "first").path]
            let archive = fixture.folder.appending(path: "garage.hasaccessory").path
            let exported = try await fixture.run(["sim", "export", Self.name, "--apple", archive] + data)
            #expect(exported.status == 0 && exported.output.isEmpty, "\(exported)")
            let file = try await fixture.run(["sim", "export", Self.name, "--identity"] + data).output
            #expect(await first.terminate() == 0)

            let control = fixture.folder.appending(path: "control/socket").path
            let second = try await start(fixture, "second", ["--control", control])
            try await Wait.until("the control socket exists") { FileManager.default.fileExists(atPath: control) }
            let imported = try await fixture.run("sim", "import", archive, "--control", control)
            #expect(imported.status == 0 && imported.output.contains(Self.code), "\(imported)")
            let list = try await fixture.run("sim", "list", "--control", control, "--json").output
            let hosted = try #require(try JSONDecoder().decode([Fixture.Line].self, from: Data(list.utf8)).first)
            #expect(hosted.id == Self.id)
            #expect(try await pair(try #require(hosted.port)) == before)
            let again = try await fixture.run("sim", "export", Self.name, "--identity", "--control", control).output
            #expect(again == file)
            #expect(await second.terminate() == 0)
        }
    }

    @Test func whatIsNoFileOfApplesSimulatorIsRefusedByName() async throws {
        try await Fixture.with { fixture in
            let torn = fixture.folder.appending(path: "torn.hasaccessory")
            try Data(try Data(contentsOf: URL(filePath: try Self.specimen())).dropLast(40)).write(to: torn)
            let data = fixture.folder.appending(path: "data").path
            let start = try await fixture.run("simulator", torn.path, "--data", data, "--bind", "127.0.0.1")
            #expect(start.status == 1 && start.error.contains("invalidFile: \(torn.path)"), "\(start)")
            let bridge = try await self.start(fixture, "bridge", ["--lights", "1"])
            _ = try await bridge.json(Fixture.Line.self, "the bridge") { $0.event == "ready" }
            let here = ["--data", fixture.folder.appending(path: "bridge").path]
            let target = fixture.folder.appending(path: "bridge.hasaccessory").path
            let refused = try await fixture.run(["sim", "export", "Light Bridge 1", "--apple", target] + here)
            #expect(refused.status == 1 && refused.error.contains("bridge"), "\(refused)")
            #expect(!FileManager.default.fileExists(atPath: target))
            let before = try await fixture.run(["sim", "list"] + here).output
            let added = try await fixture.run(["sim", "add", torn.path] + here)
            #expect(added.status == 1 && added.error.contains("invalidFile: \(torn.path)"), "\(added)")
            #expect(try await fixture.run(["sim", "list"] + here).output == before)
            #expect(await bridge.terminate() == 0)
        }
    }
}
