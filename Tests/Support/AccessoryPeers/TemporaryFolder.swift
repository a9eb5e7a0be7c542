import Foundation

/// A folder for the duration of one test, removed with this value. Names are those of files in it.
public final class TemporaryFolder {
    /// The folder's path, with a slash at its end.
    public let path: String

    /// Creates the folder.
    public init() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "hearth-\(UUID().uuidString)/")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
        path = url.path()
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Returns the permission bits of a file or folder.
    public func mode(_ name: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path + name)[.posixPermissions] as? Int
    }

    /// Returns the text of a file.
    public func read(_ name: String) throws -> String {
        try String(contentsOfFile: path + name, encoding: .utf8)
    }

    /// Creates a file, or replaces its text.
    public func write(_ text: String, _ name: String) throws {
        try Data(text.utf8).write(to: URL(filePath: path + name))
    }

    /// Returns the sorted names in the folder, or in a folder within it.
    public func names(_ folder: String = "") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path + folder).sorted()
    }

    /// Removes a file.
    public func remove(_ name: String) throws {
        try FileManager.default.removeItem(atPath: path + name)
    }
}
