import AccessoryCheck
import HAP
import HAPCatalog
import Testing

@testable import HAPServer

@Suite struct JSONAttacks {
    /// Bodies that are not JSON, or not the JSON of a write. `IID` is a placeholder for the iid of the lamp's power.
    private static let malformed: [String] = [
        "", " ", "null", "[]", "1", #""x""#, "{", "{}", #"{"characteristics":null}"#, #"{"characteristics":{}}"#,
        #"{"characteristics":[null]}"#, #"{"characteristics":[[]]}"#, #"{"characteristics":[1]}"#,
        String(repeating: "[", count: 100_000), String(repeating: #"{"a":"#, count: 100_000),
        #"{"characteristics":\#(String(repeating: "[", count: 40))\#(String(repeating: "]", count: 40))}"#,
        #"{"characteristics":[{"aid":1,"iid":IID,"value":1e400}]}"#,
        #"{"characteristics":[{"aid":1,"iid":IID,"value":-1e400}]}"#,
        #"{"characteristics":[{"aid":1,"iid":IID,"value":NaN}]}"#,
        #"{"characteristics":[{"aid":1,"iid":IID,"value":Infinity}]}"#,
        #"{"characteristics":[{"aid":1,"iid":IID,"value":True}]}"#,
        #"{"characteristics":[{"aid":1,"iid":IID,"value":01}]}"#,
        #"{"characteristics":[{"aid":1,"iid":IID,"value":+1}]}"#,
        #"{"characteristics":[{"aid":1,"iid":IID,"value":1.}]}"#,
        #"{"characteristics":[{"aid":1,"iid":IID,"value":.1}]}"#,
        #"{"characteristics":[{"aid":1,"iid":IID,"value":0x1}]}"#,
        #"{"characteristics":[{"aid":1,"iid":IID,"value":"\ud800"}]}"#,
        #"{"characteristics":[{"aid":1,"iid":IID,"value":"\udc00\ud800"}]}"#,
        #"{"characteristics":[{"aid":1,"iid":IID,"value":"\ud800\u0041"}]}"#,
        #"{"characteristics":[{"aid":1,"iid":IID,"value":"\x41"}]}"#,
        #"{"characteristics":[{"aid":1,"iid":IID,"value":'1'}]}"#,
        "{\"characteristics\":[{\"aid\":1,\"iid\":IID,\"value\":\"\u{0}\"}]}",
        "{\"characteristics\":[{\"aid\":1,\"iid\":IID,\"value\":\"\n\"}]}",
        #"{"characteristics":[{"aid":1,"iid":IID,"value":false,"value":true}]}"#,
        #"{"characteristics":[{"aid":1,"aid":1,"iid":IID,"value":true}]}"#,
        #"{"characteristics":[],"characteristics":[{"aid":1,"iid":IID,"value":true}]}"#,
        "\u{FEFF}{\"characteristics\":[{\"aid\":1,\"iid\":IID,\"value\":true}]}",
        #"{"characteristics":[{"aid":1,"iid":IID,"value":true}]}x"#,
        #"{"characteristics":[{"aid":1,"iid":IID,"value":true}]}{}"#,
        "{\"characteristics\":[{\"aid\":1,\"iid\":IID,\"value\":true}]}\u{0}",
        #"{"characteristics":[{"aid":1,"iid":IID,"value":true},]}"#,
        #"{"characteristics":[{"aid":1,"iid":IID,"value":true,}]}"#,
        #"{"characteristics":[{"aid":1,"iid":IID,"value":true}]"#,
        #"{"characteristics":[{"aid":1,"iid":IID,"value":true}] /* */ }"#,
        #"{characteristics:[{"aid":1,"iid":IID,"value":true}]}"#,
        #"{"characteristics":[{"iid":IID,"value":true}]}"#, #"{"characteristics":[{"aid":1,"value":true}]}"#,
        #"{"characteristics":[{"aid":"1","iid":IID,"value":true}]}"#,
        #"{"characteristics":[{"aid":1.5,"iid":IID,"value":true}]}"#,
        #"{"characteristics":[{"aid":-1,"iid":IID,"value":true}]}"#,
        #"{"characteristics":[{"aid":18446744073709551617,"iid":IID,"value":true}]}"#,
        #"{"characteristics":[{"aid":true,"iid":IID,"value":true}]}"#,
        #"{"characteristics":[{"aid":1,"iid":IID,"value":true}],"pid":-1}"#,
        #"{"characteristics":[{"aid":1,"iid":IID,"value":true}],"pid":18446744073709551616}"#,
        #"{"characteristics":[{"aid":1,"iid":IID,"value":true}],"pid":"1"}"#,
        #"{"characteristics":[{"aid":1,"iid":IID,"value":true}],"pid":null}"#,
    ]

    @Test func aMalformedWriteIsABadRequestAndWritesNothing() async throws {
        try await TestServer.run { server in
            let iid = "\(try await server.id(.on).iid)"
            let connection = try await server.connect(as: TestServer.user)
            for text in Self.malformed {
                let response = try await connection.put("/characteristics", text.replacing("IID", with: iid))
                #expect(response.status == .badRequest, "\(text.prefix(80))")
            }
            // Bytes that are not UTF-8.
            let head = #"{"characteristics":[{"aid":1,"iid":\#(iid),"value":""#
            for bytes: [UInt8] in [[0xFF], [0xC3], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80]] {
                let request = HTTPRequest(
                    .put,
                    "/characteristics",
                    host: "x",
                    body: Array(head.utf8) + bytes + Array(#""}]}"#.utf8)
                )
                #expect(try await connection.ask(request).status == .badRequest)
            }
            try await server.expectUnharmed()
        }
    }

    @Test(arguments: [
        "null", "[]", "{}", #""1""#, #""true""#, #""""#, "2", "-1", "0.5", "1e-5", "18446744073709551616", "1e308",
        "-1e308",
    ])
    func aValueOfAnotherKindIsRefusedWithoutHarm(_ value: String) async throws {
        try await TestServer.run { server in
            let on = try await server.id(.on)
            let connection = try await server.connect(as: TestServer.user)
            let body = #"{"characteristics":[{"aid":1,"iid":\#(on.iid),"value":\#(value)}]}"#
            let response = try await connection.put("/characteristics", body)
            #expect(response.status == .multiStatus)
            #expect(response.text == #"{"characteristics":[{"aid":1,"iid":\#(on.iid),"status":-70410}]}"#)
            try await server.expectUnharmed()
        }
    }

    @Test(arguments: [
        #""ev":"true""#, #""ev":2"#, #""ev":null"#, #""value":true,"ev":[]"#, #""value":true,"authData":"!""#,
        #""value":true,"authData":1"#, #""remote":true"#, #""r":true"#, #""status":0"#,
    ])
    func anEntryThatAsksForNothingThatCanBeDoneIsRefused(_ members: String) async throws {
        try await TestServer.run { server in
            let on = try await server.id(.on)
            let connection = try await server.connect(as: TestServer.user)
            let body = #"{"characteristics":[{"aid":1,"iid":\#(on.iid),\#(members)}]}"#
            let response = try await connection.put("/characteristics", body)
            #expect(response.text == #"{"characteristics":[{"aid":1,"iid":\#(on.iid),"status":-70410}]}"#)
            #expect(try await connection.get("/characteristics?id=\(on)&ev=1").text.contains(#""ev":false"#))
            try await server.expectUnharmed()
        }
    }

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

    @Test(arguments: [
        "", "null", "[]", #"{"ttl":1}"#, #"{"pid":1}"#, #"{"ttl":-1,"pid":1}"#, #"{"ttl":1.5,"pid":1}"#,
        #"{"ttl":"1","pid":1}"#, #"{"ttl":1,"pid":-1}"#, #"{"ttl":1,"pid":18446744073709551616}"#,
        #"{"ttl":1,"pid":1e3}"#, #"{"ttl":1,"pid":1,"pid":2}"#, #"{"ttl":1,"pid":1}x"#,
    ])
    func aMalformedPreparationIsABadRequest(_ body: String) async throws {
        try await TestServer.run { server in
            let connection = try await server.connect(as: TestServer.user)
            let response = try await connection.put("/prepare", body)
            #expect(response.status == .badRequest)
            let on = try await server.id(.on)
            let write = #"{"characteristics":[{"aid":1,"iid":\#(on.iid),"value":true}],"pid":1}"#
            #expect(try await connection.put("/characteristics", write).status == .multiStatus)
            try await server.expectUnharmed()
        }
    }

    @Test(arguments: [
        "id=1", "id=1.", "id=.1", "id=1.2.3", "id=1.2,", "id=,1.2", "id=1.2,,1.3", "id=-1.2", "id=1.-2", "id=+1.2",
        "id=0x1.2", "id=1.18446744073709551616", "id=18446744073709551616.1", "id=a.b", "id=1.2;1.3", "id=1%2",
        "id=%ff.1",
        "id=1.2&id=1.3", "id=1.2&meta=2", "id=1.2&meta=", "id=1.2&perms=yes", "id=1.2&type=-1", "id=1.2&ev=x",
        "id=1.2&ev=1&ev=1", "id=1.2%00",
    ])
    func aMalformedReadIsABadRequest(_ query: String) async throws {
        try await TestServer.run { server in
            let connection = try await server.connect(as: TestServer.user)
            #expect(try await connection.get("/characteristics?\(query)").status == .badRequest)
            #expect(try await connection.get("/accessories").status == .ok)
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
