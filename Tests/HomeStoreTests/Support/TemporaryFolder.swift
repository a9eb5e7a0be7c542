import Foundation

/// A temporary folder for a test, removed with its contents when the test releases it.
final class TemporaryFolder {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("hearth-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: url,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// A data folder in it that doesn't exist yet.
    var data: URL { url.appendingPathComponent("data") }

    var database: URL { data.appendingPathComponent("hearth.sqlite") }

    func mode(_ name: String) throws -> Int {
        let path = data.appendingPathComponent(name).path
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber
        return mode?.intValue ?? -1
    }

    func setMode(_ mode: Int, _ url: URL) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: url.path)
    }
}
