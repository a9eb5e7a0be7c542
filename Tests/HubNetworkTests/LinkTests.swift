import Foundation
import HAP
import HomeIdentity
import HubAPI
import HubNetwork
import LocalRPCSockets
import NetworkDoors
import NIOCore
import TLS
import Testing

@Suite struct LinkTests {
    @Test func aDeviceCallsMethods() async throws {
        try await TestNetwork.with { network in
            let link = try network.link(as: network.device())
            #expect(try await link.call("session.hello") == "\"session.hello\"")
            #expect(try await link.call("home.add") == "\"home.add\"")
            link.close()
        }
    }

    @Test func aStrangerIsRefused() async throws {
        try await TestNetwork.with { network in
            let link = try network.link(as: IdentityKey())
            await #expect(throws: HubError.self) { try await link.call("session.hello") }
            #expect(network.server.sessionCount == 0)
        }
    }

    @Test func aStrangerIsRefusedWhileAnInvitationIsOpen() async throws {
        try await TestNetwork.with { network in
            network.door.invite()
            let link = try network.link(as: IdentityKey())
            await #expect(throws: HubError.self) { try await link.call("session.hello") }
            #expect(network.server.sessionCount == 0)
        }
    }

    @Test func aDeviceRefusesAnotherHub() async throws {
        try await TestNetwork.with { network in
            let link = try network.link(as: network.device(), hub: IdentityKey().publicKey)
            let error = try await link.end()
            #expect(error.code == .untrustedHub, "\(error)")
        }
    }

    @Test func nobodyAnswersAtAClosedPort() async throws {
        var address: SocketAddress?
        try await TestNetwork.with { address = try $0.address }
        let transport = LinkTransport(
            to: try #require(address),
            as: try LinkIdentity(IdentityKey()),
            hubs: [IdentityKey().publicKey]
        )
        #expect(try await TestLink(over: transport).end().code == .noHub)
    }

    @Test func aRemovedDeviceIsToldSo() async throws {
        try await TestNetwork.with { network in
            let device = network.device()
            network.door.remove(device.publicKey)
            let error = try await network.link(as: device).end()
            #expect(error.code.rawValue == "deviceRemoved", "\(error)")
            #expect(network.server.sessionCount == 0)
        }
    }

    @Test func removalEndsOpenConnectionsOfThatDeviceOnly() async throws {
        try await TestNetwork.with { network in
            let (removed, other) = (network.device(), network.device())
            let links = try (0..<3).map { _ in try network.link(as: removed) }
            let otherLink = try network.link(as: other)
            for link in links + [otherLink] { _ = try await link.call("session.hello") }
            network.door.remove(removed.publicKey)
            network.listener.close(connectionsOf: removed.publicKey, because: .removedDevice)
            for link in links {
                let error = try await link.end()
                #expect(error.code.rawValue == "deviceRemoved", "\(error)")
            }
            #expect(try await otherLink.call("home.list") == "\"home.list\"")
            otherLink.close()
        }
    }

    @Test func removalEndsConnectionsThatHaveNoSessionYet() async throws {
        try await TestNetwork.with { network in
            network.door.invite()
            let device = network.device()
            // A connection for joining that sends nothing, and one that was refused and reads nothing.
            let join = try await Silent.open(at: network.address, as: device, offering: .hearthJoin)
            // The handshake ends at the device first.
            while network.listener.connectionCount == 0 { try await Task.sleep(for: .milliseconds(5)) }
            network.listener.close(connectionsOf: device.publicKey, because: .removedDevice)
            try await join.closeFuture.get()
            #expect(network.door.countedTries == 0)
        }
    }

    @Test func aListenerStopsWhileOthersAreStillConnecting() async throws {
        var flood: Flood?
        var join: (any Channel)?
        var limits = NetworkLimits.unhurried
        limits.farewellMilliseconds = 0
        try await TestNetwork.with(limits: limits) { network in
            flood = try await Flood.open(10, at: network.address)
            join = try await Silent.open(at: network.address, as: network.device(), offering: .hearthJoin)
        }
        try await join?.closeFuture.get()
        await flood?.close()
    }

    @Test func aStoppedListenerTellsItsDevices() async throws {
        var link: TestLink?
        try await TestNetwork.with { network in
            link = try network.link(as: network.device())
            _ = try await link?.call("session.hello")
        }
        #expect(try await link?.end().reason == "The hub is stopping.")
    }

    @Test func aDeviceHasAMaximumOfConnections() async throws {
        var limits = NetworkLimits.unhurried
        limits.connections = 3
        try await TestNetwork.with(limits: limits) { network in
            let device = network.device()
            let links = try (0..<3).map { _ in try network.link(as: device) }
            for link in links { _ = try await link.call("session.hello") }
            #expect(try await network.link(as: device).end().code == .tooManyConnections)
            // Another device has a share of its own.
            let other = try network.link(as: network.device())
            #expect(try await other.call("session.hello") == "\"session.hello\"")
            other.close()
            for link in links { link.close() }
        }
    }

    @Test func aDeviceThatSendsTooManyRequestsIsRefusedAndNobodyElse() async throws {
        var limits = NetworkLimits.unhurried
        limits.requests = PeerRate(perSecond: 0.01, burst: 10)
        try await TestNetwork.with(limits: limits) { network in
            let device = network.device()
            let links = [try network.link(as: device), try network.link(as: device)]
            for number in 0..<10 { _ = try await links[number % 2].call("characteristic.read") }
            // The device's connections share its rate.
            for link in links {
                let error = await #expect(throws: HubError.self) { try await link.call("characteristic.read") }
                #expect(error?.code == .tooManyRequests)
                #expect(error?.parts?.retryAfter ?? 0 > 0)
            }
            let other = try network.link(as: network.device())
            for _ in 0..<10 { _ = try await other.call("characteristic.read") }
            other.close()
            for link in links { link.close() }
        }
    }

    @Test func thousandHalfHandshakesHoldUpNoDevice() async throws {
        var limits = NetworkLimits.unhurried
        (limits.handshakes, limits.strangers) = (NetworkLimits().handshakes, NetworkLimits().strangers)
        limits.farewellMilliseconds = 0
        try await TestNetwork.with(limits: limits) { network in
            let device = network.device()
            let link = try network.link(as: device)
            _ = try await link.call("session.hello")
            // Each connection sends the start of a handshake and no more. They come from one address, so that most of them
            // are refused at once, and the others hold 64 places.
            let flood = try await Flood.open(1_000, at: network.address)
            for _ in 0..<50 { #expect(try await link.call("characteristic.write") == "\"characteristic.write\"") }
            #expect(network.listener.connectionCount == 1)
            await flood.close()
            link.close()
        }
    }
}
