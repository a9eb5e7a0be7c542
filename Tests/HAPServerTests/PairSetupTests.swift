import AccessoryCheck
import Crypto
import HAP
import HAPCatalog
import Synchronization
import Testing

@testable import HAPServer

@Suite struct PairSetupTests {
    @Test func aStalledSetUpGivesWayAfterThirtySeconds() async throws {
        let storage = MemoryStorage()
        let start = ContinuousClock.now
        let passed = Mutex(Duration.zero)
        try await TestServer.run(storage: storage, now: { start + passed.withLock { $0 } }) { server in
            let stalled = try await server.connect()
            #expect(try await stalled.post("/pair-setup", RawSetup.m1).body.starts(with: [6, 1, 2, 3]))
            let other = try await server.connect()
            passed.withLock { $0 = .seconds(30) - .nanoseconds(1) }
            #expect(try await other.post("/pair-setup", RawSetup.m1).body == refusal(2, 7))
            // Repeated restarts don't lock other controllers out.
            #expect(try await stalled.post("/pair-setup", RawSetup.m1).body.starts(with: [6, 1, 2, 3]))
            passed.withLock { $0 = .seconds(30) }
            #expect(try await other.post("/pair-setup", RawSetup.m1).body.starts(with: [6, 1, 2, 3]))
            let m3 = RawMessage.tlv((6, [3]), (3, [2]), (4, [UInt8](repeating: 0, count: 64)))
            #expect(try await stalled.post("/pair-setup", m3).status == .badRequest)
            #expect(try await stalled.post("/pair-setup", RawSetup.m1).body == refusal(2, 7))
            try await other.close()
            passed.withLock { $0 = .seconds(60) }
            try await server.expectUnpaired(storage)
        }
    }

    @Test func unknownTypesFlagsAndAnotherOrderArePassedOver() async throws {
        try await TestServer.run(storage: MemoryStorage()) { server in
            let connection = try await server.connect()
            let m1 = RawMessage.tlv((0x99, [1, 2, 3]), (0, [0]), (0x13, [1, 0, 0, 0x80]), (6, [1, 0]), (0xFE, []))
            let setup = try await RawSetup(connection, m1: m1)
            let m5 = try setup.m5(try setup.payload([65], Curve25519.Signing.PrivateKey()))
            #expect(try await connection.post("/pair-setup", m5).body.starts(with: [6, 1, 6, 5]))
            #expect(await server.server.isPaired)
        }
    }

    @Test func aTransientSetUpSecuresTheConnection() async throws {
        try await TestServer.run(storage: MemoryStorage()) { server in
            let connection = try await server.connect()
            try await connection.setUpTransiently()
            let message = HTTPRequest(
                .post,
                "/secure-message",
                host: "x",
                contentType: HAPContentType.octets,
                body: [0, 1, 2, 0, 0]
            )
            #expect(try await connection.ask(message).body == [2, 2, 1])
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
