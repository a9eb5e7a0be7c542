import Foundation

/// A folder for what must be on a disk. A temporary folder may be in memory, where a commit is free.
struct DiskFolder {
    let url: URL

    /// Creates a folder in the folder of the `hearth` command.
    init(beside hearth: URL) throws {
        url = hearth.deletingLastPathComponent().appending(path: "bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: url,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700]
        )
    }

    func remove() {
        try? FileManager.default.removeItem(at: url)
    }
}
