package import AirPlay
internal import Foundation
internal import Synchronization

/// The file with the picture of what plays, for programs of the desktop. Only the user can read it.
///
/// This is a class because it owns a file.
package final class ArtworkFile: Sendable {
    private let current = Mutex<(artwork: Artwork, path: String)?>(nil)

    /// Creates no file yet.
    package init() {}

    deinit {
        remove()
    }

    /// Returns the path of a file with a picture, which replaces the previous one, or `nil` if there is none.
    package func path(of artwork: Artwork?) -> String? {
        current.withLock { current in
            if let current, current.artwork == artwork { return current.path }
            if let path = current?.path { unlink(path) }
            current = nil
            guard let artwork, !artwork.bytes.isEmpty else { return nil }
            // Programs keep pictures by their names, so that each has its own.
            let path = Self.folder + "/hearth-artwork-\(UUID().uuidString)"
            let isWritten = FileManager.default.createFile(
                atPath: path,
                contents: Data(artwork.bytes),
                attributes: [.posixPermissions: 0o600]
            )
            guard isWritten else { return nil }
            current = (artwork, path)
            return path
        }
    }

    /// Removes the file.
    package func remove() {
        _ = path(of: nil)
    }

    private static var folder: String {
        let folder = ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        return folder ?? FileManager.default.temporaryDirectory.path
    }
}
