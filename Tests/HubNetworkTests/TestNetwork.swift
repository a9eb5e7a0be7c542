import Foundation
import HAP
import HomeIdentity
import HubAPI
import HubNetwork
import LocalRPC
import Logging
import NetworkDoors
import NIOCore
import Synchronization

/// A listener on loopback with the hub's devices and invitations, and sessions that answer with the method's name.
struct TestNetwork {
    /// A server whose sessions can be ended from outside.
    final class Server: RPCSessionAcceptor {
        struct Session: RPCSession {
            let deliver: @Sendable (HubMessage) -> Void
            let onEnd: @Sendable () -> Void

            func receive(_ request: RPCRequest) {
                deliver(.reply(id: request.id, .success(Data("\"\(request.method)\"".utf8))))
            }

            func pauseEvents() {}
            func resumeEvents() {}
            func end() { onEnd() }
        }

        let sessions = Mutex(0)
        let ended = Mutex(0)

        /// The number of sessions that were opened.
        var sessionCount: Int { sessions.withLock { $0 } }

        func acceptConnection(
            on executor: (any TaskExecutor)?,
            deliver: @escaping @Sendable (HubMessage) -> Void
        ) -> any RPCSession {
            sessions.withLock { $0 += 1 }
            return Session(deliver: deliver) { self.ended.withLock { $0 += 1 } }
        }
    }

    let door = TestDoor()
    let key = IdentityKey()
    let server = Server()
    let listener: LinkListener

    var port: Int { listener.port }
    var address: SocketAddress { get throws { try SocketAddress(ipAddress: "127.0.0.1", port: listener.port) } }

    private init(limits: NetworkLimits) async throws {
        let (server, door) = (server, door)
        listener = try await LinkListener.start(
            at: SocketAddress(ipAddress: "127.0.0.1", port: 0),
            key: key,
            door: door,
            limits: limits,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        ) { key, _ throws(HubError) in
            guard door.standing(of: key) == .device else { throw .removedDevice }
            return LinkPeer(server)
        }
    }

    static func with(
        limits: NetworkLimits = .unhurried,
        _ body: (TestNetwork) async throws -> Void
    ) async throws {
        let network = try await TestNetwork(limits: limits)
        do {
            try await body(network)
        } catch {
            await network.listener.stop()
            throw error
        }
        await network.listener.stop()
    }

    /// Adds a device and returns its key.
    func device() -> IdentityKey {
        let device = IdentityKey()
        door.add(device.publicKey)
        return device
    }

    /// Connects as a device.
    func link(as device: IdentityKey, hub: PublicKey? = nil) throws -> TestLink {
        try TestLink(
            over: LinkTransport(to: address, as: LinkIdentity(device), hubs: [hub ?? key.publicKey])
        )
    }

    func join(
        as device: IdentityKey = IdentityKey(),
        secret: InvitationSecret = TestDoor.code,
        invitation: InvitationID? = nil,
        name: String = "Pixel 9"
    ) async throws(JoinFailure) -> JoinChannel.Joined {
        guard let address = try? address else { throw .busy }
        return try await JoinChannel.join(
            at: address,
            as: device,
            secret: secret,
            invitation: invitation,
            request: JoinRequest(name: name),
            within: .minutes(10)
        )
    }
}

extension NetworkLimits {
    /// Limits that tests of other things don't reach: all of them come from one address, on a machine that may be busy.
    static var unhurried: NetworkLimits {
        var limits = NetworkLimits()
        limits.handshakes = PeerRate(perSecond: 10_000, burst: 10_000)
        limits.joins = PeerRate(perSecond: 10_000, burst: 10_000)
        limits.joinsOfAddress = PeerRate(perSecond: 10_000, burst: 10_000)
        limits.concurrentJoins = 100
        limits.greetingTime = 600
        limits.joinTime = 600
        limits.farewellMilliseconds = 60_000
        return limits
    }
}

/// A client's connection, whose messages a test awaits.
final class TestLink: Sendable {
    private let connection: HubConnection
    private let closed: AsyncStream<HubError>

    init(over transport: any HubTransport) {
        let (stream, continuation) = AsyncStream.makeStream(of: HubError.self)
        closed = stream
        connection = HubConnection(
            over: transport,
            onClose: { error in
                continuation.yield(error)
                continuation.finish()
            }
        )
    }

    /// Calls a method, and returns its result as text.
    func call(_ method: String) async throws -> String {
        String(decoding: try await connection.send(method, Data("{}".utf8)), as: UTF8.self)
    }

    /// Waits until the connection has ended, and returns why.
    func end() async throws -> HubError {
        for await error in closed { return error }
        throw HubError(.connectionLost, "The end was awaited twice.")
    }

    func close() {
        connection.close()
    }
}
