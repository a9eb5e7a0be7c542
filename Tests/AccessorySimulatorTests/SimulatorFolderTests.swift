import AccessoryPeers
import Foundation
import Testing

@testable import AccessorySimulator

/// A data folder that can't be read or changed isn't treated as empty.
@Suite struct SimulatorFolderTests {
    private let parent: TemporaryFolder
    private var data: String { parent.path + "data" }

    init() throws {
        parent = try TemporaryFolder()
    }

    @Test func aFolderThatCannotBeListedIsAnErrorAndOnlyAMissingOneIsEmpty() throws {
        let folder = try SimulatorFolder(data)
        defer { folder.release() }
        try FileManager.default.removeItem(atPath: data)
        #expect(try folder.storedAccessories().isEmpty)
        try parent.write("no folder", "data")
        let error = #expect(throws: SimulatorError.self) { _ = try folder.storedAccessories() }
        #expect(error?.code == .unreadableFile)
        #expect(error?.reason.contains(data) == true)
    }

    @Test func aDescriptionThatCannotBeOpenedIsAnError() throws {
        let folder = try SimulatorFolder(data)
        defer { folder.release() }
        try FileManager.default.createDirectory(atPath: data + "/L-1", withIntermediateDirectories: false)
        #expect(try folder.storedAccessory(of: "L-1") == nil)
        // A link to itself, which can't be opened even by root.
        try FileManager.default.createSymbolicLink(
            atPath: data + "/L-1/description.json",
            withDestinationPath: "description.json"
        )
        for error in [
            #expect(throws: SimulatorError.self) { _ = try folder.storedAccessory(of: "L-1") },
            #expect(throws: SimulatorError.self) { _ = try folder.storedAccessories() },
        ] {
            #expect(error?.code == .unreadableFile)
        }
    }

    @Test func whatCannotBeRemovedIsAnErrorAndWhatIsMissingIsNone() throws {
        let folder = try SimulatorFolder(data)
        defer { folder.release() }
        try folder.forget("L-1")
        try folder.purge("L-1")
        for name in ["description", "pairings"] {
            let path = data + "/L-1/\(name).json"
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
        #expect(throws: SimulatorError.self) { try folder.forget("L-1") }
        let error = #expect(throws: SimulatorError.self) { try folder.purge("L-1") }
        #expect(error?.code.rawValue == "storageUnwritable")
    }
}
