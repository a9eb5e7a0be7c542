import Foundation
import HubAPI
import HubClient
import LocalRPCSockets
import PeerProcess
import Testing

@Suite struct AgentCommandTests {
    private struct Ready: Decodable, Sendable {
        var event: String
        var socket: String
        var hubs: Int
    }

    private static func start(_ fixture: Fixture, _ more: [String] = []) async throws -> PeerProcess {
        let arguments = [
            "agent", "--data", fixture.folder.appending(path: "agent").path, "--socket", fixture.socket,
            "--mdns-interface", "127.0.0.1", "--json",
        ]
        let process = try PeerProcess(Programs.hearth, arguments + more)
        _ = try await process.json(Ready.self, "the agent's start") { $0.event == "ready" }
        return process
    }

    @Test func anAgentServesTheSocketBeforeItHasJoinedAHome() async throws {
        try await Fixture.with { fixture in
            let agent = try await Self.start(fixture)
            let homes = try await fixture.run("home", "list", "--json")
            #expect(homes.status == 0, "\(homes.error)")
            #expect(homes.error.contains("hearth join CODE"), "\(homes.error)")
            for command in [["home", "add", "Villa"], ["room", "list"]] {
                let refused = try await fixture.run(command)
                #expect(refused.status == 1)
                #expect(refused.error.contains("hearth join CODE"), "\(command): \(refused.error)")
            }
            let leave = try await fixture.run("leave", "Villa")
            #expect(leave.status == 1)
            #expect(leave.error.contains("notFound"), "\(leave.error)")
            let app = try await fixture.run("app", "deny", "com.example.lights")
            #expect(app.status == 0, "\(app.error)")
            agent.kill(SIGKILL)
            _ = await agent.terminate()
            // What a person decided is there again.
            let again = try await Self.start(fixture)
            let apps = try await fixture.run("app", "list")
            #expect(apps.output.contains("com.example.lights"), "\(apps.output)")
            #expect(await again.terminate() == 0)
        }
    }

    @Test func anAppsSocketAtAnAgentServesThatAppAndItsPersonDecides() async throws {
        try await Fixture.with { fixture in
            var agent = try await Self.start(fixture, ["--ask-apps"])
            let socket = fixture.folder.appending(path: "app.sock").path
            let id = "com.example.lights"
            let opened = try await fixture.run("app", "socket", id, socket)
            #expect(opened.status == 0, "\(opened.error)")
            #expect(try await fixture.run("app", "socket", id, socket).error.contains("alreadyAdded"))
            #expect(try await fixture.run("app", "socket", "hearth", socket + "2").error.contains("invalidParameter"))

            func connect() -> HubConnection {
                HubConnection(over: UnixSocketTransport(path: socket), onEvent: { _ in })
            }
            // A client that claims to be another one is the socket's app, about which the person is asked.
            let app = connect()
            async let welcome = app.call(HubMethods.hello, Hello(app: "hearth", purpose: "Tests."))
            let question = try await Wait.value {
                $0.contains(id)
            } of: {
                try await fixture.run("questions").output
            }
            #expect(question.contains(id), "\(question)")
            #expect(try await fixture.run("questions", "answer", input: "Allow").status == 0)
            _ = try await welcome
            for method in [HubMethods.allowApp, HubMethods.denyApp] {
                await #expect(throws: HubError.self) { try await app.call(method, AppTarget(id: id)) }
            }
            await #expect(throws: HubError.self) { try await app.call(AgentMethods.hubs, Empty()) }
            await #expect(throws: HubError.self) {
                try await app.call(HubMethods.closeAppSocket, AppSocketTarget(path: socket))
            }

            // The socket and the decision outlast the agent.
            agent.kill(SIGKILL)
            _ = await agent.exit()
            agent = try await Self.start(fixture, ["--ask-apps"])
            let again = connect()
            _ = try await again.call(HubMethods.hello, Hello(app: "hearth", purpose: "Tests."))
            let list = try await fixture.run("app", "list").output
            #expect(list.contains("\(id)  (allowed, connected)") && list.contains(socket), "\(list)")
            #expect(try await fixture.run("app", "deny", id).status == 0)
            await #expect(throws: HubError.self) {
                try await connect().call(HubMethods.hello, Hello(app: id, purpose: "Tests."))
            }
            #expect(try await fixture.run("app", "socket", "--remove", socket).status == 0)
            #expect(!FileManager.default.fileExists(atPath: socket))
            #expect(try await fixture.run("app", "socket", "--remove", socket).error.contains("notFound"))
            #expect(await agent.terminate() == 0)
        }
    }

    @Test func aSecondAgentOrHubDoesNotStart() async throws {
        try await Fixture.with { fixture in
            let agent = try await Self.start(fixture)
            let data = fixture.folder.appending(path: "other").path
            let sameSocket = try await fixture.run("agent", "--data", data, "--mdns-interface", "127.0.0.1")
            #expect(sameSocket.status == 1)
            #expect(sameSocket.error.contains("alreadyRunning"), "\(sameSocket.error)")
            let sameData = try await fixture.run(
                "agent",
                "--data",
                fixture.folder.appending(path: "agent").path,
                "--socket",
                fixture.folder.appending(path: "other.sock").path
            )
            #expect(sameData.error.contains("alreadyRunning"), "\(sameData.error)")
            let hub = try await fixture.run("hub", "--data", fixture.data, "--mdns-interface", "127.0.0.1")
            #expect(hub.error.contains("alreadyRunning"), "\(hub.error)")
            #expect(await agent.terminate() == 0)
        }
    }

    @Test func joiningStartsTheAgentAndSaysWhyItFailed() async throws {
        try await Fixture.with { fixture in
            let data = fixture.folder.appending(path: "agent").path
            defer {
                let lock = try? String(contentsOfFile: "\(data)/lock", encoding: .utf8)
                if let process = lock.flatMap({ pid_t($0.trimmingCharacters(in: .whitespacesAndNewlines)) }) {
                    kill(process, SIGTERM)
                }
            }
            let nowhere = try await fixture.run(
                "join",
                "111-22-333",
                "--host",
                "127.0.0.1",
                "--port",
                "1",
                "--data",
                data
            )
            #expect(nowhere.status == 3, "\(nowhere.error)")
            #expect(nowhere.error.contains("noHub"), "\(nowhere.error)")
            let damaged = try await fixture.run("join", "-", "--data", data, input: "HEARTH:JOIN:ABC")
            #expect(damaged.status == 1)
            #expect(damaged.error.contains("wrongInvitationCode"), "\(damaged.error)")
            let usage = try await fixture.run("join", "111-22-333", "--host", "127.0.0.1")
            #expect(usage.status == 2)
        }
    }

    @Test func aHubsMachineHasNothingToJoin() async throws {
        try await Fixture.with { fixture in
            let hub = try await fixture.startHub()
            let join = try await fixture.run("join", "111-22-333")
            #expect(join.status == 1)
            #expect(join.error.contains("alreadyRunning"), "\(join.error)")
            _ = await hub.terminate()
        }
    }
}
