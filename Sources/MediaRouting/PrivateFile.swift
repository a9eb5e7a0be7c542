internal import Foundation

/// A file that only its owner can read.
enum PrivateFile {
    /// Replaces a file. Its readers see either the previous content or the new one. Returns whether that succeeded.
    static func replace(_ path: String, with data: Data) -> Bool {
        let draft = "\(path).\(UUID().uuidString).new"
        let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
        guard FileManager.default.createFile(atPath: draft, contents: data, attributes: attributes),
            rename(draft, path) == 0
        else {
            unlink(draft)
            return false
        }
        return true
    }
}
