import Foundation
import HAP
import Testing

@testable import ModelContext

/// What a server does with an assistant's messages.
struct MCPSessionTests {
    private static let tools = [
        MCPTool(
            "write",
            title: "Write",
            "Writes.",
            [
                .init("name", .string, "The name.", isRequired: true), .init("value", .scalar, "The value."),
                .init("dry", .boolean, "Dry."),
            ],
            isDestructive: true
        ),
        MCPTool("read", title: "Read", "Reads.", [], isReadOnly: true),
    ]
    private static let info = MCPServerInfo(
        name: "test",
        title: "Test",
        version: "1",
        instructions: "Be kind.",
        tools: tools
    )
    private static let greeting =
        #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"Claude\n","version":"1"}}}"#

    private static func session(_ limits: MCPLimits = MCPLimits(), isGreeted: Bool = true) -> MCPSession {
        var session = MCPSession(info, limits: limits)
        if isGreeted { _ = session.receive(Array(greeting.utf8)) }
        return session
    }

    /// Returns the one message that steps send.
    private static func sent(_ steps: [MCPSession.Step]) throws -> JSONObject {
        guard steps.count == 1, case .send(let bytes) = steps[0] else {
            throw MCPError.failed("\(steps)")
        }
        #expect(!bytes.contains(UInt8(ascii: "\n")))
        return try #require(try JSONValue(parsing: bytes).object)
    }

    private static func code(_ steps: [MCPSession.Step]) throws -> Int64? {
        try sent(steps)["error"]?.object?["code"]?.integer
    }

    @Test(arguments: [
        ("2024-11-05", "2024-11-05"), ("2025-11-25", "2025-11-25"), ("2026-07-28", "2025-11-25"), ("1.0", "2025-11-25"),
    ])
    func revisionsAreNegotiated(requested: String, agreed: String) throws {
        var session = Self.session(isGreeted: false)
        let greeting = Self.greeting.replacing("2025-06-18", with: requested)
        let reply = try Self.sent(session.receive(Array(greeting.utf8)))
        #expect(reply["id"] == .integer(0))
        #expect(reply["result"]?.object?["protocolVersion"]?.string == agreed)
        #expect(reply["result"]?.object?["serverInfo"]?.object?["name"]?.string == "test")
        #expect(try Self.code(session.receive(Array(greeting.utf8))) == -32_600)
    }

    @Test func aToolIsCalledAndAnswered() throws {
        var session = Self.session()
        let call =
            #"{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"write","arguments":{"name":"Lamp","value":true}}}"#
        let steps = session.receive(Array(call.utf8))
        guard case .work(let id, .call("write", let arguments), "Claude") = steps.first, steps.count == 1 else {
            Issue.record("\(steps)")
            return
        }
        #expect(arguments.text("name") == "Lamp")
        #expect(arguments.text("value") == "true")
        #expect(!arguments.isTrue("dry"))
        #expect(try Self.code(session.receive(Array(call.utf8))) == -32_600)
        let finished = session.finish(id, with: .failure("It’s\nlocked."))
        let reply = try Self.sent([.send(try #require(finished))])
        #expect(reply["id"]?.string == "a")
        #expect(reply["result"]?.object?["isError"] == .bool(true))
        #expect(reply["result"]?.object?["content"]?.array?.first?.object?["text"]?.string == "It’s\nlocked.")
        #expect(session.finish(id, with: .text("again")) == nil)
    }

    @Test func whatIsCanceledHasNoReply() throws {
        var session = Self.session()
        let call = #"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"read"}}"#
        _ = session.receive(Array(call.utf8))
        let cancel = #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}"#
        #expect(session.receive(Array(cancel.utf8)) == [.cancel(.number(7))])
        #expect(session.finish(.number(7), with: .text("late")) == nil)
        #expect(session.receive(Array(cancel.utf8)) == [])
        #expect(session.activeRequests == 0)
    }

    @Test(arguments: [
        (#"{"name":"write","arguments":{}}"#, "needs the parameter name"),
        (#"{"name":"write","arguments":{"name":1}}"#, "must be a string"),
        (#"{"name":"write","arguments":{"name":"x","other":1}}"#, "no parameter “other”"),
        (#"{"name":"write","arguments":{"name":"x","value":[]}}"#, "string, number or boolean"),
        (#"{"name":"write","arguments":[]}"#, "must be an object"),
    ])
    func argumentsThatDontFitAreExplainedToTheAssistant(parameters: String, reason: String) throws {
        var session = Self.session()
        let call = #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":\#(parameters)}"#
        let result = try Self.sent(session.receive(Array(call.utf8)))["result"]?.object
        #expect(result?["isError"] == .bool(true))
        let text = result?["content"]?.array?.first?.object?["text"]?.string
        #expect(text?.contains(reason) == true, "\(text ?? "")")
        #expect(session.activeRequests == 0)
    }

    @Test(
        arguments: [
            ("x", -32_700), (#"{"jsonrpc":"2.0","id":1,"method":"ping""#, -32_700), ("[]", -32_600), ("1", -32_600),
            (#"{"id":1,"method":"ping"}"#, -32_600), (#"{"jsonrpc":"2.0","id":1}"#, -32_600),
            (#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32_600),
            (#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, -32_600),
            (#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}"#, -32_602),
            (#"{"jsonrpc":"2.0","id":1,"method":"prompts/list"}"#, -32_601),
            (#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"nothing"}}"#, -32_602),
            (#"{"jsonrpc":"2.0","id":1,"method":"resources/read"}"#, -32_602),
            (
                #"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"3000-01-01"}}}"#,
                -32_022
            ),
        ] as [(String, Int64)]
    )
    func badMessagesGetErrorsAndTheConnectionGoesOn(message: String, code: Int64) throws {
        var session = Self.session()
        #expect(try Self.code(session.receive(Array(message.utf8))) == code)
        let ping = try Self.sent(session.receive(Array(#"{"jsonrpc":"2.0","id":2,"method":"ping"}"#.utf8)))
        #expect(ping["result"]?.object?.isEmpty == true)
    }

    @Test func nothingIsCalledBeforeAnIntroduction() throws {
        var session = Self.session(isGreeted: false)
        let call = #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read"}}"#
        #expect(try Self.code(session.receive(Array(call.utf8))) == -32_600)
    }

    @Test func aRequestCanIntroduceItself() throws {
        var session = Self.session(isGreeted: false)
        let meta =
            #""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"Newer"},"io.modelcontextprotocol/clientCapabilities":{}}"#
        let discover = try Self.sent(
            session.receive(Array(#"{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{\#(meta)}}"#.utf8))
        )
        #expect(discover["result"]?.object?["supportedVersions"]?.array?.first == .string("2026-07-28"))
        let steps = session.receive(
            Array(#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"read",\#(meta)}}"#.utf8)
        )
        guard case .work(let id, .call("read", _), "Newer") = steps.first else {
            Issue.record("\(steps)")
            return
        }
        let finished = session.finish(id, with: .text("x"))
        let reply = try Self.sent([.send(try #require(finished))])
        #expect(reply["result"]?.object?["resultType"]?.string == "complete")
    }

    @Test func toolsSayWhatTheyDo() throws {
        var session = Self.session()
        let list = try Self.sent(session.receive(Array(#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#.utf8)))
        let tools = try #require(list["result"]?.object?["tools"]?.array).compactMap(\.object)
        #expect(tools.map { $0["name"]?.string } == ["write", "read"])
        #expect(tools[0]["annotations"]?.object?["destructiveHint"] == .bool(true))
        #expect(tools[1]["annotations"]?.object?["readOnlyHint"] == .bool(true))
        #expect(tools[0]["inputSchema"]?.object?["required"] == .array([.string("name")]))
    }

    @Test func requestsWithoutRepliesAreLimited() throws {
        var limits = MCPLimits()
        limits.requests = 2
        var session = Self.session(limits)
        func call(_ id: Int) -> [MCPSession.Step] {
            session.receive(Array(#"{"jsonrpc":"2.0","id":\#(id),"method":"resources/list"}"#.utf8))
        }
        #expect(call(1).count == 1)
        #expect(call(2).count == 1)
        #expect(try Self.code(call(3)) == -32_603)
        #expect(session.finish(.number(1), with: .resources([])) != nil)
        guard case .work = call(4).first else {
            Issue.record("There is room again.")
            return
        }
    }

    @Test func aLineThatIsTooLongIsSkipped() throws {
        var reader = MCPReader(limit: 10)
        #expect(
            reader.decode(Array("0123456789\n\r\nab\r\n".utf8)) == [
                .line(Array("0123456789".utf8)), .line(Array("ab".utf8)),
            ]
        )
        #expect(reader.decode(Array("01234567890".utf8)) == [.tooLong])
        #expect(reader.decode([UInt8](repeating: 0x61, count: 1_000)) == [])
        #expect(reader.storedBytes == 0)
        #expect(reader.decode(Array("\nab\n".utf8)) == [.line(Array("ab".utf8))])
        var session = Self.session()
        #expect(try Self.code(session.receive(.tooLong)) == -32_600)
    }
}
