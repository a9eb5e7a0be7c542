import Dispatch
import Foundation
import Glibc

/// A program's end of a pipe: a connected socket, read and written with plain system calls.
final class TestSocket: Sendable {
    // This is a class because it owns a file descriptor.

    struct Failure: Error {
        var code: CInt
    }

    private let descriptor: CInt

    init(_ descriptor: CInt) {
        self.descriptor = descriptor
    }

    deinit {
        Glibc.close(descriptor)
    }

    /// Ends the connection in both directions.
    func close() {
        shutdown(descriptor, CInt(SHUT_RDWR))
    }

    func write(_ data: Data) async throws {
        try await onThread { descriptor in
            var rest = data[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
                guard count > 0 else { throw Failure(code: errno) }
                rest = rest.dropFirst(count)
            }
        }
    }

    /// Reads as many bytes, fewer only if the connection ends.
    func read(_ count: Int) async throws -> Data {
        try await onThread { try Self.read(count, from: $0) }
    }

    /// Reads what is left.
    func readToEnd() async throws -> Data {
        try await onThread { try Self.read(.max, from: $0) }
    }

    private static func read(_ count: Int, from descriptor: CInt) throws -> Data {
        var data = Data()
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while data.count < count {
            let wanted = min(buffer.count, count - data.count)
            let received = recv(descriptor, &buffer, wanted, 0)
            guard received >= 0 || errno == ECONNRESET else { throw Failure(code: errno) }
            if received <= 0 { break }
            data.append(contentsOf: buffer[..<received])
        }
        return data
    }

    private func onThread<Value: Sendable>(_ body: @escaping @Sendable (CInt) throws -> Value) async throws -> Value {
        // The socket must outlive the call.
        let socket = self
        return try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try body(socket.descriptor) }) }
        }
    }
}
