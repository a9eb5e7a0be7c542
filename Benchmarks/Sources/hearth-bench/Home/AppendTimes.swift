import Foundation
import PeerProcess

/// The durations of appends to a store, and of bare commits of the same bytes, in microseconds.
struct AppendTimes: Decodable, Sendable {
    var append: [Double]
    var bare: [Double]

    /// Measures appends and commits, alternating, on the disk that has the `hearth` command.
    static func measure(_ count: Int, _ hearth: URL) async throws -> AppendTimes {
        let folder = try DiskFolder(beside: hearth)
        defer { folder.remove() }
        let child = hearth.deletingLastPathComponent().appending(path: "store-crash-child")
        let process = try PeerProcess(child, ["--measure", folder.url.path, String(count)])
        let times = try await process.json(AppendTimes.self, "the store", within: .seconds(60)) { _ in true }
        await process.terminate()
        return times
    }
}
