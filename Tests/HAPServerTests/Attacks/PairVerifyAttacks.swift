import AccessoryCheck
import Crypto
import HAP
import Testing

@testable import HAPServer

@Suite struct PairVerifyAttacks {
    @Test func aKeyOfLowOrderIsRefused() async throws {
        let keys = [
            "0000000000000000000000000000000000000000000000000000000000000000",
            "0100000000000000000000000000000000000000000000000000000000000000",
            "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
            "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
            "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            "0000000000000000000000000000000000000000000000000000000000000080",
            "0100000000000000000000000000000000000000000000000000000000000080",
            "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
            "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
        ]
        try await TestServer.run { server in
            let attacker = try await server.connect()
            for digits in keys.map(Array.init) {
                let key = stride(from: 0, to: 64, by: 2).compactMap { UInt8(String(digits[$0..<$0 + 2]), radix: 16) }
                let m1 = RawMessage.tlv((6, [1]), (3, key))
                #expect(try await attacker.post("/pair-verify", m1).body == refusal(2, 2))
                // The payload encrypted with the key of the all-zero secret.
                let secret = RawMessage.derive(
                    [UInt8](repeating: 0, count: 32),
                    "Pair-Verify-Encrypt-Salt",
                    "Pair-Verify-Encrypt-Info"
                )
                let sealed = try RawMessage.seal([1, 1, 65], key: secret, nonce: "PV-Msg03")
                let m3 = RawMessage.tlv((6, [3]), (5, sealed))
                #expect(try await attacker.post("/pair-verify", m3).status == .badRequest)
            }
            #expect(try await attacker.get("/accessories").status == .connectionAuthorizationRequired)
            try await server.expectUnharmed()
        }
    }

    @Test func whoCannotProveToBePairedStaysOutside() async throws {
        let admin = TestServer.admin
        let id = Array(admin.pairingID.description.utf8)
        let stranger = TestServer.controller("STRANGER")
        let impostor = TestServer.controller(admin.pairingID)
        let attacks: [(String, (RawVerify) throws -> [UInt8])] = [
            ("a stranger", { try $0.m3($0.payload(stranger)) }),
            ("an impostor", { try $0.m3($0.payload(impostor)) }),
            ("S + L", { try $0.m3(RawMessage.tlv((1, id), (10, RawMessage.malleated(try $0.signature(admin))))) }),
            (
                "the keys the other way round",
                {
                    let signature = try RawVerify.sign(admin, $0.accessoryKey + id + $0.controllerKey)
                    return try $0.m3(RawMessage.tlv((1, id), (10, signature)))
                }
            ),
            (
                "nothing but the identifier signed",
                { try $0.m3(RawMessage.tlv((1, id), (10, try RawVerify.sign(admin, id)))) }
            ),
            ("the neutral signature", { try $0.m3(RawMessage.tlv((1, id), (10, RawMessage.neutralSignature))) }),
            ("an empty signature", { try $0.m3(RawMessage.tlv((1, id), (10, []))) }),
            ("65 bytes of signature", { try $0.m3(RawMessage.tlv((1, id), (10, try $0.signature(admin) + [0]))) }),
            ("an empty identifier", { try $0.m3(RawMessage.tlv((1, []), (10, try $0.signature(admin)))) }),
            (
                "an identifier of 37 bytes",
                {
                    try $0.m3(
                        RawMessage.tlv(
                            (1, id + [UInt8](repeating: 0, count: 37 - id.count)),
                            (10, try $0.signature(admin))
                        )
                    )
                }
            ),
            (
                "an identifier that is not UTF-8",
                { try $0.m3(RawMessage.tlv((1, [0xFF]), (10, try $0.signature(admin)))) }
            ),
            ("another case", { try $0.m3(RawMessage.tlv((1, Array("admin".utf8)), (10, try $0.signature(admin)))) }),
            ("an extra byte", { try $0.m3(RawMessage.tlv((1, id + [0]), (10, try $0.signature(admin)))) }),
            ("another nonce", { try $0.m3($0.payload(admin), nonce: "PV-Msg02") }),
            (
                "an altered tag",
                {
                    var m3 = try $0.m3($0.payload(admin))
                    m3[m3.count - 1] ^= 0x80
                    return m3
                }
            ),
        ]
        try await TestServer.run { server in
            let attacker = try await server.connect()
            for (name, attack) in attacks {
                let exchange = try await RawVerify(attacker)
                let response = try await attacker.post("/pair-verify", attack(exchange))
                #expect(response.body == refusal(4, 2), "\(name)")
                // The exchange is over, so the correct message is too late.
                let right = try exchange.m3(exchange.payload(admin))
                #expect(try await attacker.post("/pair-verify", right).status == .badRequest, "\(name)")
                #expect(try await attacker.ask(server.writeOfPower()).status == .connectionAuthorizationRequired)
            }
            try await server.expectUnharmed()
        }
    }

    @Test func malformedM3sAreBadRequests() async throws {
        let admin = TestServer.admin
        let id = Array(admin.pairingID.description.utf8)
        let attacks: [(RawVerify) throws -> [UInt8]] = [
            { try $0.m3(RawMessage.tlv((1, id))) }, { try $0.m3(RawMessage.tlv((10, try $0.signature(admin)))) },
            { try $0.m3([]) }, { try $0.m3($0.payload(admin).dropLast()) },
            { try $0.m3($0.payload(admin) + RawMessage.tlv((1, [66]))) }, { _ in [6, 1, 3] },
        ]
        try await TestServer.run { server in
            let attacker = try await server.connect()
            for attack in attacks {
                let exchange = try await RawVerify(attacker)
                #expect(try await attacker.post("/pair-verify", attack(exchange)).status == .badRequest)
            }
            try await server.expectUnharmed()
        }
    }

    @Test func aRecordedSessionCannotBeReplayed() async throws {
        try await TestServer.run { server in
            let victim = try await server.connect()
            let exchange = try await RawVerify(victim)
            let m3 = try exchange.m3(exchange.payload(TestServer.admin))
            #expect(try await victim.post("/pair-verify", m3).body == [6, 1, 4])
            let attacker = try await server.connect()
            let m1 = RawMessage.tlv((6, [1]), (3, exchange.controllerKey))
            let m2 = RawMessage.values(try await attacker.post("/pair-verify", m1).body)
            #expect(m2[3] != exchange.accessoryKey)
            #expect(try await attacker.post("/pair-verify", m3).body == refusal(4, 2))
            #expect(try await attacker.get("/accessories").status == .connectionAuthorizationRequired)
            try await server.expectUnharmed()
        }
    }

    @Test func theAccessorysOwnWordsProveNothing() async throws {
        try await TestServer.run { server in
            let attacker = try await server.connect()
            // Send M2's data back as M3's.
            let key = Curve25519.KeyAgreement.PrivateKey()
            let m1 = RawMessage.tlv((6, [1]), (3, Array(key.publicKey.rawRepresentation)))
            let m2 = RawMessage.values(try await attacker.post("/pair-verify", m1).body)
            let m3 = RawMessage.tlv((6, [3]), (5, m2[5] ?? []))
            #expect(try await attacker.post("/pair-verify", m3).body == refusal(4, 2))
            try await server.expectUnharmed()
        }
    }

    @Test func everyMessageOutOfOrderIsABadRequest() async throws {
        try await TestServer.run { server in
            let attacker = try await server.connect()
            let key = [UInt8](repeating: 9, count: 32)
            for state: [UInt8] in [[0], [2], [3], [4], [5], [6], [255], [], [3, 1]] {
                let message = RawMessage.tlv((6, state), (3, key), (5, key))
                #expect(try await attacker.post("/pair-verify", message).status == .badRequest)
                _ = try await RawVerify(attacker)
                let status = try await attacker.post("/pair-verify", message).status
                #expect(status == (state == [3] ? .ok : .badRequest))
            }
            let malformed: [[UInt8]] = [
                RawMessage.tlv((3, key)), RawMessage.tlv((6, [1])), RawMessage.tlv((6, [1]), (3, [])),
                RawMessage.tlv((6, [1]), (3, Array(key.dropLast()))), RawMessage.tlv((6, [1]), (3, key + [0])),
                // Pair-resume exists only for Bluetooth.
                RawMessage.tlv((6, [1]), (0, [6]), (3, key), (14, [UInt8](repeating: 0, count: 8)), (5, key)),
                RawMessage.tlv((6, [1]), (0, [0]), (3, key)), RawMessage.tlv((6, [1]), (3, key), (3, key)),
            ]
            for m1 in malformed { #expect(try await attacker.post("/pair-verify", m1).status == .badRequest) }
            try await attacker.verify(TestServer.user, server.accessory)
            #expect(try await attacker.get("/accessories").status == .ok)
            try await server.expectUnharmed()
        }
    }

    @Test func anExchangeOfAnotherConnectionIsNotTakenOver() async throws {
        try await TestServer.run { server in
            let victim = try await server.connect()
            let exchange = try await RawVerify(victim)
            let m3 = try exchange.m3(exchange.payload(TestServer.admin))
            let attacker = try await server.connect()
            #expect(try await attacker.post("/pair-verify", m3).status == .badRequest)
            #expect(try await victim.post("/pair-verify", m3).body == [6, 1, 4])
        }
    }

    @Test func aControllerThatWasRemovedMeanwhileIsNotVerified() async throws {
        try await TestServer.run { server in
            let user = try await server.connect()
            let exchange = try await RawVerify(user)
            let admin = try await server.connect(as: TestServer.admin)
            #expect(try await admin.manage(.remove(TestServer.user.pairingID)) == .done)
            let m3 = try exchange.m3(exchange.payload(TestServer.user))
            #expect(try await user.post("/pair-verify", m3).body == refusal(4, 2))
            #expect(try await user.get("/accessories").status == .connectionAuthorizationRequired)
        }
    }
}
