import Dispatch
import Foundation
import Glibc
import PeerProcess
import Synchronization

/// A relay on the loopback interface in front of an accessory. It can withhold one of the accessory's responses and
/// close all connections.
final class AnswerRelay: Sendable {
    // This is a class because it owns an open socket.

    /// An error in setting up the relay.
    struct Failure: Error {
        var what: String
        var code = errno
    }

    private struct State {
        var connections = 0
        var requests = 0
        /// The connection whose responses are withheld.
        var held: Int32?
        var waiting: [DispatchSemaphore] = []
        var open: Set<Int32> = []
        var isCut = false
    }

    /// The relay's port.
    let port: Int
    /// Whether the request whose response is withheld has arrived.
    let isHolding = AwaitableValue(false)
    private let target: Int
    private let requestLine: [UInt8]
    private let number: Int
    private let listener: Int32
    private let state = Mutex(State())

    /// Starts a relay.
    ///
    /// - Parameters:
    ///   - target: The accessory's port.
    ///   - path: The path of the requests to count.
    ///   - number: The number of the request whose response is withheld, counted from 1. Later responses on its
    ///     connection are withheld, too.
    init(to target: Int, holdingAnswerTo path: String, number: Int) throws {
        (listener, port) = try Self.listen()
        self.target = target
        requestLine = Array("POST \(path)".utf8)
        self.number = number
        Thread.detachNewThread { self.acceptAll() }
    }

    private static func listen() throws -> (Int32, port: Int) {
        let listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = Self.address(of: 0)
        let isBound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0 && Glibc.listen(listener, 16) == 0
            }
        }
        guard isBound else { throw Failure(what: "listen") }
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(listener, $0, &length) }
        }
        return (listener, Int(UInt16(bigEndian: address.sin_port)))
    }

    /// Forwards the withheld responses, and withholds none from then on.
    func release() {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            state.held = nil
            state.requests = .max / 2
            return state.waiting
        }
        for semaphore in waiting { semaphore.signal() }
    }

    /// Closes all connections, and each new one immediately, until ``restore()``.
    func cut() {
        state.withLock { state in
            state.isCut = true
            for descriptor in state.open { shutdown(descriptor, CInt(SHUT_RDWR)) }
        }
        release()
    }

    /// Accepts connections again.
    func restore() {
        state.withLock { $0.isCut = false }
    }

    /// Stops the relay.
    func stop() {
        cut()
        shutdown(listener, CInt(SHUT_RDWR))
    }

    private static func address(of port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    private func acceptAll() {
        while true {
            let client = accept(listener, nil, nil)
            guard client >= 0 else {
                close(listener)
                return
            }
            Thread.detachNewThread { self.serve(client) }
        }
    }

    /// The number of connections that were made to the relay.
    var connections: Int { state.withLock { $0.connections } }

    private func serve(_ client: Int32) {
        state.withLock { $0.connections += 1 }
        let server = socket(AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = Self.address(of: target)
        let isConnected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(server, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        let isServed = state.withLock { state in
            guard isConnected, !state.isCut else { return false }
            state.open.formUnion([client, server])
            return true
        }
        if isServed {
            let end = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                self.pump(from: server, to: client) { _ in self.waitWhileHeld(client) }
                end.signal()
            }
            var last: [UInt8] = []
            pump(from: client, to: server) { self.count($0, &last, on: client) }
            end.wait()
            state.withLock { $0.open.subtract([client, server]) }
        }
        close(client)
        close(server)
    }

    /// Forwards bytes until the connection closes. Calls `before` with each chunk first.
    private func pump(from source: Int32, to sink: Int32, before: ([UInt8]) -> Void) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(source, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            let bytes = Array(buffer[..<count])
            before(bytes)
            var sent = 0
            while sent < count {
                let step = bytes.withUnsafeBytes { raw -> Int in
                    guard let base = raw.baseAddress else { return -1 }
                    return send(sink, base + sent, count - sent, CInt(MSG_NOSIGNAL))
                }
                guard step > 0 else { break }
                sent += step
            }
        }
        shutdown(source, CInt(SHUT_RDWR))
        shutdown(sink, CInt(SHUT_RDWR))
    }

    /// Counts the requests in the bytes from a client. The start of a request may be split between two chunks.
    private func count(_ bytes: [UInt8], _ last: inout [UInt8], on client: Int32) {
        let text = last + bytes
        var found = 0
        if text.count >= requestLine.count {
            for start in 0...(text.count - requestLine.count)
            where text[start..<start + requestLine.count].elementsEqual(requestLine) {
                found += 1
            }
        }
        last = Array(text.suffix(requestLine.count - 1))
        guard found > 0 else { return }
        let isHeld = state.withLock { state in
            state.requests += found
            guard state.requests == number else { return false }
            state.held = client
            return true
        }
        if isHeld { isHolding.change { $0 = true } }
    }

    private func waitWhileHeld(_ client: Int32) {
        let semaphore = state.withLock { state -> DispatchSemaphore? in
            guard state.held == client else { return nil }
            let semaphore = DispatchSemaphore(value: 0)
            state.waiting.append(semaphore)
            return semaphore
        }
        semaphore?.wait()
    }
}
