package import Foundation

/// The file with the user's choice of receivers.
package struct RouteFile: Hashable, Sendable {
    /// The variable that selects another file.
    package static let variable = "HEARTH_AIRPLAY_ROUTE"
    /// The maximum length of the file, in bytes.
    package static let lengthLimit = 65_536
    private static let suffix = ".json"

    /// An error in writing a file.
    package enum Failure: Error, Hashable, Sendable {
        /// The choice is longer than ``RouteFile/lengthLimit``. The file is as it was.
        case tooLong
        /// The file can't be written.
        case unwritable
    }

    /// Its path.
    package var path: String

    /// Creates a reference to a file.
    package init(path: String) {
        self.path = path
    }

    /// Returns the file of an environment: `HEARTH_AIRPLAY_ROUTE`, otherwise `$XDG_STATE_HOME/hearth-airplay/route.json`,
    /// otherwise `~/.local/state/hearth-airplay/route.json`.
    package static func standard(
        environment: [String: String] = ProcessInfo.processInfo.environment,
        home: URL = FileManager.default.homeDirectoryForCurrentUser
    ) -> RouteFile {
        if let path = environment[variable], path.hasPrefix("/") { return RouteFile(path: path) }
        let state = environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        return RouteFile(path: (state ?? home.path + "/.local/state") + "/hearth-airplay/route.json")
    }

    /// The path of the file with the pairings of the user's apps, next to this one.
    package var pairingsPath: String { stem + "-pairings" + Self.suffix }

    /// The path without its suffix, to which the names of the files next to it are added.
    var stem: String { path.hasSuffix(Self.suffix) ? String(path.dropLast(Self.suffix.count)) : path }

    /// The choice. An absent, malformed or too long file means that audio stays on this computer.
    package var choice: RouteChoice {
        guard let handle = FileHandle(forReadingAtPath: path),
            let data = try? handle.read(upToCount: Self.lengthLimit + 1), data.count <= Self.lengthLimit
        else { return RouteChoice() }
        return (try? JSONDecoder().decode(RouteChoice.self, from: data)) ?? RouteChoice()
    }

    /// Replaces the choice. Only the user can read the file, because it can contain a password.
    package func write(_ choice: RouteChoice) throws(Failure) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
        guard let text = try? encoder.encode(choice) else { throw .unwritable }
        let data = text + Data("\n".utf8)
        guard data.count <= Self.lengthLimit else { throw .tooLong }
        guard makeFolder(), PrivateFile.replace(path, with: data) else { throw .unwritable }
    }

    /// Makes the file's folder, which only the user can read, if there is none. Returns whether it is there.
    package func makeFolder() -> Bool {
        let folder = URL(filePath: path).deletingLastPathComponent()
        let made: Void? = try? FileManager.default.createDirectory(
            at: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        return made != nil
    }
}
