import Glibc

/// A listening TCP socket on the loopback interface.
struct Listener {
    let descriptor: Int32
    let port: Int

    init() throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = Socket.loopback(port: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && listen(descriptor, 16) == 0
                    && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard isBound else { throw BenchFailure("can't listen on loopback") }
        port = Int(in_port_t(bigEndian: address.sin_port))
    }

    /// Returns a port that was just free, for a server that must be reachable before it can report its port.
    static func freePort() throws -> Int {
        let listener = try Listener()
        close(listener.descriptor)
        return listener.port
    }
}
