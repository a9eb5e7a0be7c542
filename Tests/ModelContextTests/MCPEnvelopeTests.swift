import Foundation
import Testing

@testable import ModelContext

/// What a transport reads of a message.
struct MCPEnvelopeTests {
    private static func envelope(_ method: String, _ parameters: String) -> MCPEnvelope {
        let meta = #""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}"#
        return MCPEnvelope(
            Array(#"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":{\#(parameters)\#(meta)}}"#.utf8)
        )
    }

    private static func headers(_ method: String, _ name: String?) -> MCPEnvelope.Headers {
        MCPEnvelope.Headers(version: "2026-07-28", method: method, name: name)
    }

    @Test func headerFieldsRepeatTheMessage() {
        let call = Self.envelope("tools/call", #""name":"küche","#)
        #expect(call.isRequest && call.version == "2026-07-28" && call.method == "tools/call")
        #expect(call.mismatch(with: Self.headers("tools/call", "=?base64?a8O8Y2hl?=")) == nil)
        for wrong in [nil, "kueche", "=?base64?a8O8Y2h?=", "=?base64?", "=?base64?=", "=?base64?/w==?="] {
            #expect(call.mismatch(with: Self.headers("tools/call", wrong))?.code == -32_020, "\(wrong ?? "")")
        }
        #expect(call.mismatch(with: Self.headers("tools/list", "=?base64?a8O8Y2hl?="))?.code == -32_020)
        var other = Self.headers("tools/call", "=?base64?a8O8Y2hl?=")
        other.version = nil
        #expect(call.mismatch(with: other)?.code == -32_020)
        let read = Self.envelope("resources/read", #""uri":"hearth://home/1","#)
        #expect(read.mismatch(with: Self.headers("resources/read", "hearth://home/1")) == nil)
        #expect(Self.envelope("ping", "").mismatch(with: Self.headers("ping", nil)) == nil)
    }

    @Test(arguments: ["", "{", "[]", "7", #"{"method":7}"#, #"{"method":"ping","params":[]}"#])
    func whatIsNoMessageHasNoRevision(text: String) {
        #expect(MCPEnvelope(Array(text.utf8)).version == nil)
    }
}
