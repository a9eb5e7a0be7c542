import AccessoryPeers
import Foundation
import Testing

@testable import AccessorySimulator

/// Paths that aren't regular files, and files that are too large.
struct BoundedFileTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func check(_ path: String, _ code: SimulatorError.Code, _ reason: String) {
        let accessory = #expect(throws: SimulatorError.self) { try AccessoryDescription(file: path) }
        let scenario = #expect(throws: SimulatorError.self) { try Scenario(file: path) }
        for error in [accessory, scenario] {
            #expect(error?.code == code)
            #expect(error?.reason.contains(reason) == true, "\(String(describing: error))")
        }
    }

    @Test func aDeviceThatNeverEndsIsNotRead() {
        check("/dev/zero", .unreadableFile, "/dev/zero is not a regular file")
    }

    @Test func aPipeThatNobodyWritesToIsNotWaitedFor() throws {
        let path = folder.path + "pipe"
        try #require(mkfifo(path, 0o600) == 0)
        check(path, .unreadableFile, "is not a regular file")
    }

    @Test func aMissingFileAndAFolderAreNamed() {
        check(folder.path + "none.json", .unreadableFile, "does not exist")
        check(folder.path, .unreadableFile, "is not a regular file")
    }

    @Test func aFileIsReadUpToItsLimitOnly() throws {
        let path = folder.path + "long.json"
        try Data(repeating: UInt8(ascii: " "), count: 10).write(to: URL(filePath: path))
        #expect(try BoundedFile(kind: "file", path: path, limit: 10).bytes().count == 10)
        let error = #expect(throws: SimulatorError.self) {
            _ = try BoundedFile(kind: "file", path: path, limit: 9).bytes()
        }
        #expect(error?.code == .invalidFile)
        #expect(error?.reason.contains("larger than 9 bytes") == true)
        // A sparse file that is far larger than the limit.
        try #require(truncate(path, 1 << 40) == 0)
        check(path, .invalidFile, "is larger than 4194304 bytes")
    }
}
