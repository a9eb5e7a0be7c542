import Foundation

/// The default path of the hub's socket.
package enum HubSocketPath {
    /// The environment variable with the socket's path.
    package static let variable = "HEARTH_SOCKET"

    /// The environment variable with the uid that runs the hub, if that is neither this process's user nor root.
    package static let hubUserVariable = "HEARTH_HUB_UID"

    /// Returns the uid in ``hubUserVariable``; `nil` if the variable is missing or invalid.
    static func hubUser(environment: [String: String] = ProcessInfo.processInfo.environment) -> UInt32? {
        environment[hubUserVariable].flatMap { UInt32($0) }
    }

    /// Returns the path of the socket that a hub opens and clients connect to.
    ///
    /// It is `HEARTH_SOCKET`, otherwise `$XDG_RUNTIME_DIR/hearth/hub.sock`, otherwise `/run/hearth/hub.sock`. It is never in
    /// a folder that all users share.
    ///
    /// - Parameter environment: The environment variables. An empty socket path and a runtime folder that isn't an absolute
    ///   path are ignored.
    package static func standard(
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> String {
        if let path = environment[variable], !path.isEmpty { return path }
        if let folder = environment["XDG_RUNTIME_DIR"], folder.hasPrefix("/") { return "\(folder)/hearth/hub.sock" }
        return "/run/hearth/hub.sock"
    }
}
