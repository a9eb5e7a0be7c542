import Foundation
import PeerProcess
import Testing

/// `hearth mcp`, as an assistant's program starts it. `Scripts/test-mcp` judges it by the protocol's own Python package.
struct MCPTests {
    private struct Reply: Decodable, Sendable {
        struct Failure: Decodable, Sendable {
            var code: Int
        }

        struct Result: Decodable, Sendable {
            struct Content: Decodable, Sendable {
                var text: String
            }

            struct Item: Decodable, Sendable {
                var name: String
                var uri: String?
            }

            var protocolVersion: String?
            var content: [Content]?
            var isError: Bool?
            var tools: [Item]?
            var resources: [Item]?
            var contents: [Content]?
        }

        var id: Int?
        var result: Result?
        var error: Failure?

        var text: String { result?.content?.first?.text ?? "" }
    }

    /// An assistant's program.
    private struct Assistant {
        let process: PeerProcess

        init(_ fixture: Fixture) throws {
            process = try PeerProcess(Programs.hearth, ["mcp", "--socket", fixture.socket])
        }

        func send(_ line: String) async throws -> Reply {
            try process.send(line)
            return try await process.json(Reply.self, "a reply to \(line.prefix(80))") { _ in true }
        }

        func greet() async throws -> Reply {
            try await send(
                #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"Claude","version":"1"}}}"#
            )
        }

        func call(_ tool: String, _ arguments: String, id: Int = 1) async throws -> Reply {
            try await send(Self.call(tool, arguments, id: id))
        }

        static func call(_ tool: String, _ arguments: String, id: Int) -> String {
            #"{"jsonrpc":"2.0","id":\#(id),"method":"tools/call","params":{"name":"\#(tool)","arguments":\#(arguments)}}"#
        }
    }

    private static let bridge = """
        {"format": 1, "name": "Bridge", "serialNumber": "M-0", "deviceID": "ID", "setupCode": "482-11-957",
         "services": [], "accessories": [
          {"name": "Desk Lamp", "serialNumber": "M-1", "services": [
            {"type": "Lightbulb", "characteristics": {"On": false, "Brightness": 40}}]},
          {"name": "Front Door", "serialNumber": "M-2", "services": [
            {"type": "LockMechanism", "characteristics": {"LockTargetState": 1, "LockCurrentState": 1}}]}]}
        """

    private static func withHome(_ body: (Fixture, Assistant) async throws -> Void) async throws {
        try await Fixture.with { fixture in
            let id = Fixture.newDeviceID()
            let description = bridge.replacing("\"ID\"", with: "\"\(id)\"")
            let simulator = try await fixture.startSimulator("bridge", describedBy: description)
            let hub = try await fixture.startHub()
            #expect(try await fixture.run("home", "add", "Villa").status == 0)
            #expect(try await fixture.run("room", "add", "Study").status == 0)
            let added = try await fixture.add(id, "--code", "-", input: Fixture.lampCode)
            #expect(added.status == 0, "\(added.error)")
            #expect(try await fixture.run("accessory", "move", "Desk Lamp", "Study").status == 0)
            let assistant = try Assistant(fixture)
            try await body(fixture, assistant)
            assistant.process.closeInput()
            #expect(await assistant.process.exit() == 0)
            _ = await hub.terminate()
            _ = await simulator.terminate()
        }
    }

    @Test func anAssistantLooksAtTheHomeAndOperatesIt() async throws {
        try await Self.withHome { fixture, assistant in
            #expect(try await assistant.greet().result?.protocolVersion == "2025-06-18")
            let tools = try await assistant.send(#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#).result?.tools
            #expect(tools?.map(\.name).contains("write_value") == true)

            let homes = try await assistant.call("list_homes", "{}").text
            #expect(homes.contains("Room “Study”\n  Desk Lamp, Lightbulb: On off, Brightness 40 %"), "\(homes)")
            #expect(homes.contains("Front Door, LockMechanism: "), "\(homes)")
            let on = #"{"name":"desk lamp","characteristic":"Brightness","value":"70 %"}"#
            #expect(try await assistant.call("write_value", on).text == "Desk Lamp Brightness: 70 %")
            #expect(try await fixture.run("get", "Desk Lamp", "Brightness").output == "70 %\n")
            let more = #"{"name":"Desk Lamp","characteristic":"Brightness","by":-20}"#
            #expect(try await assistant.call("write_value", more).text == "Desk Lamp Brightness: 50 %")
            #expect(try await assistant.call("read_values", #"{"name":"Desk Lamp"}"#).text.contains("Brightness: 50 %"))
            let said = try await assistant.call("say", #"{"sentence":"turn on the desk lamp"}"#)
            #expect(said.text == "Desk Lamp is on.")
            let why = try await assistant.call("why", #"{"name":"Desk Lamp"}"#).text
            #expect(why.contains("because the assistant “Claude”, for "), "\(why)")
            #expect(try await fixture.run("log").output.contains("(the assistant “Claude”, for "))
            #expect(try await assistant.call("diagnose", #"{"name":"Desk Lamp"}"#).text.hasPrefix("“Desk Lamp” works."))

            // What goes wrong is told in words.
            for (tool, arguments, reason) in [
                ("read_values", #"{"name":"Moon"}"#, "There is no accessory or service “Moon”."),
                (
                    "write_value", #"{"name":"Desk Lamp","characteristic":"Brightness","value":"blue"}"#,
                    "is not a value"
                ),
                ("write_value", #"{"name":"Desk Lamp","characteristic":"Brightness","value":900}"#, "900"),
                ("write_value", #"{"name":"Desk Lamp","characteristic":"Brightness"}"#, "either “value” or “by”"),
                ("run_scene", #"{"name":"Party"}"#, "There is no scene “Party”."),
                ("say", #"{"sentence":"turn off the desk lamp\nunlock the front door"}"#, "line ends"),
                ("say", #"{"sentence":"flurble"}"#, "flurble"),
                ("list_homes", #"{"home":"Castle"}"#, "There is no home “Castle”."),
                ("recent_events", #"{"limit":1000}"#, "1 to 100"),
            ] {
                let reply = try await assistant.call(tool, arguments)
                #expect(reply.result?.isError == true, "\(tool) \(arguments): \(reply.text)")
                #expect(reply.text.contains(reason), "\(tool) \(arguments): \(reply.text)")
            }
            let resource = try await assistant.send(#"{"jsonrpc":"2.0","id":2,"method":"resources/list"}"#)
            let uri = try #require(resource.result?.resources?.first?.uri)
            let read = try await assistant.send(
                #"{"jsonrpc":"2.0","id":3,"method":"resources/read","params":{"uri":"\#(uri)"}}"#
            )
            #expect(read.result?.contents?.first?.text.contains("Room “Study”") == true)
            let missing = #"{"jsonrpc":"2.0","id":3,"method":"resources/read","params":{"uri":"hearth://home/x"}}"#
            #expect(try await assistant.send(missing).error?.code == -32_002)
        }
    }

    @Test func aPersonAgreesElsewhereAndMayRefuse() async throws {
        try await Self.withHome { fixture, assistant in
            _ = try await assistant.greet()
            let unlock = #"{"name":"Front Door","characteristic":"LockTargetState","value":"unlocked"}"#
            for (answer, isUnlocked) in [("no", false), ("yes", true)] {
                try assistant.process.send(Assistant.call("write_value", unlock, id: 7))
                let asked = try await Wait.value(
                    where: { $0.contains("asks to unlock Front Door") },
                    of: { try await fixture.run("questions", "list").output }
                )
                #expect(asked.contains("The assistant “Claude” asks to unlock Front Door. Allow it?"), "\(asked)")
                #expect(try await fixture.run("questions", "answer", input: answer).status == 0)
                let reply = try await assistant.process.json(Reply.self, "the reply") { $0.id == 7 }
                #expect(reply.result?.isError == !isUnlocked, "\(reply.text)")
                let state = try await fixture.run("get", "Front Door", "LockTargetState").output
                #expect(state == (isUnlocked ? "unlocked\n" : "locked\n"))
            }
            // A denied assistant can do nothing more.
            #expect(try await fixture.run("app", "deny", "Claude").status == 0)
            let denied = try await Wait.value(
                where: { $0.result?.isError == true },
                of: { try await assistant.call("list_homes", "{}") }
            )
            #expect(denied.text.contains("hearth app allow Claude"), "\(denied.text)")
        }
    }

    @Test func badMessagesGetErrorsAndTheConversationGoesOn() async throws {
        try await Fixture.with { fixture in
            let assistant = try Assistant(fixture)
            for (line, code) in [
                ("x", -32_700), (#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#, -32_600),
                ("[" + String(repeating: "[", count: 1_000), -32_700),
                (String(repeating: "x", count: 300_000), -32_600),
                ("\u{0}\u{1}", -32_700), (#"{"jsonrpc":"2.0","id":1,"method":"no/such"}"#, -32_600),
            ] {
                #expect(try await assistant.send(line).error?.code == code, "\(line.prefix(40))")
            }
            #expect(try await assistant.greet().result != nil)
            #expect(try await assistant.send(#"{"jsonrpc":"2.0","id":1,"method":"no/such"}"#).error?.code == -32_601)
            // There is no hub, which is the tools' matter and not the connection's.
            let homes = try await assistant.call("list_homes", "{}")
            #expect(homes.result?.isError == true)
            #expect(homes.text.hasPrefix("noHub: "), "\(homes.text)")
            assistant.process.closeInput()
            #expect(await assistant.process.exit() == 0)
        }
    }
}
