import Foundation

/// Where the hub's socket is when nobody says otherwise.
package enum HubSocketPath {
    /// The variable that names the socket.
    package static let variable = "HEARTH_SOCKET"

    /// The variable that names the uid that runs the hub, where that is neither this process's user nor root.
    package static let hubUserVariable = "HEARTH_HUB_UID"

    /// The uid that ``hubUserVariable`` names; nil without one.
    static func hubUser(environment: [String: String] = ProcessInfo.processInfo.environment) -> UInt32? {
        environment[hubUserVariable].flatMap { UInt32($0) }
    }

    /// The path of the socket that a hub opens and a client looks for: `HEARTH_SOCKET`, else
    /// `$XDG_RUNTIME_DIR/hearth/hub.sock`, else `/run/hearth/hub.sock`. Never a place that all users share.
    ///
    /// - Parameter environment: The variables to look at; an empty one, or a runtime folder that is no absolute path,
    ///   counts as absent.
    package static func standard(
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> String {
        if let path = environment[variable], !path.isEmpty { return path }
        if let folder = environment["XDG_RUNTIME_DIR"], folder.hasPrefix("/") { return "\(folder)/hearth/hub.sock" }
        return "/run/hearth/hub.sock"
    }
}
