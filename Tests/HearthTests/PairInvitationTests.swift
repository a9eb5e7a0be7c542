import HomeIdentity
import PeerProcess
import Testing

/// Invitations of two hubs that keep the homes together: they lead to either.
struct PairInvitationTests {
    /// Starts a hub again, at another address, so that no link made before leads to it but through the relay.
    private static func move(_ hub: inout HubPair.Hub) async throws {
        #expect(await hub.process.terminate() == 0)
        try await HubPair.restart(&hub)
    }

    @Test(arguments: [false, true])
    func aLinkLeadsToTheOtherHubOnceTheOneThatMadeItIsLost(isAway: Bool) async throws {
        try await HubPair.with { pair in
            let link = try await pair.first.link()
            try await pair.leader().leader.wait("both hubs have the invitation") { status in
                status.isConnected && status.hubs.contains { $0.behind == 0 }
            }
            await pair.first.kill()
            if isAway { try await Self.move(&pair.second) }
            let second = pair.second
            try await second.wait("the other hub leads") { $0.isLeading }
            let agent = try await HubPair.startAgent(try HubPair.place("laptop", in: pair.fixture))
            try await HubPair.join(agent, with: link, confirmedAt: second)
            try await agent.add(room: "Attic")
            try await second.wait(forRooms: ["Attic"])
            try await agent.wait("set", "Lamp", "On", "true")
            // It is used: nobody else joins with it.
            let refused = try await agent.place.run("join", link, "--name", "Phone", "--socket", agent.place.socket)
            #expect(refused.status != 0, "\(refused.output)")
            #expect(await agent.process.terminate() == 0)
        }
    }

    /// The relay leads to the hub that came last, whichever made the link.
    @Test func aLinkOfEitherHubLeadsThroughTheRelay() async throws {
        try await HubPair.with { pair in
            let links = [try await pair.first.link(), try await pair.second.link()]
            try await Self.move(&pair.first)
            try await Self.move(&pair.second)
            try await pair.second.wait("both hubs are connected again, and agree") { status in
                status.isConnected && status.hubs.contains { $0.isLeading }
            }
            for (link, hub, name) in [(links[0], pair.first, "laptop"), (links[1], pair.second, "tablet")] {
                let agent = try await HubPair.startAgent(try HubPair.place(name, in: pair.fixture))
                try await HubPair.join(agent, with: link, confirmedAt: hub)
                try await agent.add(room: name)
                for hub in [pair.first, pair.second] {
                    try await Wait.until("both hubs have the room") { try await hub.rooms().contains(name) }
                }
                #expect(await agent.process.terminate() == 0)
            }
        }
    }

    /// A code is tried at whichever hub is met first.
    @Test func aCodeWorksAtEitherHubOnce() async throws {
        try await HubPair.with { pair in
            let addresses = try InvitationLink(try await pair.first.link()).addresses
            #expect(addresses.count == 2)
            let code = try await pair.first.code()
            let agent = try await HubPair.startAgent(try HubPair.place("laptop", in: pair.fixture))
            let other = try #require(addresses.last)
            let place = ["--host", "127.0.0.1", "--port", "\(other.port)", "--socket", agent.place.socket]
            let wrong = try await agent.place.run(["join", "123-98-765"] + place)
            #expect(wrong.status == 1 && wrong.error.contains("wrongInvitationCode"), "\(wrong.error)")
            let joined = try await agent.place.run(["join", code] + place)
            #expect(joined.status == 0, "\(joined.error)")
            try await agent.add(room: "Attic")
            for hub in [pair.first, pair.second] { try await hub.wait(forRooms: ["Attic"]) }
            let again = try await agent.place.run(["join", code] + place)
            #expect(again.status == 1, "\(again.output)")
            #expect(await agent.process.terminate() == 0)
        }
    }
}
