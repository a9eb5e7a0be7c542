import Foundation
import HomeIdentity
import HubAPI
import HubClient
import LocalRPCSockets
import PeerProcess
import Testing

/// A person at two hubs: at home at one, a guest at the other. Whole programs, on the loopback interface.
struct TwoHubsTests {
    private struct Line: Decodable, Sendable {
        var event: String?
        var digits: String?
    }

    private struct Added: Decodable {
        struct Invitation: Decodable {
            var link: String?
        }

        var invitation: Invitation?
    }

    private struct DeviceInvitation: Decodable {
        var code: String?
        var link: String?
    }

    private struct Device: Decodable {
        var name: String
    }

    /// Returns a folder of its own in the test's folder, with a socket.
    private static func place(_ name: String, in fixture: Fixture) throws -> Fixture {
        let folder = fixture.folder.appending(path: name)
        try FileManager.default.createDirectory(
            at: folder,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700]
        )
        return Fixture(folder: folder)
    }

    private static func startAgent(_ place: Fixture) async throws -> PeerProcess {
        let data = place.folder.appending(path: "agent").path
        let arguments = ["agent", "--data", data, "--socket", place.socket, "--mdns-interface", "127.0.0.1", "--json"]
        let agent = try PeerProcess(Programs.hearth, arguments)
        _ = try await agent.json(Line.self, "the agent's start") { $0.event == "ready" }
        return agent
    }

    private static func read<Value: Decodable>(_ place: Fixture, _ arguments: String...) async throws -> Value {
        let outcome = try await place.run(arguments + ["--json"])
        #expect(outcome.status == 0, "\(arguments): \(outcome.error)")
        return try JSONDecoder().decode(Value.self, from: Data(outcome.output.utf8))
    }

    /// Joins a hub with a code. A link tells the port.
    private static func join(_ hub: Fixture, as device: Fixture, named name: String) async throws {
        let link: DeviceInvitation = try await read(hub, "device", "add", "--link")
        let port = try InvitationLink(try #require(link.link)).addresses.first?.port
        let code: DeviceInvitation = try await read(hub, "device", "add")
        let joined = try await device.run(
            "join",
            try #require(code.code),
            "--host",
            "127.0.0.1",
            "--port",
            "\(try #require(port))",
            "--name",
            name
        )
        #expect(joined.status == 0, "\(joined.error)")
    }

    /// Joins a hub as a guest with a link, after the digits were compared.
    private static func joinAsGuest(_ hub: Fixture, as device: Fixture) async throws {
        let added: Added = try await read(hub, "user", "add", "Ann", "--role", "guest")
        let link = try #require(added.invitation?.link)
        let join = try PeerProcess(
            Programs.hearth,
            ["join", link, "--socket", device.socket, "--name", "Laptop", "--json"]
        )
        let waiting = try await join.json(Line.self, "the digits") { $0.event == "waiting" }
        let questions = try await Wait.value {
            $0.contains("wants to join")
        } of: {
            try await hub.run("questions").output
        }
        #expect(questions.contains(try #require(waiting.digits)))
        #expect(try await hub.run("questions", "answer", input: "yes").status == 0)
        _ = try await join.json(Line.self, "the home") { $0.event == "joined" }
        #expect(await join.exit() == 0)
    }

    /// Waits until an agent reaches a number of hubs, and returns the names of their homes.
    private static func homes(_ place: Fixture, at count: Int) async throws -> [String] {
        let hubs = try await Wait.value { (hubs: [AgentHubs.Hub]) in
            hubs.count == count && hubs.allSatisfy { $0.standing.state == .near && !$0.homes.isEmpty }
        } of: {
            // A session ends while the agent's hubs come and go.
            let connection = HubConnection(over: UnixSocketTransport(path: place.socket), onEvent: { _ in })
            defer { connection.close() }
            _ = try? await connection.call(HubMethods.hello, Hello(app: "hearth.test", purpose: "Tests."))
            return (try? await connection.call(AgentMethods.hubs, Empty()).hubs) ?? []
        }
        return hubs.flatMap(\.homes)
    }

    @Test func aDeviceThatIsAddedAtOneHubComesToTheOther() async throws {
        try await Fixture.with { fixture in
            let (own, friends) = (try Self.place("own", in: fixture), try Self.place("friends", in: fixture))
            let (laptop, tablet) = (try Self.place("laptop", in: fixture), try Self.place("tablet", in: fixture))
            let network = ["--network", "127.0.0.1:0"]
            let hubs = [try await own.startHub(network), try await friends.startHub(network)]
            #expect(try await own.run("home", "add", "Villa").status == 0)
            #expect(try await friends.run("home", "add", "Cabin").status == 0)
            let laptopAgent = try await Self.startAgent(laptop)
            try await Self.join(own, as: laptop, named: "Laptop")
            try await Self.joinAsGuest(friends, as: laptop)
            #expect(try await Self.homes(laptop, at: 2) == ["Villa", "Cabin"])

            // The tablet is added once, at the person's own hub.
            var tabletAgent = try await Self.startAgent(tablet)
            try await Self.join(own, as: tablet, named: "Tablet")
            #expect(try await Self.homes(tablet, at: 2) == ["Villa", "Cabin"])

            // It has keys of its own, and needs the laptop no longer.
            #expect(await laptopAgent.terminate() == 0)
            #expect(await tabletAgent.terminate() == 0)
            tabletAgent = try await Self.startAgent(tablet)
            #expect(try await Self.homes(tablet, at: 2) == ["Villa", "Cabin"])
            let devices: [Device] = try await Self.read(tablet, "device", "list")
            #expect(Set(devices.map(\.name)) == ["Laptop", "Tablet"])

            // It can leave again, and isn't brought back.
            let left = try await tablet.run("leave", "Cabin")
            #expect(left.status == 0, "\(left.error)")
            let again = try await Self.startAgent(laptop)
            #expect(try await Self.homes(laptop, at: 2) == ["Villa", "Cabin"])
            #expect(try await Self.homes(tablet, at: 1) == ["Villa"])
            for agent in [again, tabletAgent] { #expect(await agent.terminate() == 0) }
            for hub in hubs { #expect(await hub.terminate() == 0) }
        }
    }
}
