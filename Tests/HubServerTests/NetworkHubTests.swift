import Foundation
import HAP
import HomeHub
import HomeIdentity
import HubAPI
import HubClient
import HubNetwork
import NIOCore
import RawHTTP
import Testing

@testable import HubServer

/// A hub with its own invitations and devices, reached over the network.
@Suite struct NetworkHubTests {
    private struct Network {
        let served: ServedHub
        let service: NetworkService
        let owner: HubConnection

        static func with(_ body: (Network) async throws -> Void) async throws {
            try await ServedHub.with { served in
                let option = try #require(NetworkOption("127.0.0.1:0"))
                var limits = NetworkLimits()
                (limits.greetingTime, limits.joinTime) = (600, 600)
                let service = NetworkService(
                    NetworkedHub(served.hub),
                    at: option,
                    for: .local,
                    limits: limits,
                    logger: served.log
                )
                await service.start()
                let owner = try await served.owner()
                let result: Result<Void, any Error>
                do {
                    result = .success(try await body(Network(served: served, service: service, owner: owner)))
                } catch {
                    result = .failure(error)
                }
                owner.close()
                await service.stop()
                try result.get()
            }
        }

        /// The hub's address; inviting a device has opened the port.
        func address() async throws -> SocketAddress {
            try SocketAddress(ipAddress: "127.0.0.1", port: try #require(await service.port))
        }

        func join(
            as key: IdentityKey,
            with code: String,
            at address: SocketAddress? = nil
        ) async throws -> JoinChannel.Joined {
            var known = address
            if known == nil { known = try await self.address() }
            return try await JoinChannel.join(
                at: try #require(known),
                as: key,
                secret: .code(try SetupCode(code)),
                invitation: nil,
                request: JoinRequest(name: "Laptop"),
                within: .minutes(10)
            )
        }

        func link(as key: IdentityKey) async throws -> HubConnection {
            let hub = served.hub.identity.publicKey
            return HubConnection(over: LinkTransport(to: try await address(), as: try LinkIdentity(key), hubs: [hub]))
        }
    }

    private static let hello = Hello(app: "com.example.laptop", purpose: "Tests.")

    @Test func aDeviceJoinsWithACodeAndIsRemovedAtOnce() async throws {
        try await Network.with { network in
            #expect(await network.service.port == nil)
            let invitation = try await network.owner.call(HubMethods.addDevice, AddDevice(kind: .code))
            let key = IdentityKey()
            let joined = try await network.join(as: key, with: try #require(invitation.code))
            #expect(joined.reply.state == .joined)
            #expect(joined.hub == network.served.hub.identity.publicKey)

            let link = try await network.link(as: key)
            _ = try await link.call(HubMethods.hello, Self.hello)
            let devices = try await network.owner.call(HubMethods.devices, Empty())
            #expect(devices.devices.contains { $0.id == joined.reply.device && $0.name == "Laptop" })

            _ = try await network.owner.call(HubMethods.removeDevice, RemoveDevice(id: joined.reply.device))
            await #expect(throws: HubError.self) {
                while true { _ = try await link.call(HubMethods.devices, Empty()) }
            }
            // It is told so when it comes again, if the hub still listens.
            let error = await #expect(throws: HubError.self) {
                try await network.link(as: key).call(HubMethods.hello, Self.hello)
            }
            #expect(error?.code == .deviceRemoved || error?.code == .noHub, "\(String(describing: error))")
        }
    }

    @Test func sixWrongCodesEndAnInvitation() async throws {
        try await Network.with { network in
            let invitation = try await network.owner.call(HubMethods.addDevice, AddDevice(kind: .code))
            let code = try #require(invitation.code)
            let address = try await network.address()
            let wrong = code == "482-11-957" ? "482-11-958" : "482-11-957"
            for left in (0..<5).reversed() {
                let failure = await #expect(throws: JoinFailure.self) {
                    try await network.join(as: IdentityKey(), with: wrong, at: address)
                }
                #expect(failure == .wrongInvitationCode(triesLeft: left))
            }
            // Nothing else needs the port, so that it may be closed by now.
            let failure = await #expect(throws: JoinFailure.self) {
                try await network.join(as: IdentityKey(), with: code, at: address)
            }
            #expect(
                failure?.code == .invitationEnded || failure?.code == .unreachable,
                "\(String(describing: failure))"
            )
        }
    }

    @Test func aLinkLeadsADeviceToTheHub() async throws {
        try await Network.with { network in
            let invitation = try await network.owner.call(HubMethods.addDevice, AddDevice(kind: .link))
            let link = try InvitationLink(try #require(invitation.link).url)
            #expect(link.leads(to: network.served.hub.identity.publicKey))
            let port = try #require(await network.service.port)
            #expect(link.addresses == [try #require(HubAddress(ip: [127, 0, 0, 1], port: UInt16(port)))])
            let joined = try await JoinChannel.join(
                link,
                at: network.address(),
                as: IdentityKey(),
                request: JoinRequest(name: "Laptop"),
                within: .minutes(10)
            )
            #expect(joined.reply.state == .waiting || joined.reply.state == .joined)
        }
    }
}
