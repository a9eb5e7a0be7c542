import AccessoryCheck
import HAP
import HAPCatalog
import Testing

@testable import HAPServer

@Suite struct JSONFormTests {
    @Test func anEmptyListIsDoneAtOnce() async throws {
        try await TestServer.run { server in
            let connection = try await server.connect(as: TestServer.user)
            #expect(try await connection.put("/characteristics", #"{"characteristics":[]}"#).status == .noContent)
        }
    }

    @Test func minusZeroIsZero() async throws {
        try await TestServer.run { server in
            let brightness = try await server.id(.brightness)
            let connection = try await server.connect(as: TestServer.user)
            for value in ["-0", "-0.0", "0e99", "0"] {
                let body = #"{"characteristics":[{"aid":1,"iid":\#(brightness.iid),"value":\#(value)}]}"#
                #expect(try await connection.put("/characteristics", body).status == .noContent)
                let read = try await connection.get("/characteristics?id=\(brightness)")
                #expect(read.text == #"{"characteristics":[{"aid":1,"iid":\#(brightness.iid),"value":0}]}"#)
            }
        }
    }

    @Test func idsAreUnsigned64BitNumbersThroughout() async throws {
        try await TestServer.run { server in
            let connection = try await server.connect(as: TestServer.user)
            let most = "18446744073709551615"
            let read = try await connection.get("/characteristics?id=\(most).\(most)")
            #expect(read.text == #"{"characteristics":[{"aid":\#(most),"iid":\#(most),"status":-70409}]}"#)
            let body = #"{"characteristics":[{"aid":\#(most),"iid":\#(most),"value":1}]}"#
            let written = try await connection.put("/characteristics", body)
            #expect(written.text == #"{"characteristics":[{"aid":\#(most),"iid":\#(most),"status":-70409}]}"#)
        }
    }
}
