import Foundation
import Glibc
import HomeIdentity
import HubAPI
import HubNetwork
import Logging
import NetworkDoors
import NIOCore
import Synchronization
import Testing

/// Links over connections that somebody else carries, as a relay does.
struct SocketAcceptorTests {
    private let door = TestDoor()
    private let key = IdentityKey()
    private let server = TestNetwork.Server()

    private func acceptor() throws -> SocketAcceptor {
        let (server, door) = (server, door)
        return try SocketAcceptor(
            key: key,
            door: door,
            limits: .unhurried,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        ) { key, address throws(HubError) in
            #expect(address.isEmpty)
            guard door.standing(of: key) == .device else { throw .removedDevice }
            return LinkPeer(server)
        }
    }

    /// Connects over a pair of sockets, of which the acceptor gets one.
    private func link(
        as device: IdentityKey,
        to acceptor: SocketAcceptor,
        hub: PublicKey? = nil,
        accepts: @escaping @Sendable (PublicKey) -> Bool = { _ in true }
    ) throws -> TestLink {
        let transport = LinkTransport(
            through: "the relay",
            as: try LinkIdentity(device),
            hubs: [hub ?? key.publicKey]
        ) {
            var ends: [CInt] = [-1, -1]
            #expect(socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0)
            acceptor.accept(ends[1], from: "feed", accepts: accepts)
            return ends[0]
        }
        return TestLink(over: transport)
    }

    private func device() -> IdentityKey {
        let device = IdentityKey()
        door.add(device.publicKey)
        return device
    }

    @Test func aDeviceOfTheFeedIsServedAsOnTheNetwork() async throws {
        let acceptor = try acceptor()
        let device = device()
        let own = device.publicKey
        let link = try link(as: device, to: acceptor) { $0 == own }
        #expect(try await link.call("session.hello") == "\"session.hello\"")
        #expect(acceptor.connectionCount == 1)
        acceptor.close(connectionsOf: own, because: .removedDevice)
        #expect(try await link.end().code == .deviceRemoved)
        await acceptor.stop()
    }

    @Test func aDeviceOfAnotherPersonIsRefusedInTheHandshake() async throws {
        let acceptor = try acceptor()
        let (own, other) = (device(), device())
        let key = own.publicKey
        // The relay rings in somebody who is a device of the hub, but not of the feed's person, and a stranger.
        for device in [other, IdentityKey()] {
            let link = try link(as: device, to: acceptor) { $0 == key }
            _ = try await link.end()
        }
        #expect(server.sessionCount == 0)
        await acceptor.stop()
    }

    @Test func aRelayThatCrossesTwoPipesEndsThemBoth() async throws {
        let acceptor = try acceptor()
        let relay = CrossingRelay()
        let links = try (0..<2).map { _ in
            let device = device()
            return TestLink(
                over: LinkTransport(through: "the relay", as: try LinkIdentity(device), hubs: [key.publicKey]) {
                    let (deviceEnd, hubEnd) = relay.open()
                    acceptor.accept(hubEnd, from: "feed") { $0 == device.publicKey }
                    return deviceEnd
                }
            )
        }
        for link in links { #expect(try await link.call("session.hello") == "\"session.hello\"") }
        // What one device sends now reaches the hub as the other's.
        relay.cross()
        let calls = links.map { link in Task { try await link.call("characteristic.write") } }
        for link in links { _ = try await link.end() }
        for call in calls { await #expect(throws: HubError.self) { try await call.value } }
        await acceptor.stop()
        relay.stop()
    }

    // MARK: Joining

    /// Opens an invitation by link.
    private func invite() -> InvitationLink {
        let (id, secret) = (door.invite(), LinkSecret())
        door.state.withLock {
            $0.invitations[id] = JoinInvitation(id: id, verifier: JoinVerifier(.link(secret)), comparesDigits: true)
        }
        return InvitationLink(invitation: id, secret: secret, hub: key.publicKey, addresses: [])
    }

    /// Joins over a pair of sockets, of which the acceptor gets one, as from the door of an invitation.
    private static func join(
        _ link: InvitationLink,
        atDoorOf invitation: InvitationID,
        _ acceptor: SocketAcceptor,
        as device: IdentityKey = IdentityKey(),
        over pipe: (device: CInt, hub: CInt)? = nil
    ) async throws(JoinFailure) -> JoinChannel.Joined {
        try await JoinChannel.join(
            link,
            through: "the relay",
            as: device,
            request: JoinRequest(name: "Pixel 9"),
            within: .minutes(10)
        ) {
            let (device, hub) = pipe ?? CrossingRelay.pair()
            acceptor.accept(hub, from: "door", invitation: { _ in invitation }) { _ in true }
            return device
        }
    }

    @Test func aDeviceJoinsThroughTheDoorOfItsInvitationAlone() async throws {
        let acceptor = try acceptor()
        let (link, other) = (invite(), invite())
        // A relay that crosses two pipes from their beginning leads a device to another's door.
        let crossed = await #expect(throws: JoinFailure.self) {
            try await Self.join(link, atDoorOf: other.invitation, acceptor)
        }
        #expect(crossed == .invitationEnded && door.countedTries == 0)
        let device = IdentityKey()
        let joined = try await Self.join(link, atDoorOf: link.invitation, acceptor, as: device)
        #expect(joined.hub == key.publicKey)
        #expect(door.state.withLock { $0.digits[device.publicKey] } == joined.digits)
        // To another hub, the link doesn't lead.
        let elsewhere = InvitationLink(
            invitation: other.invitation,
            secret: other.secret,
            hub: IdentityKey().publicKey,
            addresses: []
        )
        let failure = await #expect(throws: JoinFailure.self) {
            try await Self.join(elsewhere, atDoorOf: other.invitation, acceptor)
        }
        #expect(failure == .wrongHub && door.countedTries == 0)
        await acceptor.stop()
    }

    @Test func aRelayThatCrossesTwoJoiningDevicesGetsNobodyIn() async throws {
        let acceptor = try acceptor()
        let links = [invite(), invite()]
        let relay = CrossingRelay()
        // What one device sends reaches the hub as the other's.
        let pipes = [relay.open(), relay.open()]
        relay.cross()
        async let first = Self.failure(links[0], acceptor, over: pipes[0])
        async let second = Self.failure(links[1], acceptor, over: pipes[1])
        #expect(await [first, second] == [.wrongHub, .wrongHub])
        #expect(door.state.withLock { $0.joined.isEmpty } && door.countedTries == 0)
        await acceptor.stop()
        relay.stop()
    }

    /// Returns why a device doesn't join over a pipe that a relay has opened; `nil` if it does.
    private static func failure(
        _ link: InvitationLink,
        _ acceptor: SocketAcceptor,
        over pipe: (device: CInt, hub: CInt)
    ) async -> JoinFailure.Code? {
        do throws(JoinFailure) {
            _ = try await join(link, atDoorOf: link.invitation, acceptor, over: pipe)
            return nil
        } catch {
            return error.code
        }
    }

    @Test func aRelayThatAnswersItselfIsNotTheHub() async throws {
        let acceptor = try acceptor()
        let link = try link(as: device(), to: acceptor, hub: IdentityKey().publicKey)
        #expect(try await link.end().code == .untrustedHub)
        #expect(server.sessionCount == 0)
        await acceptor.stop()
    }
}

/// A relay that carries bytes between sockets, and can send those of one pipe into another.
private final class CrossingRelay: Sendable {
    // This is a class because its threads share it.

    private struct State {
        /// The relay's ends of each pipe, toward the device and toward the hub.
        var pipes: [(device: CInt, hub: CInt)] = []
        /// Where what comes from a socket goes.
        var targets: [CInt: CInt] = [:]
    }

    private let state = Mutex(State())

    static func pair() -> (CInt, CInt) {
        var ends: [CInt] = [-1, -1]
        #expect(socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0)
        return (ends[0], ends[1])
    }

    /// Opens a pipe, and returns the sockets for the device and the hub.
    func open() -> (device: CInt, hub: CInt) {
        let (device, ownDevice) = Self.pair()
        let (hub, ownHub) = Self.pair()
        state.withLock { state in
            state.pipes.append((ownDevice, ownHub))
            state.targets[ownDevice] = ownHub
            state.targets[ownHub] = ownDevice
        }
        for socket in [ownDevice, ownHub] { Thread.detachNewThread { self.carry(socket) } }
        return (device, hub)
    }

    private func carry(_ socket: CInt) {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = recv(socket, &buffer, buffer.count, 0)
            let target = state.withLock { $0.targets[socket] }
            guard count > 0, let target, send(target, buffer, count, CInt(MSG_NOSIGNAL)) == count else { break }
        }
        // Whoever cuts a pipe cuts both directions.
        let target = state.withLock { $0.targets[socket] }
        for end in [socket, target].compactMap(\.self) { shutdown(end, CInt(SHUT_RDWR)) }
    }

    /// Sends what the devices send into each other's pipes.
    func cross() {
        state.withLock { state in
            let (one, other) = (state.pipes[0], state.pipes[1])
            state.targets[one.device] = other.hub
            state.targets[other.device] = one.hub
        }
    }

    func stop() {
        for pipe in state.withLock({ $0.pipes }) {
            close(pipe.device)
            close(pipe.hub)
        }
    }
}
