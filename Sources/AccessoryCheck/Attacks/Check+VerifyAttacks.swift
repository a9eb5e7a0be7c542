internal import Crypto
internal import HAP
internal import HAPCatalog

extension Check {
    private static let source = "HAP 5.7 (Pair Verify)"

    /// The points of X25519 with which every shared secret is zero, in all encodings.
    private static let lowOrderKeys = [
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
    ].map { digits in
        stride(from: 0, to: digits.utf8.count, by: 2).map { index in
            let start = digits.index(digits.startIndex, offsetBy: index)
            return UInt8(digits[start..<digits.index(start, offsetBy: 2)], radix: 16) ?? 0
        }
    }

    /// An M3 by someone who can't prove to be paired.
    private struct Impostor: Sendable {
        let name: String
        let m3: @Sendable (_ exchange: RawVerify, _ admin: ControllerIdentity) throws -> [UInt8]

        init(_ name: String, m3: @escaping @Sendable (RawVerify, ControllerIdentity) throws -> [UInt8]) {
            self.name = name
            self.m3 = m3
        }

        /// Creates an M3 with an identifier and a signature.
        init(
            _ name: String,
            id: @escaping @Sendable ([UInt8]) -> [UInt8] = { $0 },
            signature: @escaping @Sendable (RawVerify, ControllerIdentity) throws -> [UInt8] = { try $0.signature($1) }
        ) {
            self.init(name) { exchange, admin in
                let payload = RawMessage.tlv((1, id(identifier(admin))), (10, try signature(exchange, admin)))
                return try exchange.m3(payload)
            }
        }
    }

    private static func identifier(_ controller: ControllerIdentity) -> [UInt8] {
        Array(controller.pairingID.description.utf8)
    }

    private static let impostors = [
        Impostor("a stranger", m3: { exchange, _ in try exchange.m3(exchange.payload(CheckContext.newController())) }),
        Impostor(
            "another key",
            signature: { try $0.signature(ControllerIdentity(pairingID: $1.pairingID, keyPair: .random())) }
        ),
        Impostor("S + L", signature: { RawMessage.malleated(try $0.signature($1)) }),
        Impostor(
            "the keys the other way round",
            signature: { try RawVerify.sign($1, $0.accessoryKey + identifier($1) + $0.controllerKey) }
        ),
        Impostor("nothing but the identifier signed", signature: { try RawVerify.sign($1, identifier($1)) }),
        Impostor("the neutral signature", signature: { _, _ in RawMessage.neutralSignature }),
        Impostor("an empty signature", signature: { _, _ in [] }),
        Impostor("65 bytes of signature", signature: { try $0.signature($1) + [0] }),
        Impostor("an empty identifier", id: { _ in [] }),
        Impostor("an identifier of 37 bytes", id: { $0 + [UInt8](repeating: 0, count: 37 - $0.count) }),
        Impostor("an identifier that is not UTF-8", id: { _ in [0xFF] }),
        Impostor("an identifier in another case", id: { $0.map { (65...90).contains($0) ? $0 + 32 : $0 } }),
        Impostor("an identifier with an extra byte", id: { $0 + [0] }),
        Impostor("another nonce", m3: { try $0.m3($0.payload($1), nonce: "PV-Msg02") }),
        Impostor(
            "an altered tag",
            m3: { exchange, admin in
                var m3 = try exchange.m3(exchange.payload(admin))
                m3[m3.count - 1] ^= 0x80
                return m3
            }
        ),
    ]

    /// M3s that lack something.
    private static let malformedM3s: [@Sendable (RawVerify, ControllerIdentity) throws -> [UInt8]] = [
        { try $0.m3(RawMessage.tlv((1, identifier($1)))) },
        { try $0.m3(RawMessage.tlv((10, try $0.signature($1)))) },
        { exchange, _ in try exchange.m3([]) },
        { try $0.m3($0.payload($1).dropLast()) },
        { try $0.m3($0.payload($1) + RawMessage.tlv((1, [66]))) },
        { _, _ in [6, 1, 3] },
    ]

    /// Throws unless a connection in the clear may still not write.
    private static func expectUnverified(_ attacker: Attacker, _ context: CheckContext) async throws {
        let answer = try await attacker.get("/accessories")
        try context.expectRefused(answer, as: .http(.connectionAuthorizationRequired), "Then GET /accessories")
    }

    /// Attacks on pair-verify.
    static let verifyAttacks: [Check] = [
        attack(
            "verify-low-order",
            .pairedAttack,
            "An M1 with a point of low order, whose shared secret everybody knows, is refused.",
            "HAP 5.7 (Pair Verify); RFC 7748, 6.1"
        ) { context in
            let attacker = Attacker(context)
            // M3 encrypted with the key of the secret of zeros.
            let secret = RawMessage.derive(
                [UInt8](repeating: 0, count: 32),
                "Pair-Verify-Encrypt-Salt",
                "Pair-Verify-Encrypt-Info"
            )
            let payload = RawMessage.tlv((1, identifier(try context.controller())), (10, RawMessage.neutralSignature))
            let m3 = RawMessage.tlv((6, [3]), (5, try RawMessage.seal(payload, key: secret, nonce: "PV-Msg03")))
            for key in lowOrderKeys {
                let connection = try await attacker.reconnect()
                let m1 = context.pairingRequest("/pair-verify", RawMessage.tlv((6, [1]), (3, key))).encoded()
                let m2 = try await attacker.exchange(m1, on: connection)
                try context.expectRefused(m2, as: .pairing(state: 2, .authentication), "M1 with the key \(key)")
                guard case .response = m2 else { continue }
                let m4 = try await attacker.exchange(
                    context.pairingRequest("/pair-verify", m3).encoded(),
                    on: connection
                )
                try context.expectRefused(m4, as: .http(.badRequest), "M3 after it")
            }
            try await expectUnverified(attacker, context)
        },
        attack(
            "verify-impostor",
            .pairedAttack,
            "Who can't prove to hold a paired controller's key gets the error Authentication and stays unverified.",
            source
        ) { context in
            let admin = try context.controller()
            for impostor in impostors {
                let attacker = Attacker(context)
                let connection = try await attacker.reconnect()
                let exchange = try await RawVerify(connection)
                let m3 = try impostor.m3(exchange, admin)
                let m4 = try await attacker.post("/pair-verify", m3)
                try context.expectRefused(m4, as: .pairing(state: 4, .authentication), "M3 with \(impostor.name)")
                guard case .response = m4 else { continue }
                // The exchange is over, so the correct message is too late.
                let late = try await attacker.post("/pair-verify", exchange.m3(exchange.payload(admin)))
                try context.expectRefused(late, as: .http(.badRequest), "A correct M3 after \(impostor.name)")
                try await expectUnverified(attacker, context)
            }
        },
        attack(
            "verify-m3",
            .pairedAttack,
            "An M3 that lacks its identifier, signature or data is refused.",
            source
        ) { context in
            let admin = try context.controller()
            for (number, malformed) in malformedM3s.enumerated() {
                let attacker = Attacker(context)
                let exchange = try await RawVerify(try await attacker.reconnect())
                let m4 = try await attacker.post("/pair-verify", try malformed(exchange, admin))
                try context.expectRefused(m4, as: .http(.badRequest), "Malformed M3 \(number + 1)")
            }
        },
        attack(
            "verify-order",
            .pairedAttack,
            "A message of pair-verify out of order, or an M1 with a malformed key, is refused.",
            source
        ) { context in
            let attacker = Attacker(context)
            let key = [UInt8](repeating: 9, count: 32)
            for state: [UInt8] in [[0], [2], [3], [4], [5], [6], [255], [], [3, 1]] {
                let message = RawMessage.tlv((6, state), (3, key), (5, key))
                let first = try await attacker.post("/pair-verify", message)
                try context.expectRefused(first, as: .http(.badRequest), "State \(state) as the first message")
                _ = try await RawVerify(try await attacker.reconnect())
                let second = try await attacker.post("/pair-verify", message)
                let refusal: AttackRefusal =
                    state == [3] ? .pairing(state: 4, .authentication) : .http(.badRequest)
                try context.expectRefused(second, as: refusal, "State \(state) after M1")
            }
            let malformed: [[UInt8]] = [
                RawMessage.tlv((3, key)), RawMessage.tlv((6, [1])), RawMessage.tlv((6, [1]), (3, [])),
                RawMessage.tlv((6, [1]), (3, Array(key.dropLast()))), RawMessage.tlv((6, [1]), (3, key + [0])),
                // Pair-resume exists only for Bluetooth.
                RawMessage.tlv((6, [1]), (0, [6]), (3, key), (14, [UInt8](repeating: 0, count: 8)), (5, key)),
                RawMessage.tlv((6, [1]), (0, [0]), (3, key)), RawMessage.tlv((6, [1]), (3, key), (3, key)),
            ]
            for m1 in malformed {
                let answer = try await attacker.post("/pair-verify", m1)
                try context.expectRefused(answer, as: .http(.badRequest), "M1 \(m1.prefix(12))")
            }
        },
        attack(
            "verify-replay",
            .pairedAttack,
            "A recorded exchange of pair-verify can't be replayed.",
            source
        ) { context in
            let victim = try await context.connect()
            let exchange = try await RawVerify(victim)
            let m3 = try exchange.m3(exchange.payload(context.controller()))
            let m4 = try await victim.post("/pair-verify", m3)
            try context.expect(m4.body == [6, 1, 4], "M4 of the recorded exchange: \(context.describe(m4))")
            let attacker = Attacker(context)
            let connection = try await attacker.reconnect()
            let m1 = RawMessage.tlv((6, [1]), (3, exchange.controllerKey))
            let m2 = RawMessage.values(try await connection.post("/pair-verify", m1).body)
            try context.expect(m2[3] != exchange.accessoryKey, "The accessory repeats its key.")
            let answer = try await attacker.post("/pair-verify", m3)
            try context.expectRefused(answer, as: .pairing(state: 4, .authentication), "The recorded M3")
            try await expectUnverified(attacker, context)
        },
        attack(
            "verify-reflection",
            .pairedAttack,
            "The accessory's own M2, sent back as M3, proves nothing.",
            source
        ) { context in
            let attacker = Attacker(context)
            let connection = try await attacker.reconnect()
            let key = Curve25519.KeyAgreement.PrivateKey()
            let m1 = RawMessage.tlv((6, [1]), (3, Array(key.publicKey.rawRepresentation)))
            let m2 = RawMessage.values(try await connection.post("/pair-verify", m1).body)
            let answer = try await attacker.post("/pair-verify", RawMessage.tlv((6, [3]), (5, m2[5] ?? [])))
            try context.expectRefused(answer, as: .pairing(state: 4, .authentication), "M2's data as M3's")
        },
        attack(
            "verify-connection",
            .pairedAttack,
            "An exchange of pair-verify can't be continued on another connection.",
            source
        ) { context in
            let victim = try await context.connect()
            let exchange = try await RawVerify(victim)
            let m3 = try exchange.m3(exchange.payload(context.controller()))
            let attacker = Attacker(context)
            let answer = try await attacker.post("/pair-verify", m3)
            try context.expectRefused(answer, as: .http(.badRequest), "M3 on another connection")
            let m4 = try await victim.post("/pair-verify", m3)
            try context.expect(m4.body == [6, 1, 4], "M3 on its own connection: \(context.describe(m4))")
        },
        attack(
            "verify-removed",
            .pairedAttack,
            "A controller that is removed between M2 and M3 isn't verified.",
            source
        ) { context in
            let user = try await context.addController(.user)
            let attacker = Attacker(context)
            let exchange = try await RawVerify(try await attacker.reconnect())
            try await context.removeController(user)
            let answer = try await attacker.post("/pair-verify", exchange.m3(exchange.payload(user)))
            try context.expectRefused(answer, as: .pairing(state: 4, .authentication), "M3 of a removed controller")
            try await expectUnverified(attacker, context)
        },
    ]
}
