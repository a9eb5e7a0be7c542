import Foundation
import HAP
import HomeIdentity
import HomeModel
import HubAPI
import HubNetwork
import HubServer
import NetworkDoors
import NIOCore
import PeerProcess
import Synchronization
import Testing

@testable import HomeAgent
@testable import HomeHub

/// Agents whose hubs are on the network: over TLS, on the loopback interface.
@Suite struct AgentNetworkTests {
    /// A hub with a port on the network, and what an agent needs to join it.
    private struct Network {
        var hub: HomeHub
        var door = TestDoor()
        var key = IdentityKey()
        var folder: URL

        func listen(port: Int = 0) async throws -> LinkListener {
            let acceptor = HubAcceptor(
                hub,
                as: SessionAuthority(user: hub.owner.user, device: hub.owner.device, client: .device)
            )
            return try await LinkListener.start(
                at: SocketAddress(ipAddress: "127.0.0.1", port: port),
                key: key,
                door: door,
                logger: AgentLab.log
            ) { _, _ in LinkPeer(acceptor) }
        }

        func startAgent(furtherTime: Duration = .zero, finding discovery: AnnouncedHubs? = nil) throws -> Agent {
            let folder = try AgentFolder(at: folder.appending(path: "agent"))
            let ways = WayFinder(discovery: discovery, log: AgentLab.log) { try? folder.store($0) }
            if discovery != nil { Task { await ways.browse() } }
            let joiner = HubJoiner(ways, searchTime: .seconds(60), furtherTime: furtherTime)
            let network = Agent.Network(
                transport: { ways.transport(to: $0, isOwn: $1) },
                join: { (parameters, prepare) async throws(HubError) in
                    try await joiner.join(parameters, prepare: prepare)
                },
                forget: { ways.forget($0) },
                take: { (list, hub) throws(HubListError) in try ways.take(list, of: hub) },
                takeLists: { (lists, hub) throws(HubListError) in try ways.take(lists, of: hub) },
                isOneOfTwo: { ways.isOneOfTwo($0) }
            )
            return try Agent(
                Agent.Configuration(
                    folder: folder,
                    network: network,
                    retry: WakeableRetryPolicy(shortest: .milliseconds(10), longest: .milliseconds(50)),
                    log: AgentLab.log
                )
            )
        }

        static func run(_ body: (Network) async throws -> Void) async throws {
            let folder = FileManager.default.temporaryDirectory.appending(path: "hearth-agent-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: folder) }
            let hub = try await AgentLab.startHub(in: folder.appending(path: "hub"))
            do {
                try await body(Network(hub: hub, folder: folder))
                await hub.stop()
            } catch {
                await hub.stop()
                throw error
            }
        }
    }

    @Test func aDeviceJoinsWithACodeAndItsAppsUseTheHub() async throws {
        try await Network.run { network in
            network.door.invite()
            let listener = try await network.listen()
            let agent = try network.startAgent()
            let command = RecordingClient(app: "hearth") { AcceptorTransport(to: agent) }
            try await command.welcome()
            let place = "127.0.0.1:\(listener.port)"
            let wrong = JoinHub(invitation: "111-22-333", name: "Laptop", place: place)
            #expect(await command.refusal(AgentMethods.join, wrong) == .wrongInvitationCode)
            let right = JoinHub(invitation: TestDoor.code.text, name: "Laptop", place: place)
            let joining = try await command.call(AgentMethods.join, right)
            #expect(joining.name == "Villa")
            #expect(joining.digits == nil)

            let app = RecordingClient(retries: true) { AcceptorTransport(to: agent) }
            try await app.welcome()
            var home: UUID?
            while home == nil {
                // Until the hub is in reach, the call fails at once.
                home = try? await app.call(HubMethods.addHome, AddHome(name: "Villa")).id
                try await Task.sleep(for: .milliseconds(10))
            }
            let id = try #require(home)
            try await app.until { $0.account.home(id) != nil }

            // The agent's copy has the home before the hub is out of reach.
            try await Wait.until("the agent has the home") {
                agent.hubs.first?.shown(to: "com.example.lights")?.homes[id] != nil
            }
            // The hub's port is gone, and comes back at the same place.
            await listener.stop()
            try await app.until { $0.awayHomes == [id] }
            #expect(app.state.homes[id] != nil)
            let again = try await network.listen(port: listener.port)
            try await app.until { $0.awayHomes.isEmpty }
            _ = try await app.call(HubMethods.renameHome, RenameHome(home: id, name: "Hut"))

            // A removed device is told so, and forgets the hub.
            let device = try #require(network.door.state.withLock { $0.devices.first })
            network.door.remove(device)
            again.close(
                connectionsOf: device,
                because: HubError(.deviceRemoved, "This device was removed from “Hut”.")
            )
            try await app.until { $0.homes.isEmpty }
            let later = RecordingClient(app: "hearth") { AcceptorTransport(to: agent) }
            #expect(try await later.welcome().notices?.isEmpty == false)
            #expect(agent.hubs.isEmpty)
            agent.stop()
            await again.stop()
        }
    }

    @Test func aCodeIsTriedAtEachHubThatAnnouncesItself() async throws {
        try await Network.run { network in
            var (closed, inviting) = (network, network)
            (closed.key, closed.door) = (IdentityKey(), TestDoor())
            (inviting.key, inviting.door) = (IdentityKey(), TestDoor())
            inviting.door.invite(verifier: JoinVerifier(.code(try SetupCode("335-57-799"))))
            network.door.invite()
            let neighbours = try await (closed.listen(), inviting.listen())
            let listener = try await network.listen()

            let hubs = AnnouncedHubs()
            try hubs.list("Closed", closed.key.publicKey, port: neighbours.0.port)
            try hubs.list("Inviting", inviting.key.publicKey, port: neighbours.1.port)
            let agent = try network.startAgent(furtherTime: .seconds(60), finding: hubs)
            let command = RecordingClient(app: "hearth") { AcceptorTransport(to: agent) }
            try await command.welcome()
            async let joining = command.call(
                AgentMethods.join,
                JoinHub(invitation: TestDoor.code.text, name: "Laptop", place: nil)
            )
            // The hub of the code announces itself last, when the others have refused it.
            while inviting.door.countedTries == 0 { try await Task.sleep(for: .milliseconds(5)) }
            try hubs.list("Villa", network.key.publicKey, port: listener.port)
            #expect(try await joining.name == "Villa")
            #expect(inviting.door.countedTries == 1)
            #expect(network.door.countedTries <= 1)
            agent.stop()
            for listener in [neighbours.0, neighbours.1, listener] { await listener.stop() }
        }
    }

    @Test func aCodeThatNoHubKnowsIsNamedWhateverTheOthersSay() async throws {
        try await Network.run { network in
            var closed = network
            (closed.key, closed.door) = (IdentityKey(), TestDoor())
            network.door.invite()
            let listeners = try await [closed.listen(), network.listen()]
            let hubs = AnnouncedHubs()
            try hubs.list("Closed", closed.key.publicKey, port: listeners[0].port)
            try hubs.list("Villa", network.key.publicKey, port: listeners[1].port)
            let agent = try network.startAgent(finding: hubs)
            let command = RecordingClient(app: "hearth") { AcceptorTransport(to: agent) }
            try await command.welcome()
            let wrong = JoinHub(invitation: "111-22-333", name: "Laptop", place: nil)
            for _ in 0..<2 where network.door.countedTries == 0 {
                _ = await command.refusal(AgentMethods.join, wrong)
            }
            #expect(await command.refusal(AgentMethods.join, wrong) == .wrongInvitationCode)
            agent.stop()
            for listener in listeners { await listener.stop() }
        }
    }

    @Test func anAgentFollowsTheListOfHubs() async throws {
        try await Network.run { network in
            var (first, second) = (network, network)
            first.key = network.hub.identity
            (second.key, second.door) = (IdentityKey(), first.door)
            let members = [first, second].map {
                HubMember(id: UUID(), key: $0.key.publicKey, box: BoxKey().publicBox)
            }
            let pair = try HubList(founder: members[0]).adding(members[1])
            try await network.hub.hubTable.take(SignedHubList(pair, by: first.key).bytes)

            first.door.invite()
            var listener = try await first.listen()
            let place = "127.0.0.1:\(listener.port)"
            let hubs = AnnouncedHubs()
            let agent = try network.startAgent(finding: hubs)
            let app = RecordingClient(app: "hearth", retries: true) { AcceptorTransport(to: agent) }
            try await app.welcome()
            let request = JoinHub(invitation: TestDoor.code.text, name: "Laptop", place: place)
            _ = try await app.call(AgentMethods.join, request)
            let joined = try #require(agent.hubs.first?.view.id)
            let folder = try AgentFolder(at: network.folder.appending(path: "agent"))
            try await Wait.until("the list is stored") { folder.hub(joined)?.hubs != nil }
            #expect(folder.hub(joined)?.key == first.key.publicKey.base64)

            // The first hub is gone. The second, which the device has never met, goes on.
            await listener.stop()
            try await Wait.until("the first hub is gone") { agent.hubs.first?.view.standing.state == .away }
            listener = try await second.listen()
            try hubs.list("Second", second.key.publicKey, port: listener.port)
            try await Wait.until("the second hub serves") { agent.hubs.first?.view.standing.state == .near }

            // The second hub says that the first one has left: it isn't believed any more.
            let alone = try pair.removing(members[0].id)
            try await network.hub.hubTable.take(SignedHubList(alone, by: second.key).bytes)
            await listener.stop()
            listener = try await second.listen(port: listener.port)
            let list = SignedHubList(alone, by: second.key).bytes
            try await Wait.until("the new list is stored") { folder.hub(joined)?.hubs.map { Array($0) } == list }
            await listener.stop()
            listener = try await first.listen(port: listener.port)
            for _ in 0..<10 {
                agent.hubs.first?.wake()
                try await Task.sleep(for: .milliseconds(20))
            }
            #expect(agent.hubs.first?.view.standing.state == .away)
            #expect(listener.connectionCount == 0)
            agent.stop()
            await listener.stop()
        }
    }

    @Test func somebodyElseAtTheHubsAddressIsNotBelieved() async throws {
        try await Network.run { network in
            network.door.invite()
            let listener = try await network.listen()
            let agent = try network.startAgent()
            let command = RecordingClient(app: "hearth") { AcceptorTransport(to: agent) }
            try await command.welcome()
            let place = "127.0.0.1:\(listener.port)"
            _ = try await command.call(
                AgentMethods.join,
                JoinHub(invitation: TestDoor.code.text, name: "Laptop", place: place)
            )
            await listener.stop()
            var liar = network
            liar.key = IdentityKey()
            let other = try await liar.listen(port: listener.port)
            let watcher = RecordingClient(app: "hearth", retries: true) { AcceptorTransport(to: agent) }
            for _ in 0..<10 {
                agent.hubs.first?.wake()
                let hubs = try? await watcher.call(AgentMethods.hubs, Empty()).hubs
                #expect(hubs?.first?.standing.state != .near)
                try await Task.sleep(for: .milliseconds(20))
            }
            await other.stop()
            agent.stop()
        }
    }

    @Test func whoeverAnnouncesTheHubElsewhereIsPassedOver() async throws {
        try await Network.run { network in
            network.door.invite()
            let listener = try await network.listen()
            let hubs = AnnouncedHubs()
            try hubs.list("Villa", network.key.publicKey, port: listener.port)
            let agent = try network.startAgent(finding: hubs)
            let command = RecordingClient(app: "hearth") { AcceptorTransport(to: agent) }
            try await command.welcome()
            let join = JoinHub(invitation: TestDoor.code.text, name: "Laptop", place: "127.0.0.1:\(listener.port)")
            _ = try await command.call(AgentMethods.join, join)
            let watcher = RecordingClient(app: "hearth", retries: true) { AcceptorTransport(to: agent) }
            func until(_ state: HubStanding.State) async throws {
                // A session ends while the agent's hubs come and go.
                while (try? await watcher.call(AgentMethods.hubs, Empty()))?.hubs.first?.standing.state != state {
                    try await Task.sleep(for: .milliseconds(10))
                }
            }
            try await until(.near)

            // The hub moves. Others take its port and its name, and announce its key at their own ports.
            await listener.stop()
            try await until(.away)
            var liar = network
            (liar.key, liar.door) = (IdentityKey(), TestDoor())
            let liars = try await [liar.listen(port: listener.port), liar.listen()]
            for (index, other) in liars.enumerated() {
                try hubs.list(index == 0 ? "Villa" : "Villa \(index)", network.key.publicKey, port: other.port)
            }
            let moved = try await network.listen()
            try hubs.list("Hut", network.key.publicKey, port: moved.port)
            try await until(.near)
            #expect(moved.connectionCount > 0)
            for other in liars { #expect(other.connectionCount == 0) }
            agent.stop()
            for listener in liars + [moved] { await listener.stop() }
        }
    }

    @Test func invitationsInOtherFormsAreRefusedWithoutATry() async throws {
        try await Network.run { network in
            let agent = try network.startAgent()
            let command = RecordingClient(app: "hearth") { AcceptorTransport(to: agent) }
            try await command.welcome()
            for text in ["", "hello", "HEARTH:JOIN:ABC", "1234"] {
                let join = JoinHub(invitation: text, name: "Laptop", place: "127.0.0.1:1")
                #expect(await command.refusal(AgentMethods.join, join) == .wrongInvitationCode, "\(text)")
            }
            let nameless = JoinHub(invitation: "111-22-333", name: " ", place: "127.0.0.1:1")
            #expect(await command.refusal(AgentMethods.join, nameless) == .malformedMessage)
            let nowhere = JoinHub(invitation: "111-22-333", name: "Laptop", place: "127.0.0.1:1")
            #expect(await command.refusal(AgentMethods.join, nowhere) == .noHub)
            agent.stop()
        }
    }
}
