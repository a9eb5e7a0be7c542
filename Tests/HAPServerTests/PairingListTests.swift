import AccessoryCheck
import HAP
import HAPCatalog
import Testing

@testable import HAPServer

@Suite struct PairingListTests {
    private static let key = [UInt8](repeating: 7, count: 32)

    @Test(arguments: [1, 2, 16])
    func theListHasASeparatorBetweenTwoEntriesOnly(_ count: Int) async throws {
        let others = (1..<count).map { Pairing(TestServer.controller(PairingID(stringLiteral: "C\($0)")), .user) }
        let pairings = [Pairing(TestServer.admin, .admin)] + others
        try await TestServer.run(storage: TestServer.paired(pairings)) { server in
            let admin = try await server.connect(as: TestServer.admin)
            var expected: [UInt8] = [6, 1, 2]
            for (index, pairing) in pairings.enumerated() {
                if index > 0 { expected += [0xFF, 0] }
                let id = Array(pairing.controllerID.description.utf8)
                expected += [1, UInt8(id.count)] + id
                expected += [3, 32] + pairing.publicKey.bytes + [11, 1, index == 0 ? 1 : 0]
            }
            let response = try await admin.post("/pairings", [6, 1, 1, 0, 1, 5])
            #expect(response.body == expected)
            #expect(response.headers[HTTPHeaderName.contentType] == HAPContentType.pairing)
        }
    }

    @Test func theLastAdminThatMakesItselfAUserClearsThePairings() async throws {
        let storage = TestServer.paired()
        try await TestServer.run(storage: storage) { server in
            let admin = try await server.connect(as: TestServer.admin)
            let user = try await server.connect(as: TestServer.user)
            #expect(try await admin.manage(.add(Pairing(TestServer.admin, .user))) == .done)
            #expect(try await admin.untilClosed().isEmpty)
            #expect(try await user.untilClosed().isEmpty)
            #expect(await server.events == [.pairingChanged(isPaired: false)])
            #expect(try storage.load(StoredPairings.self)?.pairings == [])
            let next = try await server.connect()
            #expect(try await next.post("/pair-setup", RawSetup.m1).body.starts(with: [6, 1, 2, 3]))
        }
    }

    @Test func aKnownControllerKeepsItsKey() async throws {
        try await TestServer.run { server in
            let admin = try await server.connect(as: TestServer.admin)
            for controller in [TestServer.user, TestServer.admin] {
                let id = Array(controller.pairingID.description.utf8)
                let request = RawMessage.tlv((6, [1]), (0, [3]), (1, id), (3, Self.key), (11, [1]))
                #expect(try await admin.post("/pairings", request).body == refusal(2, 1))
            }
            #expect(try await admin.post("/pairings", RawMessage.tlv((6, [1]), (0, [4]), (1, [90]))).body == [6, 1, 2])
            try await server.expectUnharmed()
        }
    }

    @Test func whatCannotBeStoredIsNotDone() async throws {
        let storage = FullDiskStorage(TestServer.paired())
        try await TestServer.run(storage: storage) { server in
            storage.isFull = true
            let admin = try await server.connect(as: TestServer.admin)
            let user = try await server.connect(as: TestServer.user)
            for request in [
                PairingsRequest.remove(TestServer.user.pairingID), .remove(TestServer.admin.pairingID),
                .add(Pairing(TestServer.user, .admin)), .add(Pairing(TestServer.controller("NEW"), .user)),
            ] {
                #expect(try await admin.post("/pairings", request.encoded()).body == refusal(2, 1))
            }
            #expect(try await user.get("/accessories").status == .ok)
            try await server.expectUnharmed()
        }
    }

}
