import DNSSD
import Foundation
import HomeIdentity
import HubAPI
import HubNetwork
import Logging
import RawHTTP
import Synchronization
import Testing

@testable import HubServer

/// When the hub's port on the network is open, and how it is found.
@Suite struct NetworkServiceTests {
    private struct Door: NetworkDoor {
        func standing(of key: PublicKey) -> KeyStanding { .unknown }
        func invitation(_ id: InvitationID?) throws(JoinFailure) -> JoinInvitation { throw .invitationEnded }
        func countTry(of id: InvitationID) throws(JoinFailure) -> Int { throw .invitationEnded }
        func join(
            _ request: JoinRequest,
            by key: PublicKey,
            with id: InvitationID,
            digits: CheckDigits
        ) throws(JoinFailure) -> JoinReply { throw .invitationEnded }
    }

    /// What the network tells the hub, in the order in which it happens.
    private enum Told: Equatable, Sendable {
        case port(Int)
        case addresses([HubAddress])
        case announced(String, type: String, port: UInt16, txt: [String: String])
        case withdrawn
    }

    private struct Announcement: ServiceAnnouncement {
        let tell: @Sendable (Told) -> Void

        func update(txt: TXTRecord) {}
        func withdraw() { tell(.withdrawn) }
    }

    private struct Rig {
        let service: NetworkService
        let key = IdentityKey()
        let needs: AsyncStream<Bool>.Continuation
        private let told: AsyncStream<Told>

        init(_ option: NetworkOption, port: Int? = nil) {
            let (needsStream, needs) = AsyncStream.makeStream(of: Bool.self)
            let (told, telling) = AsyncStream.makeStream(of: Told.self)
            self.needs = needs
            self.told = told
            let hub = NetworkedHub(
                key: key,
                door: Door(),
                needs: needsStream,
                removals: AsyncStream { $0.finish() },
                peer: { _, _ throws(HubError) in throw .removedDevice },
                port: { port },
                setPort: { telling.yield(.port($0)) },
                setAddresses: { telling.yield(.addresses($0)) },
                announce: { service in
                    var txt: [String: String] = [:]
                    for key in ["v", "id"] { txt[key] = service.txt[key] }
                    let type = "\(service.type)"
                    telling.yield(.announced(service.instanceName, type: type, port: service.port, txt: txt))
                    return Announcement { telling.yield($0) }
                }
            )
            service = NetworkService(
                hub,
                at: option,
                for: .local,
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            )
        }

        /// The next things that the network tells.
        func told(_ count: Int) async -> [Told] {
            var result: [Told] = []
            guard count > 0 else { return result }
            for await each in told {
                result.append(each)
                if result.count == count { break }
            }
            return result
        }
    }

    private static func option(_ text: String) throws -> NetworkOption {
        try #require(NetworkOption(text))
    }

    @Test func thePortIsOpenWhileTheHubNeedsItAndIsAdvertised() async throws {
        let rig = Rig(try Self.option("127.0.0.1:0"))
        await rig.service.start()
        #expect(await rig.service.port == nil)
        rig.needs.yield(true)
        let told = await rig.told(3)
        let port = try #require(await rig.service.port)
        let address = try #require(HubAddress(ip: [127, 0, 0, 1], port: UInt16(port)))
        #expect(told[..<2] == [.port(port), .addresses([address])])
        #expect(
            told[2]
                == .announced(
                    "Hearth on \(RequestOrigin.machineName)",
                    type: "_hearth._tcp",
                    port: UInt16(port),
                    txt: ["v": "1", "id": rig.key.publicKey.discoveryID]
                )
        )
        let connection = try HTTPConnection(port: port)
        rig.needs.yield(false)
        #expect(await rig.told(2) == [.withdrawn, .addresses([])])
        await rig.service.stop()
        #expect(await rig.service.port == nil)
        #expect(await connection.drain() == 0)
    }

    @Test func thePortOfTheLastTimeIsUsedAgain() async throws {
        let first = Rig(.automatic)
        await first.service.start()
        first.needs.yield(true)
        guard case .port(let port)? = await first.told(1).first else {
            Issue.record("no port")
            return
        }
        await first.service.stop()
        let second = Rig(.automatic, port: port)
        await second.service.start()
        second.needs.yield(true)
        #expect(await second.told(1) == [.port(port)])
        // A third one finds it taken, and takes another.
        let third = Rig(.automatic, port: port)
        await third.service.start()
        third.needs.yield(true)
        let told = await third.told(1)
        #expect(told != [.port(port)] && !told.isEmpty)
        await second.service.stop()
        await third.service.stop()
    }

    @Test func nothingListensIfTheNetworkIsOff() async throws {
        let rig = Rig(try Self.option("off"))
        await rig.service.start()
        rig.needs.yield(true)
        await rig.service.stop()
        #expect(await rig.service.port == nil)
    }

    @Test(arguments: ["", "on", "example.org:1", "1.2.3.4:70000", "::1:5", "[::1]"])
    func invalidAddressesAreRefused(text: String) {
        #expect(NetworkOption(text) == nil)
    }
}
