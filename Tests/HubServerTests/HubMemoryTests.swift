import Foundation
import HomeIdentity
import HomeModel
import HubAPI
import PeerProcess
import Testing

@testable import HomeHub
@testable import HubServer

/// What each of two hubs remembers of invitations, browsers and devices that the other one has let in or out.
@Suite(.onePairAtATime) struct HubMemoryTests {
    private static let address = "127.0.0.1"

    @Test func aBrowserIsSignedInAtBothHubsAndOutAtBoth() async throws {
        try await HubForwardingTests.withPair { leader, follower, _ in
            for (one, other) in [(leader, follower), (follower, leader)] {
                let first = try await Self.whenAHubLeads {
                    let code = await one.hub.devices.createLogin(for: one.hub.owner.user).code
                    return try await one.hub.devices.signIn(
                        code: code,
                        name: "Tablet",
                        staysSignedIn: true,
                        from: Self.address
                    )
                }
                try await Wait.until("the other hub knows the browser") {
                    await other.hub.devices.devices[first.device] != nil
                }
                let credential = try #require(first.credential)
                let renewed = try await Self.whenAHubLeads { try await other.hub.devices.renew(credential) }
                let authority = try await other.hub.devices.authority(of: renewed.token)
                #expect(authority.device == first.device && authority.user == first.user)
                let current = try #require(await other.hub.devices.devices[first.device])
                try await Wait.until("the first hub knows the new credential") {
                    await one.hub.devices.devices[first.device]?.hasSameCredential(as: current) == true
                }
                let next = try #require(renewed.credential)
                _ = try await Self.whenAHubLeads { try await one.hub.devices.renew(next) }
                // Signed out at one, it is at the other.
                try await one.hub.devices.signOut(first.token)
                try await Wait.until("the other hub has signed the browser out") {
                    await other.hub.devices.devices[first.device] == nil
                }
                await #expect(throws: HubError.self) { try await other.hub.devices.authority(of: renewed.token) }
            }
        }
    }

    /// Does something again as long as no hub leads: on a busy machine the hubs may lose touch.
    private static func whenAHubLeads<Result: Sendable>(
        _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
        var result: Result?
        try await Wait.until("it is done while a hub leads") {
            do {
                result = try await body()
            } catch let error as HubError where error.code == .noLeader {}
            return result != nil
        }
        return try #require(result)
    }

    @Test func anInvitationWorksAtTheOtherHubWhenTheLeaderIsGone() async throws {
        try await TestRelay.with { relay in
            try await RunningHub.withFolder { folder in
                let (one, two) = (folder.appending(path: "one"), folder.appending(path: "two"))
                let (port, home) = try await HubPairTests.join(two, one)
                let house = RunningHub.House(relay: relay.url)
                let first = try await RunningHub.start(one, port: port, voting: house)
                let second = try await RunningHub.start(two, voting: house)
                let (leader, follower) = try await HubForwardingTests.roles(first, second)
                let invited = try await Self.invite(in: home, at: leader)
                try await Wait.until("the other hub has the invitation") {
                    await follower.hub.invitations.invitations[invited.id] != nil
                }
                await leader.stop()
                try await follower.run { hub in
                    try await Wait.until("the other hub leads") { await hub.leads }
                    let signIn = try await Self.signIn(invited.code, at: hub)
                    #expect(signIn.userName == "Ann")
                    // It works once.
                    await #expect(throws: HubError.self) { try await Self.signIn(invited.code, at: hub) }
                }
            }
        }
    }

    @Test func anInvitationEndsAtBothHubs() async throws {
        try await HubForwardingTests.withPair { leader, follower, home in
            for (one, other) in [(leader, follower), (follower, leader)] {
                let invited = try await Self.invite(in: home, at: one)
                try await Wait.until("the other hub has the invitation") {
                    await other.hub.invitations.invitations[invited.id] != nil
                }
                let owner = try await other.owner()
                _ = try await owner.call(HubMethods.removeInvitation, InvitationTarget(id: invited.id))
                owner.close()
                #expect(await other.hub.invitations.invitations[invited.id] == nil)
                try await Wait.until("the invitation has ended") {
                    await one.hub.invitations.invitations[invited.id] == nil
                }
                await #expect(throws: HubError.self) { try await Self.signIn(invited.code, at: one) }
            }
        }
    }

    /// Adds a user, and returns an invitation with its code for the page.
    private static func invite(in home: UUID, at hub: RunningHub) async throws -> (id: UUID, code: String) {
        await hub.hub.invitations.setAddresses(["http://127.0.0.1:1"], fingerprint: nil)
        let owner = try await hub.owner()
        defer { owner.close() }
        let names = Set(await hub.hub.database.home(home)?.users.map(\.name) ?? [])
        let name = names.contains("Ann") ? "Bob" : "Ann"
        let user = try await owner.call(HubMethods.addUser, AddHomeUser(home: home, name: name, role: .guest)).id
        let created = try await owner.call(
            HubMethods.createInvitation,
            CreateInvitation(user: ItemTarget(home: home, id: user))
        )
        let code = try #require(created.links.first?.url.split(separator: "=").last)
        return (created.invitation.id, String(code))
    }

    private static func signIn(_ code: String, at hub: RunningHub) async throws -> SignIn {
        try await hub.hub.devices.signIn(code: code, name: "Phone", staysSignedIn: true, from: address)
    }

    @Test func aRemovedDeviceIsRefusedByBothHubs() async throws {
        try await HubForwardingTests.withPair { leader, follower, _ in
            for (one, other) in [(leader, follower), (follower, leader)] {
                let key = IdentityKey().publicKey
                let owner = try await one.owner()
                let device = try await owner.call(
                    HubMethods.vouchForDevice,
                    VouchForDevice(name: "Phone", kind: "agent", key: Data(key.bytes))
                ).id
                try await Wait.until("the other hub knows the device") {
                    other.hub.deviceTable.device(with: key) != nil
                }
                let closed = AwaitableValue<HubError.Code?>(nil)
                let authority = SessionAuthority(user: other.hub.owner.user, device: device, client: .device)
                let transport = InProcessTransport(to: other.hub, as: authority)
                transport.open { message in
                    if case .closed(let error) = message { closed.change { $0 = error.code } }
                }
                let hello = try EncodedCall(HubMethods.hello, Hello(app: "hearth", purpose: "Tests."))
                transport.send(HubRequest(id: 1, method: hello.method.name, parameters: hello.body))
                try await Wait.until("the device is connected") {
                    other.hub.sessions.all.contains { $0.authority.device == device }
                }
                _ = try await owner.call(HubMethods.removeDevice, RemoveDevice(id: device))
                owner.close()
                #expect(one.hub.deviceTable.isRemoved(device))
                _ = try await closed.until { $0 == .deviceRemoved }
                #expect(other.hub.deviceTable.isRemoved(device))
                #expect(other.hub.door.standing(of: key) == .removed)
            }
        }
    }

    @Test func presenceThatOneHubIsToldIsKnownToTheOther() async throws {
        try await HubForwardingTests.withPair { leader, follower, home in
            for (hub, isHome) in [(follower, true), (leader, false)] {
                let owner = try await hub.owner()
                _ = try await owner.call(HubMethods.setPresence, SetPresence(home: home, isHome: isHome))
                for other in [leader, follower] {
                    let client = try await other.owner()
                    try await Wait.until("the presence is known") {
                        try await client.call(HubMethods.presence, HomeTarget(home: home)).users.map(\.isHome) == [
                            isHome
                        ]
                    }
                    client.close()
                }
                owner.close()
            }
        }
    }
}
