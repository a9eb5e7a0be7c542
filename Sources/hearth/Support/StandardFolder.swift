import Foundation

/// The folders that the program uses by default.
enum StandardFolder {
    /// Returns the hub's data folder: `/var/lib/hearth` for root, otherwise `$XDG_STATE_HOME/hearth`, otherwise
    /// `~/.local/state/hearth`.
    ///
    /// - Parameters:
    ///   - environment: The environment variables. A state folder that isn't an absolute path is ignored.
    ///   - isRoot: Whether root runs the program.
    static func data(
        environment: [String: String] = ProcessInfo.processInfo.environment,
        isRoot: Bool = geteuid() == 0,
        home: URL = FileManager.default.homeDirectoryForCurrentUser
    ) -> URL {
        if isRoot { return URL(filePath: "/var/lib/hearth", directoryHint: .isDirectory) }
        if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") {
            return URL(filePath: state, directoryHint: .isDirectory).appending(
                path: "hearth",
                directoryHint: .isDirectory
            )
        }
        return home.appending(path: ".local/state/hearth", directoryHint: .isDirectory)
    }

    /// Returns the relay's data folder: `/var/lib/hearth-relay` for root, otherwise `$XDG_STATE_HOME/hearth-relay`, otherwise
    /// `~/.local/state/hearth-relay`.
    static func relayData() -> URL {
        let hub = data()
        return hub.deletingLastPathComponent().appending(path: "hearth-relay", directoryHint: .isDirectory)
    }

    /// Returns the agent's data folder: `$XDG_STATE_HOME/hearth-agent`, otherwise `~/.local/state/hearth-agent`.
    ///
    /// - Parameter environment: The environment variables. A state folder that isn't an absolute path is ignored.
    static func agentData(
        environment: [String: String] = ProcessInfo.processInfo.environment,
        home: URL = FileManager.default.homeDirectoryForCurrentUser
    ) -> URL {
        let state = environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        let folder =
            state.map { URL(filePath: $0, directoryHint: .isDirectory) } ?? home.appending(path: ".local/state")
        return folder.appending(path: "hearth-agent", directoryHint: .isDirectory)
    }
}
