import Foundation
import PeerProcess
import Testing

/// `hearth sim`: looking at and changing a simulator that runs, from other processes.
@Suite(.timeLimit(.minutes(2)))
struct SimTests {
    /// What `hearth sim watch` prints.
    private struct Event: Decodable, Sendable {
        var event: String
        var accessory: String?
        var characteristic: String?
        var controller: String?
    }

    private static let lampID = "3C:5A:B4:77:01:01"

    private func withLamp(_ body: (Stage, String) async throws -> Void) async throws {
        try await Stage.with { stage in
            let lamp = try await stage.startLamp(Self.lampID)
            try await body(stage, stage.folder.appending(path: "accessory").path)
            #expect(await lamp.terminate() == 0)
        }
    }

    @Test func theControlIsForItsOwnerOnlyAndGoneWithTheSimulator() async throws {
        try await Stage.with { stage in
            let lamp = try await stage.startLamp(Self.lampID)
            let folder = stage.folder.appending(path: "accessory/.control").path
            let files = FileManager.default
            func mode(_ path: String) throws -> Int? {
                try files.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            }
            #expect(try mode(folder) == 0o700)
            #expect(try mode(folder + "/socket") == 0o600)
            #expect(await lamp.terminate() == 0)
            #expect(!files.fileExists(atPath: folder + "/socket"))
            let gone = try await stage.run("sim", "list", "--data", stage.folder.appending(path: "accessory").path)
            #expect(gone.status == 1)
            #expect(gone.error.contains("noSimulator"), "\(gone.error)")
        }
    }

    @Test func valuesAreSetAndReadByHand() async throws {
        try await withLamp { stage, data in
            #expect(try await stage.run("sim", "set", "Lamp", "On", "on", "--data", data).status == 0)
            #expect(try await stage.run("sim", "get", "Lamp", "On", "--data", data).output == "on\n")
            let wrong = try await stage.run("sim", "set", "Lamp", "On", "maybe", "--data", data)
            #expect(wrong.status == 1)
            #expect(wrong.error.contains("invalidValueType"), "\(wrong.error)")
            let unknown = try await stage.run("sim", "set", "Lamp", "Brightness", "3", "--data", data)
            #expect(unknown.error.contains("notFound"), "\(unknown.error)")
            let list = try await stage.run("sim", "list", "--data", data).output
            #expect(list.contains(Self.lampID) && list.contains(Stage.lampCode), "\(list)")
            let shown = try await stage.run("sim", "show", "LAMP-1", "--data", data).output
            #expect(shown.contains("On") && shown.contains("iid 1"), "\(shown)")
        }
    }

    @Test func aWatcherSeesWhatAHandDoes() async throws {
        try await withLamp { stage, data in
            let watch = try PeerProcess(Programs.hearth, ["sim", "watch", "--data", data, "--json"])
            _ = try await watch.json(Event.self, "the watching") { $0.event == "watching" }
            #expect(try await stage.run("sim", "set", "Lamp", "On", "on", "--data", data).status == 0)
            let event = try await watch.json(Event.self, "the change") { $0.event == "value" }
            #expect(event.accessory == "Lamp" && event.characteristic == "On" && event.controller == nil)
            await watch.terminate()
        }
    }

    @Test func aCommandThatNamesNoSimulatorSaysHow() async throws {
        try await Stage.with { stage in
            let nowhere = try await stage.run("sim", "list")
            #expect(nowhere.status == 1)
            #expect(nowhere.error.contains("noSimulator") && nowhere.error.contains("--data"), "\(nowhere.error)")
        }
    }
}
