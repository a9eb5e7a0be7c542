import Foundation
import HomeIdentity
import HubAPI
import HubNetwork
import LocalRPC
import NIOCore
import PeerProcess
import Synchronization
import Testing

@testable import HomeHub
@testable import HubServer

/// A hub that was removed while it was off, and that somebody else may have now.
@Suite(.onePairAtATime) struct FormerHubTests {
    @Test func aFormerHubIsToldTheListAndNothingElse() async throws {
        try await TestRelay.with { relay in
            try await RunningHub.withFolder { folder in
                let (one, two) = (folder.appending(path: "one"), folder.appending(path: "two"))
                let house = RunningHub.House(relay: relay.url)
                let (port, home) = try await HubPairTests.join(two, one)
                try await RunningHub.start(one, port: port, voting: house).run { first in
                    let former = try await RunningHub.start(two, voting: house).run { second in
                        try await first.addRoom("Attic", in: home)
                        try await second.has("Attic", in: home)
                        return second.hub.identity
                    }
                    try await Self.remove(former, from: first)
                    try await Self.connect(former, to: first)
                }
            }
        }
    }

    /// Removes the other hub, which is off.
    private static func remove(_ former: IdentityKey, from hub: RunningHub) async throws {
        let id = try #require(hub.hub.hubList?.member(with: former.publicKey)?.id)
        try await Wait.until("the hub is removed") {
            let owner = try await hub.owner()
            defer { owner.close() }
            // As soon as this hub leads.
            let status = try? await owner.call(HubMethods.removeHub, RemoveHub(hub: id.uuidString))
            return status?.hubs.count == 1 && status?.untold.count == 1
        }
    }

    /// Connects with the key of a former hub, asks for everything, and takes nothing.
    private static func connect(_ former: IdentityKey, to hub: RunningHub) async throws {
        let port = try #require(await hub.network.port)
        let address = try SocketAddress(ipAddress: "127.0.0.1", port: port)
        let (events, continuation) = AsyncStream.makeStream(of: HubLink.Event.self)
        let link = HubLink(
            to: hub.hub.identity.publicKey,
            as: try LinkIdentity(former),
            connects: true,
            ways: { [.address(address)] },
            log: RunningHub.log
        ) { continuation.yield($0) }
        link.begin()
        var frames: [HubFrame] = []
        events: for await event in events {
            switch event {
            case .connected:
                let request = LeaderRequest(number: 1, .change([])).bytes
                for frame in [HubFrame(.baseRequest, []), HubFrame(.request, [1] + request), HubFrame(.vote, [1])] {
                    link.send(try #require(frame))
                }
            case .frame(let frame): frames.append(frame)
            case .disconnected: break events
            case .room: break
            }
        }
        link.stop()
        #expect(frames.map(\.kind) == [.introduction])
        let content = try #require(frames.first).content
        let told = try #require(HubIntroduction(content))
        let bytes = try #require(told.list)
        let list = try SignedHubList(Array(bytes))
        #expect(list.list.keys == [hub.hub.identity.publicKey])
        #expect(told == HubIntroduction(list: bytes))
        #expect(hub.hub.formerHubs.count == 1, "it hasn't said that it knows")
    }
}
