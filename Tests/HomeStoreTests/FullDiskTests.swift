import Foundation
import HomeModel
import HomeStore
import Testing

/// A store on a full disk: a small file system in a mount namespace that ends with its process.
@Suite struct FullDiskTests {
    /// Arguments: the mount point, the size, the program, and the place for the resulting data folder.
    private static let script = """
        set -e
        mount -t tmpfs -o size="$2",mode=0700 tmpfs "$1"
        head -c 2500000 /dev/zero >"$1/ballast"
        "$3" "$1/data" "$1/ballast"
        cp -a "$1/data" "$4"
        """

    /// A disk that is full before SQLite first empties its write-ahead log, and one that is full later.
    @Test(arguments: ["4500k", "7500k"])
    func aFullDiskLosesNothingAndTheStoreGoesOnOnceThereIsRoom(size: String) async throws {
        let folder = try TemporaryFolder()
        let disk = folder.url.appendingPathComponent("disk")
        try FileManager.default.createDirectory(at: disk, withIntermediateDirectories: false)
        let data = folder.data
        let (output, complaint) = try await blocking { try Self.run(on: disk, size: size, leaving: data) }
        try #require(complaint.isEmpty, "\(complaint)")

        let lines = output.split(separator: "\n").map(String.init)
        let refusals = lines.filter { $0.hasPrefix("refused") }
        #expect(refusals.count == 30)
        #expect(Set(refusals) == ["refused \(StoreError.Code.full.rawValue)"])
        let parts = lines.split(separator: "room")
        try #require(parts.count == 2)
        #expect(parts[0].count > 30)
        #expect(parts[1].count == 40)
        var acknowledged = AcknowledgedEntries()
        for line in parts.joined() where !line.hasPrefix("refused") { try acknowledged.record(line) }
        try await acknowledged.expectAll(in: folder.data)
    }

    /// Runs the script.
    ///
    /// - Returns: The program's output and the error, if any.
    private static func run(on disk: URL, size: String, leaving data: URL) throws -> (output: String, errors: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/unshare")
        let program = try crashChild().path
        process.arguments = ["--mount", "/bin/bash", "-c", script, "disk", disk.path, size, program, data.path]
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        let complaint = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let status = process.terminationStatus
        return (
            String(decoding: text, as: UTF8.self),
            status == 0 ? "" : "status \(status): \(String(decoding: complaint, as: UTF8.self))"
        )
    }
}
