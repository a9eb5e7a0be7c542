import Dispatch
import Foundation
import Glibc
import NIOCore

/// A client that sends the exact bytes of a test.
final class RawSocket: Sendable {
    struct Failure: Error {
        let what: String
        let code = errno
    }

    private let descriptor: CInt
    private static let timeout = timeval(tv_sec: 60, tv_usec: 0)

    init(connectedTo path: String) throws {
        descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw Failure(what: "socket") }
        var timeout = Self.timeout
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &timeout, socklen_t(MemoryLayout<timeval>.size))
        }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else { throw Failure(what: "connect") }
    }

    /// Connects to a port on 127.0.0.1.
    init(connectedToPort port: Int) throws {
        descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw Failure(what: "socket") }
        var timeout = Self.timeout
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &timeout, socklen_t(MemoryLayout<timeval>.size))
        }
        let address = try SocketAddress(ipAddress: "127.0.0.1", port: port)
        let result = address.withSockAddr { connect(descriptor, $0, socklen_t($1)) }
        guard result == 0 else { throw Failure(what: "connect") }
    }

    deinit {
        close(descriptor)
    }

    /// Sends all bytes. Returns `false` if the peer closed the connection.
    @discardableResult
    func send(_ bytes: Data) async -> Bool {
        await blocking { descriptor in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes {
                    Glibc.send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
                }
                guard count > 0 else { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }
    }

    /// Closes the sending side of the connection.
    func finish() {
        shutdown(descriptor, CInt(SHUT_WR))
    }

    /// Returns everything that arrives until the peer closes.
    func readAll() async -> Data {
        await blocking { descriptor in
            var all = Data()
            while let chunk = Self.read(descriptor) { all.append(contentsOf: chunk) }
            return all
        }
    }

    /// Returns everything that arrives until the peer closes, as lines.
    func readToEnd() async -> [String] {
        String(decoding: await readAll(), as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// Returns the lines that arrive until there are `count` or the peer closes.
    func readLines(_ count: Int) async -> [String] {
        String(
            decoding: await blocking { descriptor in
                var all = Data()
                var lines = 0
                while lines < count, let chunk = Self.read(descriptor) {
                    lines += chunk.count { $0 == UInt8(ascii: "\n") }
                    all.append(contentsOf: chunk)
                }
                return all
            },
            as: UTF8.self
        ).split(separator: "\n").map(String.init)
    }

    private static func read(_ descriptor: CInt) -> ArraySlice<UInt8>? {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        return count > 0 ? buffer[..<count] : nil
    }

    private func blocking<Result: Sendable>(_ work: @escaping @Sendable (CInt) -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { [self] in continuation.resume(returning: work(descriptor)) }
        }
    }
}
