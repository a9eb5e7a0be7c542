import Foundation
import HomeIdentity
import HubAPI
import Logging
import NIOCore
import NetworkDoors

@testable import HubNetwork

/// One hub's end, whose events a test awaits in order.
final class LinkEnd: Sendable {
    // This is a class because the handler and the test share it.

    let link: HubLink
    let events: AsyncStream<HubLink.Event>
    private let isHandling: Bool

    init(
        to peer: PublicKey,
        as key: IdentityKey,
        connects: Bool,
        handles: Bool = true,
        ways: @escaping @Sendable () -> [HubWay] = { [] }
    ) throws {
        let (events, continuation) = AsyncStream.makeStream(of: HubLink.Event.self)
        self.events = events
        isHandling = handles
        link = HubLink(
            to: peer,
            as: try LinkIdentity(key),
            connects: connects,
            ways: ways,
            log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        ) { continuation.yield($0) }
        link.begin()
    }

    /// Waits for an event. Those before it are dropped.
    func until(_ event: HubLink.Event) async {
        for await next in events {
            if case .frame(let frame) = next, isHandling { link.handled(frame) }
            if next == event { return }
        }
    }
}

/// Two hubs, of which the first listens.
struct LinkedPair {
    let first = IdentityKey()
    let second = IdentityKey()
    let door = TestDoor()

    /// Runs a body with the accepting end and its port.
    func listen(
        _ end: LinkEnd,
        at port: Int = 0,
        _ body: (SocketAddress) async throws -> Void
    ) async throws {
        try await listen(end.link, at: port, body)
    }

    /// Runs a body with the accepting link and its port.
    func listen(
        _ link: HubLink,
        at port: Int = 0,
        _ body: (SocketAddress) async throws -> Void
    ) async throws {
        let listener = try await LinkListener.start(
            at: SocketAddress(ipAddress: "127.0.0.1", port: port),
            key: first,
            door: door,
            limits: .unhurried,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            peer: { _, _ throws(HubError) in throw .removedDevice },
            hub: { $0 == link.peer ? link : nil }
        )
        do {
            try await body(SocketAddress(ipAddress: "127.0.0.1", port: listener.port))
        } catch {
            await listener.stop()
            throw error
        }
        await listener.stop()
    }
}
