import Foundation
import HubAPI
import Testing

/// The key by which a hub knows a request again.
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

    @Test(arguments: ["7", "null", #""""#, #""x""#, #"["00112233-4455-6677-8899-AABBCCDDEEFF"]"#, "{}"])
    func aBadKeyIsRefused(key: String) {
        let error = #expect(throws: HubError.self) { try Self.read(#","key":\#(key)"#) }
        #expect(error?.code == .malformedMessage)
        #expect(error?.reason.contains("key") == true)
    }
}
