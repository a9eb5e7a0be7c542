import Foundation
import PeerProcess
import Testing

/// Two hubs as a person sets them up and loses them: by commands alone, as whole processes.
struct HubPairCommandTests {
    @Test func theSecondHubTakesOverWhenTheLeaderIsKilled() async throws {
        try await HubPair.with { pair in
            let (leader, other) = try await pair.leader()
            try await leader.add(room: "Attic")
            try await other.wait(forRooms: ["Attic"])
            try await leader.wait("the other hub and the relay have everything") { status in
                status.isConnected && status.hubs.contains { $0.behind == 0 } && status.relay?.votes == true
                    && status.pairings.isEmpty
            }
            let status = try await leader.status()
            #expect(status.outlook.contains("would lead within some seconds"))

            await leader.kill()
            try await other.wait("the other hub leads") { $0.isLeading }
            try await other.add(room: "Loft")
            try await other.wait("set", "Lamp", "On", "true")
            let journal = try await other.run("log")
            #expect(journal.contains("can't be reached"), "\(journal)")

            // It comes back, and follows.
            var back = leader
            try await HubPair.restart(&back)
            try await back.wait(forRooms: ["Attic", "Loft"])
            try await back.wait("it follows") { !$0.isLeading && $0.isConnected }
            try await back.wait("set", "Lamp", "On", "false")
            #expect(await back.process.terminate() == 0)
        }
    }

    @Test func aLeaderThatWasStoppedFollowsWhenItGoesOn() async throws {
        try await HubPair.with { pair in
            let (leader, other) = try await pair.leader()
            try await leader.add(room: "Attic")
            leader.process.kill(SIGSTOP)
            try await other.wait("the other hub leads") { $0.isLeading }
            // That takes the longest.
            try await other.wait("the connection counts as broken") { !$0.isConnected }
            try await other.add(room: "Loft")
            leader.process.kill(SIGCONT)
            try await leader.wait("it follows") { !$0.isLeading && $0.isConnected }
            try await leader.wait(forRooms: ["Attic", "Loft"])
            try await other.wait(forRooms: ["Attic", "Loft"])
            try await other.add(room: "Shed")
            try await leader.wait(forRooms: ["Attic", "Loft", "Shed"])
        }
    }

    @Test func whatIsImportedAtTheHubThatFollowsIsAtBoth() async throws {
        try await HubPair.with { pair in
            let (leader, other) = try await pair.leader()
            try await leader.add(room: "Attic")
            try await leader.wait("scene", "add", "Evening")
            try await leader.wait("scene", "set", "Evening", "Lamp", "On", "true")
            try await Wait.until("the other hub has all") { try await other.run("export") == leader.run("export") }
            let export = try await other.run("export")
            let file = pair.fixture.folder.appending(path: "home.jsonl")
            try Data(export.utf8).write(to: file)
            try await leader.run("scene", "remove", "Evening")
            try await leader.run("room", "remove", "Attic")
            try await leader.run("room", "add", "Cellar")
            try await other.wait(forRooms: ["Cellar"])

            let trial = try await other.run("import", file.path, "--dry-run")
            #expect(trial.contains("Attic") && trial.contains("Evening"), "\(trial)")
            #expect(try await leader.rooms() == ["Cellar"])
            try await other.run("import", file.path)
            for hub in [other, leader] {
                #expect(try await Set(hub.rooms()) == ["Attic", "Cellar"])
                try await hub.run("set", "Lamp", "On", "false")
                try await hub.run("scene", "run", "Evening")
                try await hub.wait("set", "Lamp", "On", "false")
            }
            // Both have the same, in the same order.
            #expect(try await other.run("export") == leader.run("export"))
            let wrong = try await other.place.run(["import", "-"], input: "{}")
            #expect(wrong.status == 1 && !wrong.error.isEmpty, "\(wrong.error)")
        }
    }

    @Test func aDevicesDigitsAreConfirmedAtEitherHub() async throws {
        try await HubPair.with { pair in
            // What was asked about the second hub is answered.
            for hub in [pair.first, pair.second] { #expect(try await hub.run("questions").isEmpty) }
            let data = pair.fixture.folder.appending(path: "laptop").path
            let socket = ["--socket", "\(data).sock"]
            let agent = try PeerProcess(
                Programs.hearth,
                ["agent", "--data", data, "--mdns-interface", "127.0.0.1", "--json"] + socket
            )
            _ = try await agent.json(HubPair.Ready.self, "the agent's start") { $0.event == "ready" }
            let added = try await pair.first.run("device", "add", "--link", "--json")
            let link = try #require(try JSONDecoder().decode(HubPair.Invitation.self, from: Data(added.utf8)).link)
            let joining = try PeerProcess(
                Programs.hearth,
                ["join", link, "--name", "Laptop", "--json"] + socket
            )
            let digits = try await joining.json(HubPair.Ready.self, "the digits") { $0.event == "waiting" }.digits
            try await Wait.until("the other hub shows the question") {
                try await pair.second.run("questions").contains(try #require(digits))
            }
            try await pair.second.run("questions", "answer", input: "Yes")
            await joining.exit()
            #expect(await joining.terminate() == 0, "\(joining.transcript)")
            for hub in [pair.first, pair.second] {
                try await Wait.until("no question is left") { try await hub.run("questions").isEmpty }
            }
            #expect(await agent.terminate() == 0)
        }
    }

    @Test func aHubLeavesTheHomesToTheOther() async throws {
        try await HubPair.with { pair in
            let (leader, other) = try await pair.leader()
            try await leader.add(room: "Attic")
            try await leader.wait("the other hub can control everything") { $0.pairings.isEmpty }
            try await leader.run("hub", "leave")
            // It stops, and its folder controls nothing.
            #expect(await leader.process.exit() == 1)
            #expect(leader.process.transcript.contains("hubLeft"))
            let (data, socket) = (leader.place.data, leader.place.socket)
            let again = try await leader.place.run(
                ["hub", "--data", data, "--socket", socket, "--mdns-interface", "127.0.0.1"]
            )
            #expect(again.status == 1 && again.error.contains("hubLeft"), "\(again.error)")
            try await other.wait("the other one is alone") { $0.hubs.count == 1 }
            #expect(try await other.rooms() == ["Attic"])
            try await other.add(room: "Loft")
            try await other.wait("set", "Lamp", "On", "true")
        }
    }

    @Test func aLostHubIsRemoved() async throws {
        try await HubPair.with { pair in
            await pair.second.kill()
            try await pair.first.wait("the first hub leads") { $0.isLeading }
            let wrong = try await pair.fixture.run("hub", "remove", "Garage")
            #expect(wrong.status == 1 && wrong.error.contains("notFound"), "\(wrong.error)")
            try await pair.first.run("hub", "remove", "Cellar")
            #expect(try await pair.first.status().hubs.count == 1)
            try await pair.first.run("room", "add", "Attic")
            let journal = try await pair.first.run("log")
            #expect(journal.contains("hub “Cellar” joined"), "\(journal)")
            #expect(journal.contains("hub “Cellar” was removed"), "\(journal)")
            #expect(try await pair.first.run("hub", "list").contains("“Cellar” was removed and doesn't know it"))
            try await pair.first.run("hub", "remove", "Cellar")
            #expect(try await pair.first.status().untold.isEmpty)
            let twice = try await pair.fixture.run("hub", "remove", "Cellar")
            #expect(twice.status == 1 && twice.error.contains("notAllowedNow"), "\(twice.error)")
            // The lost hub controls and changes nothing, should it come back although nobody waits for it.
            let lost = try PeerProcess(
                Programs.hearth,
                [
                    "hub", "--data", pair.second.place.data, "--socket", pair.second.place.socket, "--mdns-interface",
                    "127.0.0.1", "--json",
                ]
            )
            defer { lost.kill(SIGKILL) }
            _ = try await lost.json(HubPair.Ready.self, "its start") { $0.event == "ready" }
            let refused = try await pair.second.place.run("room", "add", "Cave")
            #expect(refused.status == 1 && refused.error.contains("noLeader"), "\(refused.error)")
            let uncontrolled = try await pair.second.place.run("set", "Lamp", "On", "true")
            #expect(uncontrolled.status == 1, "\(uncontrolled.output)")
            // A new second hub can join.
            try await pair.first.run("hub", "invite")
        }
    }

    @Test(arguments: [true, false])
    func aHubThatWasRemovedWhileItWasOffStopsOnceItIsBack(isFirst: Bool) async throws {
        try await HubPair.with { pair in
            var (lost, other) = isFirst ? (pair.first, pair.second) : (pair.second, pair.first)
            let name = try #require(try await lost.status().hubs.first(where: \.isOwn)?.name)
            await lost.kill()
            try await other.wait("the other hub leads") { $0.isLeading }
            try await other.run("hub", "remove", name)
            #expect(try await other.status().untold == [name])
            // It is told although the other one has started again since, and nothing else is lost.
            #expect(await other.process.terminate() == 0)
            try await HubPair.restart(&other)
            try await other.run("room", "add", "Attic")

            try await HubPair.restart(&lost)
            #expect(await lost.process.exit() == 1)
            #expect(lost.process.transcript.contains("hubLeft"))
            try await other.wait("it was told") { $0.untold.isEmpty }
            let (data, socket) = (lost.place.data, lost.place.socket)
            let again = try await lost.place.run(
                ["hub", "--data", data, "--socket", socket, "--mdns-interface", "127.0.0.1"]
            )
            #expect(again.status == 1 && again.error.contains("hubLeft"), "\(again.error)")
            #expect(try await other.rooms() == ["Attic"])
            try await other.wait("set", "Lamp", "On", "true")
            #expect(await other.process.terminate() == 0)
        }
    }

    @Test func aHubGoesOnAloneOnlyAfterItWasTold() async throws {
        try await HubPair.with(relay: false) { pair in
            let (leader, other) = try await pair.leader()
            try await leader.add(room: "Attic")
            try await other.wait(forRooms: ["Attic"])
            let early = try await other.place.run("hub", "alone", "--yes")
            #expect(early.status == 1 && early.error.contains("notAllowedNow"), "\(early.error)")
            await leader.kill()
            try await other.wait("no hub leads") { !$0.hubs.contains(where: \.isLeading) }
            let refused = try await other.place.run("room", "add", "Loft")
            #expect(refused.status == 1 && refused.error.contains("noLeader"), "\(refused.error)")
            let untold = try await other.place.run("hub", "alone")
            #expect(untold.status == 1 && untold.error.contains("--yes"), "\(untold.error)")
            try await other.wait("hub", "alone", "--yes")
            #expect(try await other.status().hubs.count == 1)
            #expect(try await other.status().untold.isEmpty)
            #expect(try await other.rooms() == ["Attic"])
            try await other.run("room", "add", "Loft")
            try await other.wait("set", "Lamp", "On", "true")
            // It is alone after a restart, too.
            var alone = other
            #expect(await alone.process.terminate() == 0)
            try await HubPair.restart(&alone)
            #expect(try await alone.rooms() == ["Attic", "Loft"])
            #expect(await alone.process.terminate() == 0)
        }
    }

    // MARK: A device that was off

    private struct AgentHub: Decodable {
        struct Standing: Decodable {
            var state: String
            var isRelayed: Bool?
        }

        struct Feed: Decodable {
            struct Problem: Decodable {
                var code: String?
            }

            var problem: Problem?
        }

        var standing: Standing
        var feed: Feed?
    }

    private struct Sync: Decodable {
        struct Feed: Decodable {
            var state: String
            var devices: Int
        }

        var feeds: [Feed]
    }

    /// Lets a device join a hub, and ends its agent once the hub's relay has its feed.
    private static func joinAndStop(_ laptop: Fixture, _ hub: HubPair.Hub) async throws {
        let agent = try await HubPair.startAgent(laptop)
        try await HubPair.join(agent, with: try await hub.link(), confirmedAt: hub)
        try await Wait.until("the relay has the feed") {
            let text = try await hub.run("sync", "status", "--json")
            let feeds = try JSONDecoder().decode(Sync.self, from: Data(text.utf8)).feeds
            return feeds.map(\.state) == ["current"] && feeds.map(\.devices) == [1]
        }
        try await Wait.until("the device knows where the feed is") { try await Self.hub(of: agent).feed != nil }
        #expect(await agent.process.terminate() == 0)
    }

    private static func hub(of agent: HubPair.Hub) async throws -> AgentHub {
        let text = try await agent.run("sync", "status", "--json")
        return try #require(try JSONDecoder().decode([AgentHub].self, from: Data(text.utf8)).first)
    }

    @Test(arguments: [false, true])
    func aDeviceThatWasOffSinceBeforeTheSecondHubJoinedGoesOnAtIt(isFirstRemoved: Bool) async throws {
        var laptop: Fixture?
        try await HubPair.with { first in
            let folder = first.place.folder.appending(path: "laptop")
            try FileManager.default.createDirectory(
                at: folder,
                withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o700]
            )
            laptop = Fixture(folder: folder)
            try await Self.joinAndStop(Fixture(folder: folder), first)
        } _: { pair in
            let place = try #require(laptop)
            let second = pair.second
            let name = try #require(try await second.status().hubs.first { !$0.isOwn }?.name)
            // The hub that the device has joined is lost for good.
            await pair.first.kill()
            try await second.wait("the second hub leads") { $0.isLeading }
            if isFirstRemoved { try await second.run("hub", "remove", name) }
            try await second.add(room: "Attic")

            var agent = try await HubPair.startAgent(place)
            try await Wait.until("the device shows what the second hub wrote") {
                try await agent.place.run("room", "list").output.contains("Attic")
            }
            try await agent.add(room: "Loft")
            try await second.wait(forRooms: ["Attic", "Loft"])
            try await agent.wait("set", "Lamp", "On", "true")
            let hub = try await Self.hub(of: agent)
            #expect(hub.standing.state == "near" && hub.standing.isRelayed == true && hub.feed?.problem == nil)

            // It believes the second hub from then on, whatever the relay has.
            #expect(await agent.process.terminate() == 0)
            agent = try await HubPair.startAgent(place)
            try await agent.add(room: "Shed")
            try await second.wait(forRooms: ["Attic", "Loft", "Shed"])
            #expect(await agent.process.terminate() == 0)
        }
    }
}
