import AccessoryCheck
import Crypto
import HAP
import NIOCore
import Synchronization
import Testing

@testable import HAPServer

struct PairSetupAttacks {
    private static let proof = [UInt8](repeating: 0, count: 64)
    /// N of RFC 5054's 3072-bit group.
    private static let prime: [UInt8] = {
        let digits = """
            FFFFFFFFFFFFFFFFC90FDAA22168C234C4C6628B80DC1CD129024E088A67CC74020BBEA63B139B22514A08798E3404DD\
            EF9519B3CD3A431B302B0A6DF25F14374FE1356D6D51C245E485B576625E7EC6F44C42E9A637ED6B0BFF5CB6F406B7ED\
            EE386BFB5A899FA5AE9F24117C4B1FE649286651ECE45B3DC2007CB8A163BF0598DA48361C55D39A69163FA8FD24CF5F\
            83655D23DCA3AD961C62F356208552BB9ED529077096966D670C354E4ABC9804F1746C08CA18217C32905E462E36CE3B\
            E39E772C180E86039B2783A2EC07A28FB5C55DF06F4C52C9DE2BCBF6955817183995497CEA956AE515D2261898FA0510\
            15728E5A8AAAC42DAD33170D04507A33A85521ABDF1CBA64ECFB850458DBEF0A8AEA71575D060C7DB3970F85A6E1E4C7\
            ABF5AE8CDB0933D71E8C94E04A25619DCEE3D2261AD2EE6BF12FFA06D98A0864D87602733EC86A64521F2B18177B200C\
            BBE117577A615D6C770988C0BAD946E208E24FA074E5AB3143DB5BFCE0FD108E4B82D120A93AD2CAFFFFFFFFFFFFFFFF
            """
        let characters = Array(digits)
        return stride(from: 0, to: characters.count, by: 2).compactMap {
            UInt8(String(characters[$0..<$0 + 2]), radix: 16)
        }
    }()

    /// Returns a proof for a secret that the sender forced to 0 with its public key. A server that continues would
    /// accept it.
    private static func proofForNoSecret(_ m2: [UInt8], key: [UInt8]) -> [UInt8] {
        func hash(_ parts: [UInt8]...) -> [UInt8] { Array(SHA512.hash(data: Array(parts.joined()))) }
        func stripped(_ number: [UInt8]) -> [UInt8] { Array(number.drop { $0 == 0 }) }
        let values = RawMessage.values(m2)
        let group = zip(hash(prime), hash([5])).map { $0 ^ $1 }
        return hash(
            group,
            hash(Array("Pair-Setup".utf8)),
            values[2] ?? [],
            stripped(key),
            stripped(values[3] ?? []),
            hash([])
        )
    }

    @Test func theGroupOfTheseTestsIsWhole() {
        #expect(Self.prime.count == 384)
    }

    @Test(arguments: [[], [0], [UInt8](repeating: 0, count: 384), prime])
    func aPublicKeyThatFixesTheSecretIsRefused(_ key: [UInt8]) async throws {
        let storage = MemoryStorage()
        try await TestServer.run(storage: storage) { server in
            let attacker = try await server.connect()
            for isProven in [false, true] {
                let m2 = try await attacker.post("/pair-setup", RawSetup.m1).body
                let proof = isProven ? Self.proofForNoSecret(m2, key: key) : Self.proof
                let m3 = RawMessage.tlv((6, [3]), (3, key), (4, proof))
                #expect(try await attacker.post("/pair-setup", m3).body == refusal(4, 2))
            }
            try await attacker.close()
            try await server.expectUnpaired(storage)
        }
    }

    @Test func aPublicKeyThatIsTooLongIsMalformed() async throws {
        let storage = MemoryStorage()
        try await TestServer.run(storage: storage) { server in
            let attacker = try await server.connect()
            var doubled: [UInt8] = [1]
            for (index, byte) in Self.prime.enumerated() {
                doubled.append(byte << 1 | (index + 1 < Self.prime.count ? Self.prime[index + 1] >> 7 : 0))
            }
            for key in [
                doubled, [0] + Self.prime, [UInt8](repeating: 0, count: 385), [UInt8](repeating: 1, count: 5000),
            ] {
                _ = try await attacker.post("/pair-setup", RawSetup.m1)
                let m3 = RawMessage.tlv((6, [3]), (3, key), (4, Self.proof))
                #expect(try await attacker.post("/pair-setup", m3).status == .badRequest)
            }
            try await attacker.close()
            try await server.expectUnpaired(storage)
        }
    }

    @Test func nothingFollowsAWrongProof() async throws {
        let storage = MemoryStorage()
        try await TestServer.run(storage: storage) { server in
            let attacker = try await server.connect()
            _ = try await attacker.post("/pair-setup", RawSetup.m1)
            let m3 = RawMessage.tlv((6, [3]), (3, [2]), (4, Self.proof))
            #expect(try await attacker.post("/pair-setup", m3).body == refusal(4, 2))
            // A payload encrypted with the key of a secret of 0, as if the server had continued.
            let key = RawMessage.derive(
                Array(SHA512.hash(data: [UInt8]())),
                "Pair-Setup-Encrypt-Salt",
                "Pair-Setup-Encrypt-Info"
            )
            let m5 = RawMessage.tlv((6, [5]), (5, try RawMessage.seal([1, 1, 65], key: key, nonce: "PS-Msg05")))
            #expect(try await attacker.post("/pair-setup", m5).status == .badRequest)
            #expect(try await attacker.post("/pair-setup", m3).status == .badRequest)
            try await attacker.close()
            try await server.expectUnpaired(storage)
        }
    }

    @Test func aRecordedSetUpCannotBeReplayed() async throws {
        let storage = MemoryStorage()
        try await TestServer.run(storage: storage) { server in
            let victim = try await server.connect()
            let setup = try await RawSetup(victim)
            let identity = TestServer.controller("VICTIM")
            let key = try Curve25519.Signing.PrivateKey(rawRepresentation: identity.keyPair.seed)
            let m5 = try setup.m5(try setup.payload(Array("VICTIM".utf8), key))
            #expect(try await victim.post("/pair-setup", m5).body.starts(with: [6, 1, 6, 5]))
            #expect(try await victim.post("/pair-setup", m5).status == .badRequest)
            #expect(try await victim.post("/pair-setup", setup.m3).status == .badRequest)
            try await victim.verify(identity, server.accessory)
            #expect(try await victim.manage(.remove(identity.pairingID)) == .done)
            _ = try await victim.untilClosed()

            let attacker = try await server.connect()
            #expect(try await attacker.post("/pair-setup", RawSetup.m1).body.starts(with: [6, 1, 2, 3]))
            #expect(try await attacker.post("/pair-setup", setup.m3).body == refusal(4, 2))
            #expect(try await attacker.post("/pair-setup", m5).status == .badRequest)
            #expect(try storage.load(StoredPairings.self)?.pairings == [])
            #expect(await !server.server.isPaired)
        }
    }

    @Test func everyMessageOutOfOrderIsABadRequest() async throws {
        let storage = MemoryStorage()
        try await TestServer.run(storage: storage) { server in
            let attacker = try await server.connect()
            let states: [[UInt8]] = [[0], [1], [2], [3], [4], [5], [6], [7], [255], [], [1, 1]]
            for state in states where state != [1] {
                let message = RawMessage.tlv((6, state), (0, [0]), (3, [2]), (4, Self.proof), (5, Self.proof))
                // As the first message, and after M1, where M3 is a wrong proof and not a malformed message.
                #expect(try await attacker.post("/pair-setup", message).status == .badRequest)
                #expect(try await attacker.post("/pair-setup", RawSetup.m1).body.starts(with: [6, 1, 2, 3]))
                let status = try await attacker.post("/pair-setup", message).status
                #expect(status == (state == [3] ? .ok : .badRequest))
            }
            // After M3, only M5 and a new M1 are valid.
            for state in states where state != [5] && state != [1] {
                _ = try await RawSetup(attacker)
                let message = RawMessage.tlv((6, state), (0, [0]), (3, [2]), (4, Self.proof), (5, Self.proof))
                #expect(try await attacker.post("/pair-setup", message).status == .badRequest)
            }
            try await attacker.close()
            try await server.expectUnpaired(storage)
        }
    }

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
            let m3 = RawMessage.tlv((6, [3]), (3, [2]), (4, Self.proof))
            #expect(try await stalled.post("/pair-setup", m3).status == .badRequest)
            #expect(try await stalled.post("/pair-setup", RawSetup.m1).body == refusal(2, 7))
            try await other.close()
            passed.withLock { $0 = .seconds(60) }
            try await server.expectUnpaired(storage)
        }
    }

    @Test func aConnectionThatEndsWithItsM1HoldsNobodyUp() async throws {
        try await TestServer.run(storage: MemoryStorage()) { server in
            let m1 = HTTPRequest(.post, "/pair-setup", host: "x", body: RawSetup.m1).encoded()
            for _ in 0..<40 {
                let attacker = try await server.connect()
                let sending = try attacker.startSending(m1)
                try await attacker.close()
                try await sending.get()
                try await server.waitForNoConnections()
                let honest = try await server.connect()
                #expect(try await honest.post("/pair-setup", RawSetup.m1).body.starts(with: [6, 1, 2, 3]))
                try await honest.close()
                try await server.waitForNoConnections()
            }
        }
    }

    @Test func everyM1BeginsAnewWithAnotherKey() async throws {
        let storage = MemoryStorage()
        try await TestServer.run(storage: storage) { server in
            let attacker = try await server.connect()
            var keys: Set<[UInt8]> = []
            for _ in 0..<10 {
                let m2 = RawMessage.values(try await attacker.post("/pair-setup", RawSetup.m1).body)
                keys.insert(try #require(m2[3]))
            }
            #expect(keys.count == 10)
            let other = try await server.connect()
            #expect(try await other.post("/pair-setup", RawSetup.m1).body == refusal(2, 7))
            try await attacker.close()
            try await other.waitForSetUp()
            try await other.close()
        }
    }

    @Test func aPairedAccessoryIsUnavailableWhateverIsSent() async throws {
        try await TestServer.run { server in
            let attacker = try await server.connect()
            #expect(try await attacker.post("/pair-setup", RawSetup.m1).body == refusal(2, 6))
            for flags: [UInt8] in [[0x10], [0, 0, 0, 1], [0x10, 0, 0, 1]] {
                let m1 = RawMessage.tlv((6, [1]), (0, [0]), (0x13, flags))
                #expect(try await attacker.post("/pair-setup", m1).body == refusal(2, 6))
            }
            for state: UInt8 in [3, 5] {
                let message = RawMessage.tlv((6, [state]), (3, [2]), (4, Self.proof), (5, Self.proof))
                #expect(try await attacker.post("/pair-setup", message).status == .badRequest)
            }
            try await server.expectUnharmed()
        }
    }

    @Test func aPairingMadeMeanwhileEndsASetUp() async throws {
        let storage = MemoryStorage()
        try await TestServer.run(storage: storage) { server in
            let slow = try await server.connect()
            let setup = try await RawSetup(slow)
            // Its time is up, so that others can pair.
            try await slow.close()
            let first = TestServer.controller("FIRST")
            let quick = try await server.connect()
            try await quick.waitForSetUp()
            let accessory = try await quick.pair(first, code: try SetupCode(TestServer.code))
            let late = try await server.connect()
            let m5 = try setup.m5(try setup.payload([65], Curve25519.Signing.PrivateKey()))
            #expect(try await late.post("/pair-setup", m5).status == .badRequest)
            try await quick.verify(first, accessory)
            #expect(try await quick.manage(.list) == .list([Pairing(first, .admin)]))
        }
    }
}

/// Tests M5s with a single defect.
@Suite struct PairSetupExchangeAttacks {
    /// A defect of an M5, and the expected answer.
    private struct Attack: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// Whether the answer is Authentication instead of HTTP 400.
        let isAuthentication: Bool
        let m5: @Sendable (RawSetup) throws -> [UInt8]
    }

    private static func key() -> Curve25519.Signing.PrivateKey { Curve25519.Signing.PrivateKey() }

    /// Returns a correctly signed payload with any content.
    private static func signed(_ setup: RawSetup, _ identifier: [UInt8]) throws -> [UInt8] {
        try setup.payload(identifier, key())
    }

    private static let attacks: [Attack] = [
        Attack(testDescription: "an empty identifier", isAuthentication: false) {
            try $0.m5(signed($0, []))
        },
        Attack(testDescription: "an identifier of 37 bytes", isAuthentication: false) {
            try $0.m5(signed($0, [UInt8](repeating: 65, count: 37)))
        },
        Attack(testDescription: "an identifier of 300 bytes", isAuthentication: false) {
            try $0.m5(signed($0, [UInt8](repeating: 65, count: 300)))
        },
        Attack(testDescription: "an identifier that is not UTF-8", isAuthentication: false) {
            try $0.m5(signed($0, [65, 0xC3, 0x28]))
        },
        Attack(testDescription: "a key of small order, for which every signature is valid", isAuthentication: true) {
            try $0.m5(
                RawMessage.tlv((1, [65]), (3, RawMessage.neutralKey), (10, RawMessage.neutralSignature))
            )
        },
        Attack(testDescription: "a signature with S + L", isAuthentication: true) { setup in
            let key = key()
            let publicKey = Array(key.publicKey.rawRepresentation)
            let signature = Array(try key.signature(for: setup.prefix + [65] + publicKey))
            return try setup.m5(
                RawMessage.tlv((1, [65]), (3, publicKey), (10, RawMessage.malleated(signature)))
            )
        },
        Attack(testDescription: "a signature over another order", isAuthentication: true) { setup in
            let key = key()
            let publicKey = Array(key.publicKey.rawRepresentation)
            let signature = Array(try key.signature(for: publicKey + [65] + setup.prefix))
            return try setup.m5(RawMessage.tlv((1, [65]), (3, publicKey), (10, signature)))
        },
        Attack(testDescription: "an identifier other than the signed one", isAuthentication: true) { setup in
            let key = key()
            let publicKey = Array(key.publicKey.rawRepresentation)
            let signature = Array(try key.signature(for: setup.prefix + [65] + publicKey))
            return try setup.m5(RawMessage.tlv((1, [66]), (3, publicKey), (10, signature)))
        },
        Attack(testDescription: "a key other than the signed one", isAuthentication: true) { setup in
            let key = key()
            let publicKey = Array(key.publicKey.rawRepresentation)
            let signature = Array(try Self.key().signature(for: setup.prefix + [65] + publicKey))
            return try setup.m5(RawMessage.tlv((1, [65]), (3, publicKey), (10, signature)))
        },
        Attack(testDescription: "an empty signature", isAuthentication: true) {
            let publicKey = Array(key().publicKey.rawRepresentation)
            return try $0.m5(RawMessage.tlv((1, [65]), (3, publicKey), (10, [])))
        },
        Attack(testDescription: "no signature", isAuthentication: false) {
            try $0.m5(RawMessage.tlv((1, [65]), (3, Array(key().publicKey.rawRepresentation))))
        },
        Attack(testDescription: "no key", isAuthentication: false) {
            try $0.m5(RawMessage.tlv((1, [65]), (10, [UInt8](repeating: 0, count: 64))))
        },
        Attack(testDescription: "a key of 31 bytes", isAuthentication: false) {
            try $0.m5(
                RawMessage.tlv((1, [65]), (3, [UInt8](repeating: 9, count: 31)), (10, [UInt8](repeating: 0, count: 64)))
            )
        },
        Attack(testDescription: "two identifiers", isAuthentication: false) {
            try $0.m5(signed($0, [65]) + RawMessage.tlv((1, [66])))
        },
        Attack(testDescription: "a truncated payload", isAuthentication: false) {
            try $0.m5(signed($0, [65]).dropLast())
        },
        Attack(testDescription: "an empty payload", isAuthentication: false) { try $0.m5([]) },
        Attack(testDescription: "another nonce", isAuthentication: true) {
            try $0.m5(signed($0, [65]), nonce: "PS-Msg06")
        },
        Attack(testDescription: "an altered tag", isAuthentication: true) {
            var m5 = try $0.m5(signed($0, [65]))
            m5[m5.count - 1] ^= 1
            return m5
        },
        Attack(testDescription: "data shorter than a tag", isAuthentication: true) { _ in
            RawMessage.tlv((6, [5]), (5, [UInt8](repeating: 0, count: 15)))
        },
        Attack(testDescription: "no data", isAuthentication: false) { _ in [6, 1, 5] },
    ]

    @Test func whatIsWrongIsRefusedAndNothingIsStored() async throws {
        let storage = MemoryStorage()
        try await TestServer.run(storage: storage) { server in
            let attacker = try await server.connect()
            for attack in Self.attacks {
                let setup = try await RawSetup(attacker)
                let response = try await attacker.post("/pair-setup", attack.m5(setup))
                if attack.isAuthentication {
                    #expect(response.status == .ok, "\(attack.testDescription)")
                    #expect(response.body == refusal(6, 2), "\(attack.testDescription)")
                } else {
                    #expect(response.status == .badRequest, "\(attack.testDescription)")
                }
                #expect(try storage.load(StoredPairings.self)?.pairings == [])
                // The attempt is over, so the correct message is too late.
                let right = try setup.m5(Self.signed(setup, [65]))
                #expect(try await attacker.post("/pair-setup", right).status == .badRequest)
            }
            try await attacker.close()
            try await server.expectUnpaired(storage)
        }
    }

    @Test(
        arguments: [
            // A type twice, adjacent and apart.
            [6, 1, 1, 6, 1, 1, 0, 1, 0], [6, 1, 1, 0, 1, 0, 6, 1, 1], [0, 1, 0, 0, 1, 0, 6, 1, 1],
            // Truncated in a header and in a value.
            [6], [6, 1], [6, 1, 1, 0], [6, 1, 1, 0, 1], [6, 1, 1, 0, 255, 0],
            // A full fragment that is continued by an empty one.
            [6, 1, 1, 0, 1, 0, 0x99, 255] + [UInt8](repeating: 0, count: 255) + [0x99, 0],
            // Another method, no method, and a method with too many bytes.
            [6, 1, 1, 0, 1, 2], [6, 1, 1], [6, 1, 1, 0, 0],
            [6, 1, 1, 0, 9] + [UInt8](repeating: 0, count: 9),
            // Flags with zero and with five bytes.
            [6, 1, 1, 0, 1, 0, 0x13, 0], [6, 1, 1, 0, 1, 0, 0x13, 5, 1, 0, 0, 0, 0],
            [],
        ] as [[UInt8]]
    )
    func malformedTLV8IsABadRequest(_ m1: [UInt8]) async throws {
        try await TestServer.run(storage: MemoryStorage()) { server in
            let attacker = try await server.connect()
            #expect(try await attacker.post("/pair-setup", m1).status == .badRequest)
            let other = try await server.connect()
            #expect(try await other.post("/pair-setup", RawSetup.m1).body.starts(with: [6, 1, 2, 3]))
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
}
