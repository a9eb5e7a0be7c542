import AccessoryCheck
import HAP
import HAPCatalog
import Testing

@testable import HAPServer

@Suite struct HTTPLimitTests {
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

    @Test func aRequestWithoutAHostIsServed() async throws {
        try await TestServer.run { server in
            let connection = try await server.connect(as: TestServer.user)
            try await connection.send(Array("GET /accessories HTTP/1.1\r\n\r\n".utf8))
            #expect(try await connection.response().status == .ok)
        }
    }
}
