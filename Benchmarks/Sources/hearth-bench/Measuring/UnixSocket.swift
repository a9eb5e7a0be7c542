import Foundation
import Glibc

/// A blocking connection to a hub's socket that sends and receives lines.
///
/// This is a class because it closes its descriptor when it is released.
final class UnixSocket {
    let descriptor: Int32
    private var received: [UInt8] = []
    private var buffer = [UInt8](repeating: 0, count: 1 << 20)

    private static let newline = UInt8(ascii: "\n")

    /// Connects. Throws if no hub listens.
    init(path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else { throw BenchFailure("can't connect to \(path)") }
    }

    deinit {
        close(descriptor)
    }

    /// Sends a line.
    func send(_ line: String) throws {
        let bytes = Array((line + "\n").utf8)
        guard Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
            throw BenchFailure("the hub doesn't accept data")
        }
    }

    /// Waits for the next line.
    func line() throws -> [UInt8] {
        var searched = 0
        while true {
            if let end = received[searched...].firstIndex(of: Self.newline) {
                defer { received.removeFirst(end + 1) }
                return Array(received[..<end])
            }
            searched = received.count
            try receive()
        }
    }

    /// Returns the next line if it was already received.
    func lineAtHand() throws -> [UInt8]? {
        guard received.contains(Self.newline) else { return nil }
        return try line()
    }

    /// Waits for bytes and stores them.
    func receive() throws {
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { throw BenchFailure("the hub closed the connection") }
        received += buffer[..<count]
    }
}
