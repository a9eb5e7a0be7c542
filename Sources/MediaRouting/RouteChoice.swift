package import Foundation

/// The user's choice of a receiver, which all of the user's apps share.
package struct RouteChoice: Codable, Hashable, Sendable {
    /// The receiver's name or ID, or `nil` if audio stays on this computer.
    package var receiver: String?
    /// The receiver's host, or `nil` if it is found by its name.
    package var host: String?
    /// The receiver's port, with ``host``.
    package var port: Int?
    /// The receiver's password, or `nil` if there is none.
    package var password: String?
    /// The interfaces to look for receivers on, by name or address, or `nil` for all.
    package var interfaces: [String]?

    /// Creates a choice.
    package init(
        receiver: String? = nil,
        host: String? = nil,
        port: Int? = nil,
        password: String? = nil,
        interfaces: [String]? = nil
    ) {
        self.receiver = receiver
        self.host = host
        self.port = port
        self.password = password
        self.interfaces = interfaces
    }
}

/// The file with the user's choice.
package struct RouteFile: Hashable, Sendable {
    /// The variable that selects another file.
    package static let variable = "HEARTH_AIRPLAY_ROUTE"
    /// The maximum length of the file, in bytes.
    package static let lengthLimit = 65_536

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

    /// The choice. An absent or malformed file means that audio stays on this computer.
    package var choice: RouteChoice {
        guard let handle = FileHandle(forReadingAtPath: path),
            let data = try? handle.read(upToCount: Self.lengthLimit + 1), data.count <= Self.lengthLimit
        else { return RouteChoice() }
        return (try? JSONDecoder().decode(RouteChoice.self, from: data)) ?? RouteChoice()
    }

    /// Replaces the choice. Only the user can read the file, because it can contain a password.
    package func write(_ choice: RouteChoice) throws {
        let url = URL(filePath: path)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(),
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
        let data = try encoder.encode(choice) + Data("\n".utf8)
        // Apps see either the former file or the new one.
        let draft = path + ".\(ProcessInfo.processInfo.processIdentifier)"
        let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
        guard FileManager.default.createFile(atPath: draft, contents: data, attributes: attributes),
            rename(draft, path) == 0
        else {
            try? FileManager.default.removeItem(atPath: draft)
            throw CocoaError(.fileWriteNoPermission, userInfo: [NSFilePathErrorKey: path])
        }
    }
}
