import Foundation

/// The default path of a simulator's control socket.
enum ControlSocketPath {
    /// The environment variable that names the socket.
    static let variable = "HEARTH_SIMULATOR"
    /// The path in a data folder. No accessory's folder can have this name.
    private static let name = ".control/socket"

    /// Returns the path of the socket in a data folder.
    static func standard(data: String) -> String {
        URL(filePath: data, directoryHint: .isDirectory).appending(path: name).path
    }
}
