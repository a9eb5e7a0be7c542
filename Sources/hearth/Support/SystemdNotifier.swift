import Foundation
import Glibc

/// Reports the program's state to the service manager that started it (`sd_notify(3)`).
struct SystemdNotifier {
    /// A state, in the service manager's notation.
    enum State: String {
        /// The program serves requests.
        case ready = "READY=1"
        /// The program is shutting down.
        case stopping = "STOPPING=1"
    }

    /// The environment variable that names the service manager's socket.
    static let variable = "NOTIFY_SOCKET"

    private let address: String

    /// Creates a notifier, or returns `nil` if the environment names no socket.
    ///
    /// - Parameter environment: The environment variables.
    init?(environment: [String: String] = ProcessInfo.processInfo.environment) {
        guard let address = environment[Self.variable], address.hasPrefix("/") || address.hasPrefix("@") else {
            return nil
        }
        self.address = address
    }

    /// Sends the state. Errors are ignored; the service manager has its own timeout.
    func send(_ state: State) {
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        var path = Array(address.utf8)
        // An address that starts with @ is in the abstract namespace, which starts with a zero byte.
        if path[0] == UInt8(ascii: "@") { path[0] = 0 }
        guard path.count < MemoryLayout.size(ofValue: name.sun_path) else { return }
        withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: path) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + path.count)
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let message = Array(state.rawValue.utf8)
        _ = withUnsafePointer(to: name) { name in
            name.withMemoryRebound(to: sockaddr.self, capacity: 1) { name in
                sendto(descriptor, message, message.count, Int32(MSG_NOSIGNAL), name, length)
            }
        }
    }
}
