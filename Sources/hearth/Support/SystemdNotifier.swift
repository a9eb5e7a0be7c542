import Foundation
import Glibc

/// Tells the service manager that started the program how it stands (`sd_notify(3)`).
struct SystemdNotifier {
    /// The state, as the service manager reads it.
    enum State: String {
        /// Everything is served now.
        case ready = "READY=1"
        /// The end has begun.
        case stopping = "STOPPING=1"
    }

    /// The variable that names the socket of the service manager.
    static let variable = "NOTIFY_SOCKET"

    private let address: String

    /// Nil when nobody wants to know.
    ///
    /// - Parameter environment: The variables to look at.
    init?(environment: [String: String] = ProcessInfo.processInfo.environment) {
        guard let address = environment[Self.variable], address.hasPrefix("/") || address.hasPrefix("@") else {
            return nil
        }
        self.address = address
    }

    /// Sends the state. A service manager that cannot be reached is not told: it will notice by its own time limit.
    func send(_ state: State) {
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        var path = Array(address.utf8)
        // An address that begins with @ is in the abstract name space, which begins with a zero byte.
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
