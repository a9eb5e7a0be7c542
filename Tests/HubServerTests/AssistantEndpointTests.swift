import Foundation
import HomeKitTesting
import HomeModel
import HubAPI
import HubClient
import ModelContext
import RawHTTP
import Synchronization
import Testing

@testable import HubServer

/// `/mcp`: the sessions of AI assistants over HTTP, and which requests are refused.
struct AssistantEndpointTests {
    /// What the workers of a test did.
    private final class Probe: Sendable {
        // This is a class because the workers share it.

        enum Event: Hashable, Sendable { case began, ended }

        private let state = Mutex(0)
        let events: AsyncStream<Event>
        private let continuation: AsyncStream<Event>.Continuation

        init() {
            (events, continuation) = AsyncStream.makeStream(of: Event.self)
        }

        /// The number of calls of tools.
        var calls: Int { state.withLock { $0 } }

        func record(_ event: Event) {
            if event == .began { state.withLock { $0 += 1 } }
            continuation.yield(event)
        }
    }

    /// Does what each test's tools need, as an assistant's client of the hub.
    private struct Worker: MCPWorker {
        let probe: Probe
        let transport: @Sendable () -> any HubTransport
        let end = AsyncStream.makeStream(of: Never.self)

        func outcome(of work: MCPWork, for assistant: String) async -> MCPOutcome {
            guard case .call(let tool, _) = work else { return .resources([]) }
            probe.record(.began)
            defer { probe.record(.ended) }
            if tool == "wait" {
                for await _ in end.stream {}
                return .text("")
            }
            do throws(HubError) {
                let hub = try await HubMirror(over: transport(), app: assistant, purpose: "Tests.", isAssistant: true)
                defer { hub.close() }
                let homes = hub.state.account.homes
                guard let home = homes.first else { return .failure("no home") }
                switch tool {
                case "homes": return .text(homes.map(\.name).joined(separator: ","))
                case "changes":
                    let entries = try await hub.call(HubMethods.journal, JournalQuery(home: home.id, limit: 50)).entries
                    return .text("\(entries.count { if case .change = $0.content { true } else { false } })")
                default:
                    _ = try await hub.call(HubMethods.addRoom, InHome(home.id, AddRoom(name: "Study")))
                    return .text("added")
                }
            } catch {
                return .failure(error.code.rawValue)
            }
        }

        func close() async { end.continuation.finish() }
    }

    private static let tools = ["homes", "changes", "add", "wait"].map { MCPTool($0, title: $0, $0, []) }
    private static let path = AssistantEndpoint.path
    private static let greeting =
        #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"Claude","version":"1"}}}"#

    private static func call(_ tool: String, id: Int = 1) -> String {
        #"{"jsonrpc":"2.0","id":\#(id),"method":"tools/call","params":{"name":"\#(tool)","arguments":{}}}"#
    }

    /// A call of a revision without `initialize`, with its header fields.
    private static func aloneCall(_ tool: String) -> (body: String, headers: [String: String]) {
        let meta =
            #"{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"Claude"}}"#
        return (
            #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"\#(tool)","arguments":{},"_meta":\#(meta)}}"#,
            ["MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": tool]
        )
    }

    private static func with(
        _ limits: HTTPLimits = HTTPLimits(),
        _ body: (ServedHub, Probe, UUID) async throws -> Void
    ) async throws {
        let probe = Probe()
        let info = MCPServerInfo(name: "test", title: "Test", version: "1", instructions: "", tools: tools)
        let service = AssistantService(info: info) { Worker(probe: probe, transport: $0) }
        try await ServedHub.with(limits, assistants: service) { served in
            let owner = try await served.owner()
            let home = try await owner.call(HubMethods.addHome, AddHome(name: "Villa")).id
            owner.close()
            try await body(served, probe, home)
        }
    }

    /// Begins a session and returns the header field that names it.
    private static func begin(_ client: PageClient) async throws -> [String: String] {
        let reply = try await client.post(path, greeting)
        try #require(reply.status == 200)
        return ["Mcp-Session-Id": try #require(reply.headers["mcp-session-id"])]
    }

    private static func text(_ response: HTTPConnection.Response) -> String? {
        let result = response.json["result"] as? [String: Any]
        return ((result?["content"] as? [[String: Any]])?.first)?["text"] as? String
    }

    private static func send(_ method: String, _ client: PageClient, _ headers: [String: String]) async throws -> Int {
        let connection = try HTTPConnection(port: client.port)
        try await connection.send(client.head(method, path, nil, headers))
        return try await connection.response().status
    }

    /// Waits until a condition holds.
    private static func until(_ condition: () async throws -> Bool) async throws {
        for _ in 0..<6000 {
            if try await condition() { return }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw HTTPConnection.Failure(what: "the condition")
    }

    @Test func aSessionLastsFromInitializeToDelete() async throws {
        try await Self.with { served, _, _ in
            let client = try await served.device()
            let session = try await Self.begin(client)
            let note = #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#
            let noted = try await client.post(Self.path, note, session)
            #expect(noted.status == 202 && noted.body.isEmpty)
            let version = session.merging(["MCP-Protocol-Version": "2025-11-25"]) { $1 }
            let called = try await client.post(Self.path, Self.call("homes"), version)
            #expect(called.status == 200 && Self.text(called) == "Villa")
            #expect(called.headers["content-type"] == "application/json")
            #expect(try await client.get(Self.path, session).status == 405)
            #expect(try await Self.send("DELETE", client, session) == 204)
            #expect(try await Self.send("DELETE", client, session) == 404)
            #expect(try await client.post(Self.path, Self.call("homes"), session).status == 404)
            #expect(served.listener.assistantSessions == 0)
        }
    }

    @Test func requestsOfOthersAreRefusedAndNothingIsDone() async throws {
        try await Self.with { served, probe, _ in
            let client = try await served.device()
            let session = try await Self.begin(client)
            var other = try await served.device("Other")
            func status(_ headers: [String: String], _ body: String = Self.call("add"), _ from: PageClient? = nil)
                async throws -> Int
            {
                try await (from ?? client).post(Self.path, body, session.merging(headers) { $1 }).status
            }
            let nobody = try await PageClient(port: served.port).post(Self.path, Self.call("add"), session)
            #expect(nobody.status == 401 && nobody.headers["www-authenticate"] == "Bearer")
            #expect(try await status(["Authorization": "Bearer wrong"]) == 401)
            #expect(try await status(["Origin": "http://evil.test"]) == 403)
            #expect(try await status(["Host": "evil.test:\(served.port)"]) == 421)
            #expect(try await status(["Content-Type": "text/plain"]) == 415)
            let long = String(repeating: " ", count: MCPLimits().messageBytes)
            #expect(try await status([:], Self.call("add") + long) == 413)
            #expect(try await status(["Mcp-Session-Id": UUID().uuidString]) == 404)
            #expect(try await status(["Mcp-Session-Id": "x"]) == 404)
            // A session belongs to its device.
            #expect(try await status([:], Self.call("add"), other) == 404)
            #expect(try await Self.send("DELETE", other, session) == 404)
            #expect(try await status(["MCP-Protocol-Version": "1999-01-01"]) == 400)
            #expect(try await client.post(Self.path, Self.call("add")).status == 400)
            #expect(try await client.post(Self.path, "{").status == 400)
            #expect(try await client.post(Self.path, #"{"jsonrpc":"2.0","id":1,"method":"initialize"}"#).status == 400)
            let (alone, headers) = Self.aloneCall("add")
            for (name, value) in [
                ("MCP-Protocol-Version", "2025-11-25"), ("Mcp-Method", "ping"), ("Mcp-Name", "homes"),
            ] {
                let reply = try await client.post(Self.path, alone, headers.merging([name: value]) { $1 })
                #expect(reply.status == 400 && (reply.json["error"] as? [String: Any])?["code"] as? Int == -32_020)
            }
            // Whoever is signed out has no sessions.
            let ended = try await Self.begin(other)
            #expect(try await other.post("/logout").status == 200)
            #expect(try await other.post(Self.path, Self.call("add"), ended).status == 401)
            other.token = nil
            #expect(probe.calls == 0)
            #expect(Self.text(try await client.post(Self.path, Self.call("homes"), session)) == "Villa")
        }
    }

    @Test func anAssistantHasFewerRightsThanItsUser() async throws {
        try await Self.with { served, _, home in
            let client = try await served.device()
            let session = try await Self.begin(client)
            let added = try await client.post(Self.path, Self.call("add"), session)
            #expect(Self.text(added) == "insufficientPrivileges")
            #expect(try #require(Self.text(try await client.post(Self.path, Self.call("changes"), session))) != "0")

            let owner = try await served.owner()
            let guest = AddHomeUser(home: home, name: "Ann", role: .guest)
            let user = try await owner.call(HubMethods.addUser, guest).id
            let login = CreateLogin(user: ItemTarget(home: home, id: user))
            let code = try await owner.call(HubMethods.createLogin, login).code
            owner.close()
            let (body, headers) = Self.aloneCall("changes")
            let ann = try await served.device("Ann", code: code)
            #expect(Self.text(try await ann.post(Self.path, body, headers)) == "0")
        }
    }

    @Test func aDeviceHasOnlySoManySessions() async throws {
        var limits = HTTPLimits()
        limits.assistantSessionsPerDevice = 2
        limits.assistantRequestsPerDevice = 1
        try await Self.with(limits) { served, probe, _ in
            let client = try await served.device()
            var events = probe.events.makeAsyncIterator()
            let first = try await Self.begin(client)
            let second = try await Self.begin(client)
            #expect(try await client.post(Self.path, Self.call("homes"), first).status == 200)
            _ = (await events.next(), await events.next())
            // The one used least recently makes room.
            let third = try await Self.begin(client)
            #expect(try await client.post(Self.path, Self.call("homes"), second).status == 404)
            for session in [first, third] {
                Task { try await client.post(Self.path, Self.call("wait"), session) }
                #expect(await events.next() == .began)
            }
            let fourth = try await client.post(Self.path, Self.greeting)
            #expect(fourth.status == 429 && fourth.code == "tooManyRequests")
            #expect(try await Self.send("DELETE", client, first) == 204)
            #expect(await events.next() == .ended)

            let (body, headers) = Self.aloneCall("wait")
            let connection = try HTTPConnection(port: served.port)
            try await connection.send(client.head("POST", Self.path, body.utf8.count, headers) + body)
            #expect(await events.next() == .began)
            #expect(try await client.post(Self.path, body, headers).status == 429)
            // The end of the connection cancels a request without a session.
            connection.end()
            #expect(await events.next() == .ended)
            let (next, fields) = Self.aloneCall("homes")
            try await Self.until { try await client.post(Self.path, next, fields).status == 200 }
        }
    }

    @Test func aRequestOfASessionIsCanceledByItsID() async throws {
        try await Self.with { served, probe, _ in
            let client = try await served.device()
            let session = try await Self.begin(client)
            var events = probe.events.makeAsyncIterator()
            async let waiting = client.post(Self.path, Self.call("wait", id: 7), session)
            #expect(await events.next() == .began)
            let cancel = #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}"#
            #expect(try await client.post(Self.path, cancel, session).status == 202)
            #expect(try await waiting.status == 202)
        }
    }

    @Test func aSessionEndsOnceNobodyUsesIt() async throws {
        var limits = HTTPLimits()
        limits.assistantLifetime = limits.heartbeat * 2
        try await Self.with(limits) { served, _, _ in
            let client = try await served.device()
            let session = try await Self.begin(client)
            try await served.streamClock.advance(by: limits.heartbeat)
            try await served.streamClock.advance(by: limits.heartbeat)
            #expect(try await client.post(Self.path, Self.call("homes"), session).status == 200)
            for _ in 0..<3 { try await served.streamClock.advance(by: limits.heartbeat) }
            try await Self.until { served.listener.assistantSessions == 0 }
            // The session of a device that was signed out ends with the next heartbeat.
            let next = try await served.device()
            _ = try await Self.begin(next)
            #expect(try await next.post("/logout").status == 200)
            try await served.streamClock.advance(by: limits.heartbeat)
            try await Self.until { served.listener.assistantSessions == 0 }
        }
    }
}
