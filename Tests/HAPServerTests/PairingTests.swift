import AccessoryCheck
import HAP
import HAPCatalog
import Testing

@testable import HAPServer

@Suite struct PairingTests {
    private let controller = TestServer.controller("C1")
    private let code: SetupCode

    init() throws {
        code = try SetupCode(TestServer.code)
    }

    @Test func pairingIsStoredAndSurvivesARestart() async throws {
        let storage = MemoryStorage()
        let accessory = try await TestServer.run(storage: storage) { server in
            let connection = try await server.connect()
            let accessory = try await connection.pair(controller, code: code)
            #expect(accessory == server.accessory)
            #expect(await server.events == [.pairingChanged(isPaired: true)])
            #expect(await server.server.isPaired)
            // The connection continues in the clear, and can be used for pair-verify.
            try await connection.verify(controller, accessory)
            #expect(try await connection.get("/accessories").status == .ok)
            return accessory
        }
        try await TestServer.run(storage: storage) { server in
            #expect(server.accessory == accessory)
            let connection = try await server.connect(as: controller)
            let pairings = [Pairing(controller, .admin)]
            #expect(try await connection.manage(.list) == .list(pairings))
        }
    }

    @Test func aWrongCodeIsCountedOverRestarts() async throws {
        let storage = TestServer.paired([], failedTries: PairingLimits.failedTries - 2)
        let wrong = try SetupCode("314-15-927")
        for failure in [PairingFailure.Code.wrongSetupCode, .wrongSetupCode, .tooManyTries] {
            try await TestServer.run(storage: storage) { server in
                let connection = try await server.connect()
                let error = await #expect(throws: PairingFailure.self) {
                    _ = try await connection.pair(controller, code: wrong)
                }
                #expect(error?.code == failure)
            }
        }
        try await TestServer.run(storage: storage) { server in
            let connection = try await server.connect()
            let error = await #expect(throws: PairingFailure.self) {
                _ = try await connection.pair(controller, code: code)
            }
            #expect(error?.code == .tooManyTries)
        }
    }

    @Test func theCountIsStoredBeforeTheAnswer() async throws {
        let storage = TestServer.paired([])
        try await TestServer.run(storage: storage) { server in
            let connection = try await server.connect()
            await #expect(throws: PairingFailure.self) {
                _ = try await connection.pair(controller, code: try SetupCode("314-15-927"))
            }
            #expect(try storage.load(StoredPairings.self)?.failedTries == 1)
        }
    }

    @Test func aSecondSetUpIsAnsweredBusyUntilTheFirstIsGone() async throws {
        try await TestServer.run(storage: MemoryStorage()) { server in
            let first = try await server.connect()
            let m1: [UInt8] = [6, 1, 1, 0, 1, 0]
            #expect(try await first.post("/pair-setup", m1).body.starts(with: [6, 1, 2]))
            let second = try await server.connect()
            let busy = try await second.post("/pair-setup", m1)
            #expect(busy.status == .ok)
            #expect(busy.body == [6, 1, 2, 7, 1, 7])
            try await first.close()
            try await second.waitForSetUp()
            _ = try await second.pair(controller, code: code)
        }
    }

    @Test func aPairedAccessoryTakesNoSetUp() async throws {
        try await TestServer.run { server in
            let connection = try await server.connect()
            #expect(try await connection.post("/pair-setup", [6, 1, 1, 0, 1, 0]).body == [6, 1, 2, 7, 1, 6])
        }
    }

    @Test func othersAreServedWhilePairSetupComputes() async throws {
        try await TestServer.run(storage: MemoryStorage()) { server in
            let pairing = try await server.connect()
            try await pairing.send(HTTPRequest(.post, "/pair-setup", host: "x", body: [6, 1, 1, 0, 1, 0]).encoded())
            let other = try await server.connect()
            #expect(try await other.get("/accessories").status == .connectionAuthorizationRequired)
            #expect(try await pairing.response().body.starts(with: [6, 1, 2]))
        }
    }

    @Test func requestsBehindAPairSetupWaitForItsReply() async throws {
        try await TestServer.run(storage: MemoryStorage()) { server in
            let connection = try await server.connect()
            let m1 = HTTPRequest(.post, "/pair-setup", host: "x", body: [6, 1, 1, 0, 1, 0]).encoded()
            try await connection.send(m1 + HTTPRequest(.get, "/accessories", host: "x").encoded())
            #expect(try await connection.response().status == .ok)
            #expect(try await connection.response().status == .connectionAuthorizationRequired)
        }
    }

    @Test func aFailingStorageFailsThePairing() async throws {
        let storage = FullDiskStorage(TestServer.paired([]))
        try await TestServer.run(storage: storage) { server in
            storage.isFull = true
            let connection = try await server.connect()
            let error = await #expect(throws: PairingFailure.self) {
                _ = try await connection.pair(controller, code: code)
            }
            #expect(error?.accessoryError == .unknown)
            #expect(await !server.server.isPaired)
            #expect(await server.events.isEmpty)
            storage.isFull = false
            _ = try await connection.pair(controller, code: code)
        }
    }

    @Test func malformedMessagesAreBadRequests() async throws {
        try await TestServer.run(storage: MemoryStorage()) { server in
            let connection = try await server.connect()
            for body in [[], [6], [6, 1, 3], [6, 1, 1], [6, 1, 5]] as [[UInt8]] {
                #expect(try await connection.post("/pair-setup", body).status == .badRequest)
            }
            for body in [[], [6], [6, 1, 3], [6, 1, 1, 3, 2, 0, 0]] as [[UInt8]] {
                #expect(try await connection.post("/pair-verify", body).status == .badRequest)
            }
        }
    }

    @Test func aStrangerIsNotVerified() async throws {
        try await TestServer.run { server in
            let connection = try await server.connect()
            let error = await #expect(throws: PairingFailure.self) {
                try await connection.verify(TestServer.controller("STRANGER"), server.accessory)
            }
            #expect(error?.code == .notAuthorized)
            #expect(try await connection.get("/accessories").status == .connectionAuthorizationRequired)
        }
    }
}

@Suite struct PairingsTests {
    @Test func onlyAdminsManagePairings() async throws {
        try await TestServer.run { server in
            let user = try await server.connect(as: TestServer.user)
            for request in [PairingsRequest.list, .remove(TestServer.admin.pairingID)] {
                let response = try await user.post("/pairings", request.encoded())
                #expect(response.status == .ok)
                #expect(response.body == [6, 1, 2, 7, 1, 2])
            }
            #expect(try await user.get("/accessories").status == .ok)
        }
    }

    @Test func aRemovedControllerIsCutOffOnAllItsConnections() async throws {
        try await TestServer.run { server in
            let admin = try await server.connect(as: TestServer.admin)
            let users = [
                try await server.connect(as: TestServer.user), try await server.connect(as: TestServer.user),
            ]
            #expect(try await admin.manage(.remove(TestServer.user.pairingID)) == .done)
            for user in users { #expect(try await user.untilClosed().isEmpty) }
            await #expect(throws: PairingFailure.self) { _ = try await server.connect(as: TestServer.user) }
            #expect(try await admin.manage(.list) == .list([Pairing(TestServer.admin, .admin)]))
            #expect(await server.events.isEmpty)
        }
    }

    @Test func removingTheLastAdminRemovesEveryoneAndOpensPairSetup() async throws {
        let storage = TestServer.paired()
        try await TestServer.run(storage: storage) { server in
            let admin = try await server.connect(as: TestServer.admin)
            let user = try await server.connect(as: TestServer.user)
            #expect(try await admin.manage(.remove(TestServer.admin.pairingID)) == .done)
            #expect(try await admin.untilClosed().isEmpty)
            #expect(try await user.untilClosed().isEmpty)
            #expect(await server.events == [.pairingChanged(isPaired: false)])
            let next = try await server.connect()
            #expect(try await next.post("/pair-setup", [6, 1, 1, 0, 1, 0]).body.starts(with: [6, 1, 2, 3]))
        }
        try await TestServer.run(storage: storage) { server in
            #expect(await !server.server.isPaired)
        }
    }

    @Test func theSeventeenthPairingFindsNoRoom() async throws {
        try await TestServer.run { server in
            let admin = try await server.connect(as: TestServer.admin)
            let keys = LongTermKeyPair.random().publicKey
            for number in 3...PairingLimits.pairings {
                let id = try #require(PairingID("C\(number)"))
                let pairing = Pairing(controllerID: id, publicKey: keys, permissions: .user)
                #expect(try await admin.manage(.add(pairing)) == .done)
            }
            let pairing = Pairing(controllerID: "LAST", publicKey: keys, permissions: .user)
            let error = await #expect(throws: PairingFailure.self) { _ = try await admin.manage(.add(pairing)) }
            #expect(error?.code == .noRoom)
        }
    }

    @Test func anAdminThatBecomesAUserLosesItsRightsAtOnce() async throws {
        try await TestServer.run { server in
            let admin = try await server.connect(as: TestServer.admin)
            #expect(try await admin.manage(.add(Pairing(TestServer.user, .admin))) == .done)
            #expect(try await admin.manage(.add(Pairing(TestServer.admin, .user))) == .done)
            let refusal = try await admin.post("/pairings", PairingsRequest.list.encoded())
            #expect(refusal.body == [6, 1, 2, 7, 1, 2])
        }
    }
}
