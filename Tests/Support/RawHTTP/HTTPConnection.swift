import Dispatch
package import Foundation
import Glibc

/// A client's connection that sends the exact bytes of a test and reads responses.
package final class HTTPConnection: Sendable {
    // This is a class because it is one socket that is closed once.

    /// Why a connection failed.
    package struct Failure: Error {
        package var what: String

        package init(what: String) {
            self.what = what
        }
    }

    /// A response.
    package struct Response: Sendable {
        package var status: Int
        /// The header fields, with names in lowercase.
        package var headers: [String: String]
        package var body = Data()

        /// The body as JSON.
        package var json: [String: Any] {
            (try? JSONSerialization.jsonObject(with: body)) as? [String: Any] ?? [:]
        }

        /// The code of the error in the body.
        package var code: String? { (json["error"] as? [String: Any])?["code"] as? String }
    }

    private let descriptor: CInt
    private let queue = DispatchQueue(label: "http-connection")
    /// What was received and not read yet. Only used on the queue.
    private nonisolated(unsafe) var buffer = Data()

    /// Connects.
    ///
    /// - Parameter receiveBuffer: The number of bytes that the system receives for a connection that reads nothing; `nil` for
    ///   the system's choice, which can be tens of megabytes.
    package init(port: Int, receiveBuffer: CInt? = nil) throws {
        descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw Failure(what: "socket") }
        var timeout = timeval(tv_sec: 60, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &timeout, socklen_t(MemoryLayout<timeval>.size))
        }
        if var receiveBuffer {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, socklen_t(MemoryLayout<CInt>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw Failure(what: "connect") }
    }

    deinit {
        Glibc.close(descriptor)
    }

    /// Ends the connection in both directions.
    package func end() {
        shutdown(descriptor, CInt(SHUT_RDWR))
    }

    /// Sends text.
    package func send(_ text: String) async throws {
        try await send(Data(text.utf8))
    }

    /// Sends bytes.
    package func send(_ bytes: Data) async throws {
        try await onQueue { connection in
            var rest = bytes
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes {
                    Glibc.send(connection.descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
                }
                guard count > 0 else { throw Failure(what: "send") }
                rest = rest.dropFirst(count)
            }
        }
    }

    /// Reads a response with its whole body.
    package func response() async throws -> Response {
        try await onQueue { connection in
            var response = try connection.head()
            let count = response.headers["content-length"].flatMap { Int($0) } ?? 0
            response.body = try connection.bytes(count)
            return response
        }
    }

    /// Reads a response up to its body.
    package func responseHead() async throws -> Response {
        try await onQueue { try $0.head() }
    }

    /// Reads a chunk of a chunked body; an empty one ends it.
    package func chunk() async throws -> Data {
        try await onQueue { connection in
            let size = try connection.line()
            guard let count = Int(size, radix: 16) else { throw Failure(what: "chunk “\(size)”") }
            let bytes = try connection.bytes(count)
            _ = try connection.line()
            return bytes
        }
    }

    /// Reads until the server closes the connection.
    ///
    /// - Returns: The number of bytes.
    package func drain() async -> Int {
        (try? await onQueue { connection in
            var count = connection.buffer.count
            connection.buffer = Data()
            while let bytes = try? connection.receive() { count += bytes.count }
            return count
        }) ?? 0
    }

    /// Waits until the server has sent something, without reading it.
    package func waitForBytes() async throws {
        try await onQueue { connection in
            var event = pollfd(fd: connection.descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&event, 1, 60_000) == 1 else { throw Failure(what: "nothing was sent") }
        }
    }

    private func onQueue<Value: Sendable>(
        _ body: @escaping @Sendable (HTTPConnection) throws -> sending Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try body(self) }) }
        }
    }

    private func head() throws -> Response {
        let status = try line().split(separator: " ")
        guard status.count >= 2, let code = Int(status[1]) else { throw Failure(what: "status “\(status)”") }
        var headers: [String: String] = [:]
        while case let line = try line(), !line.isEmpty {
            let parts = line.split(separator: ":", maxSplits: 1)
            headers[parts[0].lowercased()] = parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : ""
        }
        return Response(status: code, headers: headers)
    }

    private func line() throws -> String {
        while true {
            if let end = buffer.firstRange(of: Data("\r\n".utf8)) {
                defer { buffer = Data(buffer[end.upperBound...]) }
                return String(decoding: buffer[..<end.lowerBound], as: UTF8.self)
            }
            buffer += try receive()
        }
    }

    private func bytes(_ count: Int) throws -> Data {
        while buffer.count < count { buffer += try receive() }
        defer { buffer = Data(buffer.dropFirst(count)) }
        return Data(buffer.prefix(count))
    }

    private func receive() throws -> Data {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        guard count > 0 else { throw Failure(what: count == 0 ? "the connection is closed" : "recv: \(errno)") }
        return Data(bytes.prefix(count))
    }
}
