import AccessoryCheck
import HAP
import HAPCatalog
import Testing

@testable import HAPServer

@Suite struct EndpointAttacks {
    private static let methods = ["GET", "PUT", "POST", "DELETE", "PATCH", "OPTIONS", "TRACE", "get", "X-1"]

    @Test(
        arguments: HAPEndpoint.allCases.map(\.path) + [
            "/", "/nothing", "/accessories/", "/ACCESSORIES", "/../pairings",
        ]
    )
    func nothingIsOpenBeforeVerifyButPairing(_ path: String) async throws {
        try await TestServer.run { server in
            let attacker = try await server.connect()
            let body = try await server.writeOfPower().body
            let isOpen = HAPEndpoint(rawValue: path)?.isOpenBeforeVerify ?? false
            for method in Self.methods {
                let request = HTTPRequest(HTTPMethod(rawValue: method), path, host: "x", body: body)
                let response = try await attacker.ask(request)
                if !isOpen {
                    #expect(response.status == .connectionAuthorizationRequired, "\(method)")
                    #expect(response.text == #"{"status":-70411}"#, "\(method)")
                } else {
                    // The paired accessory doesn't identify itself, and there is no TLV8 here.
                    #expect(response.status == (method == "POST" ? .badRequest : .methodNotAllowed), "\(method)")
                }
            }
            try await server.expectUnharmed()
        }
    }

    @Test func aVerifiedControllerIsToldWhatThereIs() async throws {
        try await TestServer.run { server in
            let connection = try await server.connect(as: TestServer.user)
            let expected: [String: String] = [
                "/identify": "POST", "/pair-setup": "POST", "/pair-verify": "POST", "/pairings": "POST",
                "/accessories": "GET", "/prepare": "PUT", "/secure-message": "POST",
            ]
            for (path, right) in expected {
                for method in Self.methods where method != right {
                    let request = HTTPRequest(HTTPMethod(rawValue: method), path, host: "x")
                    #expect(try await connection.ask(request).status == .methodNotAllowed, "\(method) \(path)")
                }
            }
            for method in Self.methods where method != "GET" && method != "PUT" {
                let request = HTTPRequest(HTTPMethod(rawValue: method), "/characteristics", host: "x")
                #expect(try await connection.ask(request).status == .methodNotAllowed, "\(method)")
            }
            for path in ["/", "/nothing", "/accessories/", "/Accessories", "//accessories", "/resource"] {
                #expect(try await connection.get(path).status == .notFound, "\(path)")
            }
            try await server.expectUnharmed()
        }
    }

    @Test func aMessageInHAPsOwnFormIsAnsweredAsNotSupported() async throws {
        try await TestServer.run { server in
            let connection = try await server.connect(as: TestServer.user)
            func ask(_ body: [UInt8], _ type: String? = HAPContentType.octets) async throws -> HTTPResponse {
                try await connection.ask(
                    HTTPRequest(.post, "/secure-message", host: "x", contentType: type, body: body)
                )
            }
            let answer = try await ask([0, 0x12, 7, 0, 0])
            #expect(answer.status == .ok)
            #expect(answer.headers[HTTPHeaderName.contentType] == HAPContentType.octets)
            #expect(answer.body == [2, 7, 1])
            #expect(try await ask([0, 3, 8, 0, 0, 2, 0, 1, 0]).body == [2, 8, 1])
            #expect(try await ask([0, 3, 9, 1, 0]).body == [2, 9, 4])
            let malformed: [[UInt8]] = [
                [], [0, 1, 2, 0], [2, 1, 2, 0, 0], [0, 1, 2, 0, 0, 1], [0, 1, 2, 0, 0, 2, 0, 1],
            ]
            for body in malformed { #expect(try await ask(body).status == .badRequest) }
            #expect(try await ask([0, 1, 2, 0, 0], HAPContentType.json).status == .badRequest)
            let stranger = try await server.connect()
            #expect(try await stranger.post("/secure-message").status == .connectionAuthorizationRequired)
        }
    }
}

@Suite struct TransientSetupTests {
    @Test func itSecuresTheConnectionAndPairsNobody() async throws {
        let storage = MemoryStorage()
        try await TestServer.run(storage: storage) { server in
            let connection = try await server.connect()
            try await connection.setUpTransiently()
            for path in [
                "/accessories", "/characteristics?id=1.2", "/pairings", "/prepare", "/resource", "/pair-setup",
            ] {
                for method in [HTTPMethod.get, .put, .post] {
                    let status = try await connection.ask(HTTPRequest(method, path, host: "x")).status
                    #expect(status == .badRequest, "\(method) \(path)")
                }
            }
            #expect(try await connection.get("/nothing").status == .notFound)
            #expect(try await connection.get("/identify").status == .methodNotAllowed)
            let message = HTTPRequest(
                .post,
                "/secure-message",
                host: "x",
                contentType: HAPContentType.octets,
                body: [0, 1, 2, 0, 0]
            )
            #expect(try await connection.ask(message).body == [2, 2, 1])
            let id = try await server.id(.on)
            let write = #"{"characteristics":[{"aid":1,"iid":\#(id.iid),"value":true,"ev":true}]}"#
            #expect(try await connection.put("/characteristics", write).status == .badRequest)
            #expect(try await server.server.value(of: .on) == .bool(false))
            // A new setup ends the session.
            try await server.expectUnpaired(storage)
            #expect(try await connection.untilClosed().isEmpty)
        }
    }

    @Test func aSplitSetUpFollowsATransientOneOnly() async throws {
        let storage = MemoryStorage()
        try await TestServer.run(storage: storage) { server in
            let split = RawMessage.tlv((6, [1]), (0, [0]), (0x13, [0, 0, 0, 1]))
            let stranger = try await server.connect()
            #expect(try await stranger.post("/pair-setup", split).body == refusal(2, 2))
            let first = try await server.connect()
            let both = RawMessage.tlv((6, [1]), (0, [0]), (0x13, [0x10, 0, 0, 1]))
            let m2 = try await first.setUpTransiently(m1: both)
            #expect(m2[0x13] == [0x10, 0, 0, 1])
            let second = RawMessage.values(try await stranger.post("/pair-setup", split).body)
            #expect(second[0x13] == [0, 0, 0, 1])
            #expect(second[2] == m2[2])
            #expect(try await first.untilClosed().isEmpty)
            try await stranger.close()
            try await server.expectUnpaired(storage)
        }
    }

    @Test func whatComesBehindTheLastMessageInTheClearEndsTheConnection() async throws {
        try await TestServer.run(storage: MemoryStorage()) { server in
            let connection = try await server.connect()
            let identify = HTTPRequest(.post, "/identify", host: "x").encoded()
            _ = try? await connection.setUpTransiently(behind: identify)
            try await connection.untilEnd()
            #expect(server.events.isEmpty)
        }
    }
}

extension ControllerConnection {
    /// Runs a transient pair-setup, and frames all further messages.
    ///
    /// - Parameter behind: Bytes that follow M3 in the same segment.
    /// - Returns: The values of M2.
    @discardableResult
    fileprivate func setUpTransiently(
        m1: [UInt8] = RawMessage.tlv((6, [1]), (0, [0]), (0x13, [0x10])),
        behind: [UInt8] = []
    ) async throws -> [UInt8: [UInt8]] {
        var random = SystemRandomNumberGenerator()
        let m2 = RawMessage.values(try await post("/pair-setup", m1).body)
        let client = try SRPClient(
            setupCode: SetupCode(TestServer.code),
            salt: m2[2] ?? [],
            serverKey: m2[3] ?? [],
            using: &random
        )
        let m3 = RawMessage.tlv((6, [3]), (3, client.publicKey), (4, client.proof))
        try await send(HTTPRequest(.post, "/pair-setup", host: "x", body: m3).encoded() + behind)
        let m4 = RawMessage.values(try await response().body)
        let key = try client.sessionKey(verifying: m4[4] ?? [])
        let keys = ["AccessoryEncrypt-Control", "ControllerEncrypt-Control"].map {
            RawMessage.derive(key, "SplitSetupSalt", $0)
        }
        try secure(accessoryToController: keys[0], controllerToAccessory: keys[1])
        return m2
    }
}
