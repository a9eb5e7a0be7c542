import Foundation
import HubAPI
import Testing

/// The key by which a hub recognizes a repeated request.
struct RequestKeyTests {
    private static func read(_ envelope: String) throws(HubError) -> HubRequest {
        try WireMessage.request(from: Data(#"{"jsonrpc":"2.0","id":1,"method":"m"\#(envelope)}"#.utf8))
    }

    @Test func aKeyIsReadAsWritten() throws {
        for key in [UUID(), nil] {
            let request = HubRequest(id: 7, method: "room.add", parameters: Data("{}".utf8), key: key)
            #expect(try WireMessage.request(from: WireMessage.line(request).dropLast()) == request)
        }
    }

    @Test func aReplyNamesTheEntriesThatItFollowsAndIsReadAsWritten() throws {
        let lineage = try #require(UUID(uuidString: "9E2D0000-0000-4000-8000-000000000001"))
        let home = try #require(UUID(uuidString: "6F0C0000-0000-4000-8000-000000000002"))
        let follows = [
            LogPlace(home: home, lineage: lineage, revision: 7), LogPlace(home: nil, lineage: lineage, revision: 1),
        ]
        let reply = HubReply(.success(Data("{}".utf8)), follows: follows)
        let line = WireMessage.line(replyTo: 3, reply)
        let places = """
            {"home":"6F0C0000-0000-4000-8000-000000000002","lineage":"9E2D0000-0000-4000-8000-000000000001","revision":7},\
            {"lineage":"9E2D0000-0000-4000-8000-000000000001","revision":1}
            """
        let text = #"{"jsonrpc":"2.0","id":3,"follows":[\#(places)],"result":{}}"# + "\n"
        #expect(String(decoding: line, as: UTF8.self) == text)
        guard case .reply(3, reply)? = try WireMessage.message(from: line.dropLast()) else {
            Issue.record("The reply is another.")
            return
        }
    }

    @Test func aReplyThatFollowsNothingIsAsItEverWas() throws {
        let line = WireMessage.line(replyTo: 3, .success(Data("{}".utf8)))
        #expect(String(decoding: line, as: UTF8.self) == #"{"jsonrpc":"2.0","id":3,"result":{}}"# + "\n")
    }

    @Test(arguments: ["7", "null", "{}", "[{}]", #"[{"lineage":"x","revision":1}]"#])
    func badPlacesAreRefused(places: String) {
        let line = Data(#"{"jsonrpc":"2.0","id":1,"follows":\#(places),"result":{}}"#.utf8)
        let error = #expect(throws: HubError.self) { try WireMessage.message(from: line) }
        #expect(error?.code == .malformedMessage)
    }

    @Test(arguments: ["7", "null", #""""#, #""x""#, #"["00112233-4455-6677-8899-AABBCCDDEEFF"]"#, "{}"])
    func aBadKeyIsRefused(key: String) {
        let error = #expect(throws: HubError.self) { try Self.read(#","key":\#(key)"#) }
        #expect(error?.code == .malformedMessage)
        #expect(error?.reason.contains("key") == true)
    }
}
