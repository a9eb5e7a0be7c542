import AirPlay
import Foundation
import HAP
import Testing

/// A connection of a sender that sends what the test wants. This is a class because it owns a socket.
final class RawSender {
    private let descriptor: CInt
    private var security: SecureChannel?
    /// The secret of the pairing.
    private(set) var secret: SessionSecret?
    private var reader = RTSPResponseReader()
    /// What was sent last, as it was sent.
    private(set) var lastSent: [UInt8] = []

    /// Connects to a port of the loopback interface, from an address of it.
    init(port: Int, events secret: SessionSecret? = nil, from address: String = "127.0.0.1") throws {
        security = secret.map { .senderEvents($0) }
        descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        try #require(LoopbackAddress(address, port: 0).apply { bind(descriptor, $0, $1) } == 0)
        try #require(LoopbackAddress(port: port).apply { connect(descriptor, $0, $1) } == 0)
        var limit = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit {
        close(descriptor)
    }

    func send(raw bytes: [UInt8]) {
        let flags = CInt(MSG_NOSIGNAL)
        _ = bytes.withUnsafeBytes { Foundation.send(descriptor, $0.baseAddress, $0.count, flags) }
    }

    func send(_ request: RTSPRequest) throws {
        lastSent = try security?.seal(request.encoded()) ?? request.encoded()
        send(raw: lastSent)
    }

    /// The next response, or `nil` if the receiver closes the connection.
    func receive() throws -> RTSPResponse? {
        while true {
            if let response = try reader.next() { return response }
            var buffer = [UInt8](repeating: 0, count: 4_096)
            let count = recv(descriptor, &buffer, buffer.count, 0)
            try #require(count >= 0 || errno == ECONNRESET, "the receiver neither answers nor closes")
            guard count > 0 else { return nil }
            let bytes = Array(buffer.prefix(count))
            reader.receive(try security?.open(bytes) ?? bytes)
        }
    }

    /// The next request of the receiver.
    func receiveRequest() throws -> RTSPRequest {
        var reader = RTSPRequestReader()
        while true {
            if let request = try reader.next() { return request }
            var buffer = [UInt8](repeating: 0, count: 4_096)
            let count = recv(descriptor, &buffer, buffer.count, 0)
            try #require(count > 0, "the receiver sends nothing")
            reader.receive(try security?.open(buffer.prefix(count)) ?? [])
        }
    }

    /// Pairs for this connection.
    func pair() throws {
        var random = SystemRandomNumberGenerator()
        let identity = ControllerIdentity(pairingID: try #require(PairingID("x")), keyPair: .random())
        var pairing = SenderPairing(.transient, identity: identity, peers: [])
        var request = pairing.start(using: &random)
        while true {
            try send(request)
            switch try pairing.receive(try #require(try receive()), using: &random) {
            case .send(let next), .keep(_, let next): request = next
            case .needsPIN: return
            case .secured(let secret):
                security = .senderControl(secret)
                self.secret = secret
                return
            }
        }
    }
}

/// A UDP port of the loopback interface. This is a class because it owns a socket.
final class RawPort: Sendable {
    let number: Int
    private let descriptor: CInt

    init(_ address: String = "127.0.0.1") throws {
        let descriptor = socket(AF_INET, CInt(SOCK_DGRAM.rawValue), 0)
        let isBound = LoopbackAddress(address, port: 0).apply { bind(descriptor, $0, $1) } == 0
        let number = LoopbackAddress.port(of: descriptor)
        self.descriptor = descriptor
        self.number = number ?? 0
        try #require(isBound && number != nil)
    }

    deinit {
        close(descriptor)
    }

    func send(_ bytes: [UInt8], to port: Int) {
        _ = LoopbackAddress(port: port).apply { address, length in
            CInt(sendto(descriptor, bytes, bytes.count, 0, address, length))
        }
    }

    /// The number of datagrams that have arrived since the last call.
    func count() -> Int {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        var count = 0
        while recv(descriptor, &buffer, buffer.count, CInt(MSG_DONTWAIT)) >= 0 { count += 1 }
        return count
    }
}

/// An address of the loopback interface, for system calls.
struct LoopbackAddress {
    private var address = sockaddr_in()

    init(_ host: String = "127.0.0.1", port: Int) {
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        inet_pton(AF_INET, host, &address.sin_addr)
    }

    func apply(_ call: (UnsafePointer<sockaddr>, socklen_t) -> CInt) -> CInt {
        withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                call($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    /// The port to which a socket is bound.
    static func port(of descriptor: CInt) -> Int? {
        var own = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &own) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        return result == 0 ? Int(UInt16(bigEndian: own.sin_port)) : nil
    }
}
