import AccessoryCheck
import HAP
import HAPCatalog
import Testing

@testable import HAPServer

@Suite struct HTTPAttacks {
    /// Returns two requests in which a careless reader sees two different ones, of which the second writes.
    private static func smuggled(_ headers: String, body: String = "") -> String {
        "POST /pairings HTTP/1.1\r\nHost: x\r\n\(headers)\r\n\r\n\(body)"
    }

    @Test(arguments: [
        (smuggled("Content-Length: 5\r\nContent-Length: 0", body: "hello"), HTTPStatus.badRequest),
        (smuggled("Content-Length: 0\r\ncontent-length: 0"), .badRequest),
        (smuggled("Content-Length: 0, 0"), .badRequest), (smuggled("Content-Length: -1"), .badRequest),
        (smuggled("Content-Length: +5", body: "hello"), .badRequest), (smuggled("Content-Length: 0x0"), .badRequest),
        (smuggled("Content-Length: 1e1"), .badRequest), (smuggled("Content-Length: five"), .badRequest),
        (smuggled("Content-Length:"), .badRequest), (smuggled("Content-Length : 0"), .badRequest),
        (smuggled("Content-Length: 0\r\n Transfer-Encoding: chunked"), .badRequest),
        (smuggled("Content-Length: 18446744073709551616"), .contentTooLarge),
        (smuggled("Content-Length: 9223372036854775807"), .contentTooLarge),
        (smuggled("Content-Length: 1048577"), .contentTooLarge),
        (smuggled("Content-Length: 0\r\nTransfer-Encoding: chunked", body: "0\r\n\r\n"), .badRequest),
        (smuggled("Transfer-Encoding: chunked\r\nContent-Length: 0", body: "0\r\n\r\n"), .badRequest),
        (smuggled("Transfer-Encoding: chunked", body: "0\r\n\r\n"), .lengthRequired),
        (smuggled("Transfer-Encoding: gzip, chunked", body: "0\r\n\r\n"), .lengthRequired),
        (smuggled("Transfer-Encoding: identity"), .lengthRequired),
        (smuggled("Content-Length: 1048576\r\nExpect: 100-continue"), .expectationFailed),
        ("POST /pairings HTTP/1.1\nHost: x\nContent-Length: 0\n\n", .badRequest),
        ("POST /pairings HTTP/1.1\r\nHost: x\nContent-Length: 0\r\n\r\n", .badRequest),
        ("POST /pairings HTTP/1.1\r\nHost: x\rContent-Length: 5\r\n\r\n", .badRequest),
        ("POST /pairings HTTP/1.1\r\nHost: x\u{0}\r\n\r\n", .badRequest),
        ("POST /pairings HTTP/1.1\r\nno colon\r\n\r\n", .badRequest),
        ("POST /pairings HTTP/1.0\r\n\r\n", .versionNotSupported),
        ("POST /pairings HTTP/2\r\n\r\n", .versionNotSupported),
        ("POST /pairings\r\n\r\n", .badRequest), ("POST http://x/pairings HTTP/1.1\r\n\r\n", .badRequest),
        ("POST  /pairings HTTP/1.1\r\n\r\n", .badRequest), ("POST\t/pairings HTTP/1.1\r\n\r\n", .badRequest),
        ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", .badRequest), ("\u{16}\u{3}\u{1}\u{2}\r\n\r\n", .badRequest),
        ("\r\n\r\n\r\n\r\nPOST /pairings HTTP/1.1\r\n\r\n", .badRequest),
        ("GET /\(String(repeating: "a", count: 65_536)) HTTP/1.1\r\n\r\n", .uriTooLong),
        ("GET / HTTP/1.1\r\nA: \(String(repeating: "a", count: 16_384))\r\n\r\n", .headerFieldsTooLarge),
        ("GET / HTTP/1.1\r\n\(String(repeating: "A: b\r\n", count: 2_732))\r\n", .headerFieldsTooLarge),
        ("GET /\(String(repeating: "a", count: 70_000))", .uriTooLong),
        ("GET / HTTP/1.1\r\n\(String(repeating: "a", count: 20_000))", .headerFieldsTooLarge),
    ])
    func whatCanBeReadInTwoWaysIsRefusedAndEndsTheConnection(_ text: String, _ status: HTTPStatus) async throws {
        try await TestServer.run { server in
            let write = try await server.writeOfPower().encoded()
            for isVerified in [false, true] {
                let attacker =
                    isVerified ? try await server.connect(as: TestServer.user) : try await server.connect()
                try await attacker.send(Array(text.utf8) + write)
                #expect(try await attacker.response().status == status)
                #expect(try await attacker.untilClosed().isEmpty)
                #expect(try await server.server.value(of: .on) == .bool(false))
            }
            try await server.expectUnharmed()
        }
    }

    @Test func everyLimitHoldsAtItsLastByteAndOnePast() async throws {
        let limits = HTTPLimits.request
        try await TestServer.run { server in
            // A start line of the maximum length, for a read without results.
            let frame = "GET /characteristics?id= HTTP/1.1".utf8.count
            for excess in [0, 1] {
                let connection = try await server.connect(as: TestServer.user)
                let (count, rest) = (limits.startLineLength + excess - frame).quotientAndRemainder(dividingBy: 4)
                let ids = String(repeating: "9.9,", count: count - 1) + "9.99" + String(repeating: "9", count: rest)
                try await connection.send(Array("GET /characteristics?id=\(ids) HTTP/1.1\r\n\r\n".utf8))
                let status = try await connection.response().status
                #expect(status == (excess == 0 ? .multiStatus : .uriTooLong))
                if excess == 0 { #expect(try await connection.get("/accessories").status == .ok) }
            }
            for excess in [0, 1] {
                let connection = try await server.connect(as: TestServer.user)
                let value = String(repeating: "a", count: limits.headerLength - "A: ".utf8.count + excess)
                try await connection.send(Array("GET /accessories HTTP/1.1\r\nA: \(value)\r\n\r\n".utf8))
                #expect(try await connection.response().status == (excess == 0 ? .ok : .headerFieldsTooLarge))
            }
            for excess in [0, 1] {
                let connection = try await server.connect(as: TestServer.user)
                let body = [UInt8](repeating: UInt8(ascii: " "), count: limits.bodyLength + excess)
                let request = HTTPRequest(.put, "/characteristics", host: "x", body: body).encoded()
                try await connection.send(request)
                #expect(try await connection.response().status == (excess == 0 ? .badRequest : .contentTooLarge))
            }
            try await server.expectUnharmed()
        }
    }

    @Test func whoHasNotVerifiedMaySendNoMoreThanPairingTakes() async throws {
        let limits = HTTPLimits.pairing
        try await TestServer.run { server in
            for excess in [0, 1] {
                let connection = try await server.connect()
                let count = limits.startLineLength - "GET / HTTP/1.1".utf8.count + excess
                try await connection.send(Array("GET /\(String(repeating: "a", count: count)) HTTP/1.1\r\n\r\n".utf8))
                let status = try await connection.response().status
                #expect(status == (excess == 0 ? .connectionAuthorizationRequired : .uriTooLong))
            }
            for excess in [0, 1] {
                let connection = try await server.connect()
                let body = [UInt8](repeating: 0xFF, count: limits.bodyLength + excess)
                let response = try await connection.post("/pair-verify", body)
                #expect(response.status == (excess == 0 ? .badRequest : .contentTooLarge))
            }
        }
    }

    @Test func aReadOfVeryManyIdsIsAnswered() async throws {
        try await TestServer.run { server in
            let connection = try await server.connect(as: TestServer.user)
            let ids = (1...9_000).map { "1.\($0)" }.joined(separator: ",")
            let response = try await connection.get("/characteristics?id=\(ids)&meta=1&perms=1&type=1&ev=1")
            #expect(response.status == .multiStatus)
            #expect(try CharacteristicReadResponse(decoding: response.body).entries.map(\.id.iid) == Array(1...9_000))
        }
    }

    @Test func requestsMayComeAllAtOnceAndAreAnsweredInTheirOrder() async throws {
        try await TestServer.run { server in
            let connection = try await server.connect(as: TestServer.user)
            let id = try await server.id(.brightness)
            var bytes: [UInt8] = []
            for value in 0...100 {
                let body = #"{"characteristics":[{"aid":1,"iid":\#(id.iid),"value":\#(value)}]}"#
                bytes += HTTPRequest(.put, "/characteristics", host: "x", body: Array(body.utf8)).encoded()
                bytes += HTTPRequest(.get, "/characteristics?id=\(id)", host: "x").encoded()
            }
            try await connection.send(bytes)
            for value in 0...100 {
                #expect(try await connection.response().status == .noContent)
                #expect(try await connection.response().text.hasSuffix(#""value":\#(value)}]}"#))
            }
        }
    }

    @Test func anEscapedOrStrangeHostIsNoReasonToRefuse() async throws {
        try await TestServer.run { server in
            let connection = try await server.connect(as: TestServer.user)
            for host in [#"My\032Lamp._hap._tcp.local"#, "", "lampe.local:80", "[::1]:80"] {
                let request = HTTPRequest(.get, "/accessories", host: host)
                #expect(try await connection.ask(request).status == .ok)
            }
            try await connection.send(Array("GET /accessories HTTP/1.1\r\n\r\n".utf8))
            #expect(try await connection.response().status == .ok)
            try await connection.send(
                Array("GET /accessories HTTP/1.1\r\nhOsT:x\r\nCONTENT-length:  2 \t\r\n\r\n{}".utf8)
            )
            #expect(try await connection.response().status == .ok)
        }
    }
}
