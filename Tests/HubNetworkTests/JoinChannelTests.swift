import Foundation
import HAP
import HomeIdentity
import HubNetwork
import NetworkDoors
import NIOCore
import Synchronization
import Testing

@Suite struct JoinChannelTests {
    private static let wrongCode = InvitationSecret.code((try? SetupCode("482-11-958")) ?? .random())

    @Test func aDeviceJoinsWithTheCodeAndConnects() async throws {
        try await TestNetwork.with { network in
            network.door.invite()
            let device = IdentityKey()
            let joined = try await network.join(as: device, name: "Ann’s laptop")
            #expect(joined.hub == network.key.publicKey)
            #expect(joined.reply.userName == "Ann")
            network.door.state.withLock { state in
                #expect(state.joined[device.publicKey] == JoinRequest(name: "Ann’s laptop"))
                #expect(state.digits[device.publicKey] == joined.digits)
                #expect(state.countedTries == 0)
            }
            let link = try network.link(as: device, hub: joined.hub)
            #expect(try await link.call("session.hello") == "\"session.hello\"")
            link.close()
        }
    }

    @Test func aDeviceJoinsByALink() async throws {
        try await TestNetwork.with { network in
            let secret = LinkSecret()
            let id = network.door.invite()
            network.door.state.withLock {
                $0.invitations[id] = JoinInvitation(id: id, verifier: JoinVerifier(.link(secret)), comparesDigits: true)
            }
            let link = InvitationLink(invitation: id, secret: secret, hub: network.key.publicKey, addresses: [])
            let request = JoinRequest(name: "Pixel 9")
            let joined = try await JoinChannel.join(
                link,
                at: network.address,
                as: IdentityKey(),
                request: request,
                within: .minutes(10)
            )
            #expect(joined.hub == network.key.publicKey)
            // The same link doesn't lead to another hub, which learns nothing.
            try await TestNetwork.with { other in
                other.door.invite()
                let failure = await #expect(throws: JoinFailure.self) {
                    try await JoinChannel.join(
                        link,
                        at: other.address,
                        as: IdentityKey(),
                        request: request,
                        within: .minutes(10)
                    )
                }
                #expect(failure == .wrongHub)
                #expect(other.door.countedTries == 0)
            }
        }
    }

    @Test func aWrongCodeCountsATry() async throws {
        try await TestNetwork.with { network in
            network.door.invite()
            for left in [4, 3] {
                let failure = await #expect(throws: JoinFailure.self) { try await network.join(secret: Self.wrongCode) }
                #expect(failure == .wrongInvitationCode(triesLeft: left))
            }
            #expect(network.door.countedTries == 2)
            _ = try await network.join()
        }
    }

    @Test func aCodeHasFiveTriesEvenIfTheyComeAtOnce() async throws {
        try await TestNetwork.with { network in
            network.door.invite()
            let failures = await withTaskGroup(of: JoinFailure.Code?.self) { group in
                for _ in 0..<12 {
                    group.addTask {
                        do throws(JoinFailure) {
                            _ = try await network.join(secret: Self.wrongCode)
                            return nil
                        } catch {
                            return error.code
                        }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(failures.count { $0 == .wrongInvitationCode } == 5)
            #expect(failures.count { $0 == .invitationEnded } == 7)
            #expect(network.door.countedTries == 5)
            // The right code comes too late.
            let failure = await #expect(throws: JoinFailure.self) { try await network.join() }
            #expect(failure?.code == .invitationEnded)
        }
    }

    @Test func withoutAnInvitationNobodyGetsPastTheHandshake() async throws {
        try await TestNetwork.with { network in
            let failure = await #expect(throws: JoinFailure.self) { try await network.join() }
            #expect(failure?.code == .invitationEnded)
        }
    }

    @Test func anUnknownInvitationHasEnded() async throws {
        try await TestNetwork.with { network in
            network.door.invite()
            let failure = await #expect(throws: JoinFailure.self) {
                try await network.join(invitation: InvitationID(UUID()))
            }
            #expect(failure == .invitationEnded)
            #expect(network.door.countedTries == 0)
        }
    }

    @Test func aRemovedDeviceCanBeInvitedAgain() async throws {
        try await TestNetwork.with { network in
            let device = network.device()
            network.door.remove(device.publicKey)
            network.door.invite()
            _ = try await network.join(as: device)
        }
    }

    @Test func aHubThatComputesForOthersIsBusy() async throws {
        var limits = NetworkLimits.unhurried
        limits.joins = PeerRate(perSecond: 0.001, burst: 2)
        try await TestNetwork.with(limits: limits) { network in
            network.door.invite()
            for _ in 0..<2 { _ = try await network.join() }
            let failure = await #expect(throws: JoinFailure.self) { try await network.join() }
            #expect(failure == .busy)
            #expect(network.door.countedTries == 0)
        }
    }

    @Test func nobodyAnswers() async throws {
        var address: SocketAddress?
        try await TestNetwork.with { address = try $0.address }
        let closed = try #require(address)
        let failure = await #expect(throws: JoinFailure.self) {
            try await JoinChannel.join(
                at: closed,
                as: IdentityKey(),
                secret: TestDoor.code,
                invitation: nil,
                request: JoinRequest(name: "Pixel 9")
            )
        }
        #expect(failure?.code == .unreachable)
    }
}
