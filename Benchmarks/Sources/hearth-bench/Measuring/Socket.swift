import Glibc

/// A blocking TCP connection on the loopback interface. It calls the system directly, to keep the client's cost low.
///
/// This is a class because it closes its descriptor when it is released.
final class Socket {
    let descriptor: Int32
    private var buffer = [UInt8](repeating: 0, count: 65_536)

    /// The timeout of each call, in seconds.
    private static let patience = 20

    /// Connects. Throws if no server listens.
    init(port: Int) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw BenchFailure("no socket: \(Self.reason)") }
        var one: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
        var limit = timeval(tv_sec: Self.patience, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var address = Self.loopback(port: port)
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw BenchFailure("can't connect to port \(port): \(Self.reason)") }
    }

    deinit {
        close(descriptor)
    }

    func send(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.send(
                    descriptor,
                    $0.baseAddress?.advanced(by: sent),
                    $0.count - sent,
                    Int32(MSG_NOSIGNAL)
                )
            }
            guard count > 0 else { throw BenchFailure("can't send: \(Self.reason)") }
            sent += count
        }
    }

    /// Waits for at least one byte, and returns the bytes received.
    func receive() throws -> ArraySlice<UInt8> {
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else {
            throw BenchFailure(count == 0 ? "the server closed the connection" : "no answer: \(Self.reason)")
        }
        return buffer[..<count]
    }

    /// Waits for the given number of bytes.
    func receive(exactly count: Int) throws -> [UInt8] {
        var received: [UInt8] = []
        received.reserveCapacity(count)
        while received.count < count { received += try receive() }
        guard received.count == count else { throw BenchFailure("expected \(count) bytes, got \(received.count)") }
        return received
    }

    static func loopback(port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        return address
    }

    private static var reason: String { String(cString: strerror(errno)) }
}
