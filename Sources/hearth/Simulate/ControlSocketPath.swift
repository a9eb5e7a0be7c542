import Foundation

/// Where the control of a simulator is when nobody says otherwise.
enum ControlSocketPath {
    /// The variable that names the socket.
    static let variable = "HEARTH_SIMULATOR"
    /// In a data folder. No accessory's folder has such a name.
    private static let name = ".control/socket"

    /// The socket of the simulator with a data folder.
    static func standard(data: String) -> String {
        URL(filePath: data, directoryHint: .isDirectory).appending(path: name).path
    }
}
