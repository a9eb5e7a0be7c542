import AccessoryCheck
import HAP
import HAPCatalog
import HAPServer
import Testing

@Suite struct EndpointTests {
    @Test(arguments: HAPEndpoint.allCases.filter { !$0.isOpenBeforeVerify }, [HTTPMethod.get, .put, .post])
    func everythingButPairingNeedsAVerifiedSession(_ endpoint: HAPEndpoint, _ method: HTTPMethod) async throws {
        try await TestServer.run { server in
            let id = try await server.id(.on)
            let connection = try await server.connect()
            let body = #"{"characteristics":[{"aid":\#(id.aid),"iid":\#(id.iid),"value":true}]}"#
            let request = HTTPRequest(
                method,
                "\(endpoint.path)?id=\(id)",
                host: "127.0.0.1",
                contentType: HAPContentType.json,
                body: Array(body.utf8)
            )
            let response = try await connection.ask(request)
            #expect(response.status == .connectionAuthorizationRequired)
            #expect(response.text == #"{"status":-70411}"#)
            #expect(try await server.server.value(of: .on) == .bool(false))
            #expect(await server.events.isEmpty)
        }
    }

    @Test func anUnknownPathIsNotToldApartBeforeVerify() async throws {
        try await TestServer.run { server in
            let connection = try await server.connect()
            #expect(try await connection.get("/nothing").status == .connectionAuthorizationRequired)
        }
    }

    @Test func aVerifiedControllerIsToldOfUnknownPathsAndWrongMethods() async throws {
        try await TestServer.run { server in
            let connection = try await server.connect(as: TestServer.admin)
            #expect(try await connection.get("/nothing").status == .notFound)
            #expect(try await connection.post("/resource").status == .notFound)
            #expect(try await connection.post("/accessories").status == .methodNotAllowed)
            #expect(try await connection.get("/pairings").status == .methodNotAllowed)
            #expect(try await connection.get("/prepare").status == .methodNotAllowed)
            #expect(try await connection.get("/accessories").status == .ok)
        }
    }

    @Test(arguments: ["/pair-setup", "/pair-verify"])
    func pairingAgainOnASecuredConnectionIsABadRequest(_ path: String) async throws {
        try await TestServer.run { server in
            let connection = try await server.connect(as: TestServer.admin)
            #expect(try await connection.post(path, [6, 1, 1, 0, 1, 0]).status == .badRequest)
            #expect(try await connection.get("/accessories").status == .ok)
        }
    }

    @Test func openEndpointsTakePostsOnly() async throws {
        try await TestServer.run { server in
            let connection = try await server.connect()
            for path in ["/identify", "/pair-setup", "/pair-verify"] {
                #expect(try await connection.get(path).status == .methodNotAllowed)
            }
        }
    }

    @Test func anUnpairedAccessoryIdentifiesItselfToAnyone() async throws {
        try await TestServer.run(storage: MemoryStorage()) { server in
            let connection = try await server.connect()
            #expect(try await connection.post("/identify").status == .noContent)
            #expect(await server.events == [.identify(accessory: "Lamp")])
        }
    }

    @Test func aPairedAccessoryIdentifiesItselfToItsControllersOnly() async throws {
        try await TestServer.run { server in
            let stranger = try await server.connect()
            let refusal = try await stranger.post("/identify")
            #expect(refusal.status == .badRequest)
            #expect(refusal.text == #"{"status":-70401}"#)
            #expect(await server.events.isEmpty)
            let controller = try await server.connect(as: TestServer.user)
            let id = try await server.id("AccessoryInformation", HAPType.Characteristic.identify)
            let body = #"{"characteristics":[{"aid":\#(id.aid),"iid":\#(id.iid),"value":true}]}"#
            #expect(try await controller.put("/characteristics", body).status == .noContent)
            #expect(await server.events == [.identify(accessory: "Lamp")])
        }
    }

    @Test func aMessageInHAPsOwnFormIsAnsweredAsNotSupported() async throws {
        try await TestServer.run { server in
            let connection = try await server.connect(as: TestServer.user)
            func ask(_ body: [UInt8]) async throws -> HTTPResponse {
                let type = HAPContentType.octets
                return try await connection.ask(
                    HTTPRequest(.post, "/secure-message", host: "x", contentType: type, body: body)
                )
            }
            let answer = try await ask([0, 0x12, 7, 0, 0])
            #expect(answer.status == .ok)
            #expect(answer.headers[HTTPHeaderName.contentType] == HAPContentType.octets)
            #expect(answer.body == [2, 7, 1])
            #expect(try await ask([0, 3, 8, 0, 0, 2, 0, 1, 0]).body == [2, 8, 1])
            #expect(try await ask([0, 3, 9, 1, 0]).body == [2, 9, 4])
        }
    }

    @Test func theDatabaseListsTheRequiredServicesFirst() async throws {
        try await TestServer.run { server in
            let connection = try await server.connect(as: TestServer.user)
            let database = try AttributeDatabase(decoding: try await connection.get("/accessories").body)
            let accessory = try #require(database.accessories.first)
            #expect(database.accessories.count == 1)
            #expect(accessory.aid == 1)
            let information = try #require(accessory.services.first)
            #expect(information.iid == 1)
            #expect(information.type == HAPType.Service.accessoryInformation)
            let types = HAPType.Characteristic.self
            let required = [
                types.identify, types.manufacturer, types.model, types.name, types.serialNumber,
                types.firmwareRevision,
            ]
            #expect(Set(information.characteristics.map(\.type)).isSuperset(of: required))
            let version = accessory.services.first { $0.type == HAPType.Service.protocolInformation }
            #expect(version?.characteristics.first?.value == .string("1.1.0"))
            let ids = accessory.services.flatMap { [$0.iid] + $0.characteristics.map(\.iid) }
            #expect(Set(ids).count == ids.count)
        }
    }

    @Test func aMalformedRequestIsAnsweredAndEndsTheConnection() async throws {
        try await TestServer.run { server in
            let connection = try await server.connect()
            try await connection.send(Array("GET /accessories HTTP/1.1\nHost: x\n\n".utf8))
            #expect(try await connection.response().status == .badRequest)
            #expect(try await connection.untilClosed().isEmpty)
        }
    }

    @Test func aRequestMayArriveByteByByte() async throws {
        try await TestServer.run { server in
            let connection = try await server.connect(as: TestServer.user)
            let request = HTTPRequest(.get, "/characteristics?id=1.2", host: "127.0.0.1").encoded()
            for byte in request { try await connection.send([byte]) }
            #expect(try await connection.response().status == .multiStatus)
        }
    }

    @Test func aForgedFrameEndsTheConnection() async throws {
        try await TestServer.run { server in
            let connection = try await server.connect(as: TestServer.user)
            try await connection.sendPlain([4, 0] + [UInt8](repeating: 7, count: 20))
            #expect(try await connection.untilClosed().isEmpty)
        }
    }

    @Test func bytesInTheClearBehindTheLastMessageOfPairVerifyAreNotServed() async throws {
        try await TestServer.run { server in
            let connection = try await server.connect()
            var random = SystemRandomNumberGenerator()
            var exchange = PairVerifyController(identity: TestServer.admin, accessory: server.accessory)
            let m2 = try await connection.post("/pair-verify", exchange.start(using: &random))
            let m3 = try exchange.handleM2(m2.body)
            let id = try await server.id(.on)
            let body = #"{"characteristics":[{"aid":\#(id.aid),"iid":\#(id.iid),"value":true}]}"#
            let smuggled = HTTPRequest(.put, "/characteristics", host: "x", body: Array(body.utf8))
            let last = HTTPRequest(.post, "/pair-verify", host: "x", body: m3)
            try await connection.sendPlain(last.encoded() + smuggled.encoded())
            #expect(try await connection.untilClosed().count <= 1)
            #expect(try await server.server.value(of: .on) == .bool(false))
        }
    }
}
