internal import Crypto
internal import HAP
internal import HAPCatalog
internal import NIOCore

extension CheckContext {
    /// Runs pair-setup on a connection up to M4, with the correct code.
    fileprivate func setup(_ connection: ControllerConnection, _ m1: [UInt8] = RawSetup.m1) async throws -> RawSetup {
        guard let code else { throw CheckNotApplicable("There is no setup code.") }
        return try await RawSetup(connection, m2: try await beginSetup(connection, m1).body, code: code)
    }

    /// Begins pair-setup with a wrong M3, which the accessory may count as a wrong code.
    fileprivate func post(wrong m3: [UInt8], _ attacker: Attacker) async throws -> AttackAnswer {
        failedTries += 1
        return try await attacker.post("/pair-setup", m3)
    }

    /// Opens a connection and gets M2.
    fileprivate func m2(_ attacker: Attacker) async throws -> [UInt8] {
        let m2 = try await beginSetup(try await attacker.reconnect())
        try expectM2(m2, "M1")
        return m2.body
    }
}

/// An M5 with a defect.
private struct WrongM5: Sendable {
    let name: String
    /// Whether the answer is the error Authentication instead of HTTP 400.
    let isAuthentication: Bool
    /// Whether the key is ``RawMessage/neutralKey``.
    let isNeutral: Bool
    let m5: @Sendable (RawSetup, ControllerIdentity) throws -> [UInt8]

    init(
        _ name: String,
        isAuthentication: Bool = false,
        isNeutral: Bool = false,
        m5: @escaping @Sendable (RawSetup, ControllerIdentity) throws -> [UInt8]
    ) {
        self.name = name
        self.isAuthentication = isAuthentication
        self.isNeutral = isNeutral
        self.m5 = m5
    }

    /// Creates an M5 with the correct identifier and key, and a signature over other bytes, or changed.
    init(
        _ name: String,
        signature: @escaping @Sendable (RawSetup, ControllerIdentity) throws -> [UInt8]
    ) {
        self.init(name, isAuthentication: true) { setup, controller in
            let (id, key) = (Self.identifier(controller), controller.keyPair.publicKey.bytes)
            return try setup.m5(RawMessage.tlv((1, id), (3, key), (10, try signature(setup, controller))))
        }
    }

    /// Creates an M5 with an identifier that no controller can have, correctly signed.
    init(_ name: String, identifier: [UInt8]) {
        self.init(name) { try $0.m5(Self.signed($0, $1, identifier)) }
    }

    static func identifier(_ controller: ControllerIdentity) -> [UInt8] {
        Array(controller.pairingID.description.utf8)
    }

    /// Returns a correctly signed payload.
    static func signed(
        _ setup: RawSetup,
        _ controller: ControllerIdentity,
        _ identifier: [UInt8]? = nil
    ) throws -> [UInt8] {
        try setup.payload(
            identifier ?? self.identifier(controller),
            Curve25519.Signing.PrivateKey(rawRepresentation: controller.keyPair.seed)
        )
    }

    static let all: [WrongM5] = [
        WrongM5("an empty identifier", identifier: []),
        WrongM5("an identifier of 37 bytes", identifier: [UInt8](repeating: 65, count: 37)),
        WrongM5("an identifier of 300 bytes", identifier: [UInt8](repeating: 65, count: 300)),
        WrongM5("an identifier that is not UTF-8", identifier: [65, 0xC3, 0x28]),
        WrongM5(
            "a key of small order, for which every signature is valid",
            isAuthentication: true,
            isNeutral: true,
            m5: { setup, controller in
                try setup.m5(
                    RawMessage.tlv(
                        (1, identifier(controller)),
                        (3, RawMessage.neutralKey),
                        (10, RawMessage.neutralSignature)
                    )
                )
            }
        ),
        WrongM5(
            "a signature with S + L",
            signature: { setup, controller in
                let message = setup.prefix + identifier(controller) + controller.keyPair.publicKey.bytes
                return RawMessage.malleated(try RawVerify.sign(controller, message))
            }
        ),
        WrongM5(
            "a signature over another order",
            signature: { setup, controller in
                let message = controller.keyPair.publicKey.bytes + identifier(controller) + setup.prefix
                return try RawVerify.sign(controller, message)
            }
        ),
        WrongM5(
            "an identifier other than the signed one",
            signature: { setup, controller in
                let other = CheckContext.newController()
                return try RawVerify.sign(
                    controller,
                    setup.prefix + identifier(other) + controller.keyPair.publicKey.bytes
                )
            }
        ),
        WrongM5(
            "a signature by another key",
            signature: { setup, controller in
                let message = setup.prefix + identifier(controller) + controller.keyPair.publicKey.bytes
                return try RawVerify.sign(CheckContext.newController(), message)
            }
        ),
        WrongM5("an empty signature", signature: { _, _ in [] }),
        WrongM5(
            "no signature",
            m5: { try $0.m5(RawMessage.tlv((1, identifier($1)), (3, $1.keyPair.publicKey.bytes))) }
        ),
        WrongM5(
            "no key",
            m5: { try $0.m5(RawMessage.tlv((1, identifier($1)), (10, [UInt8](repeating: 0, count: 64)))) }
        ),
        WrongM5(
            "a key of 31 bytes",
            m5: { setup, controller in
                let key = Array(controller.keyPair.publicKey.bytes.dropLast())
                let message = setup.prefix + identifier(controller) + key
                let signature = try RawVerify.sign(controller, message)
                return try setup.m5(RawMessage.tlv((1, identifier(controller)), (3, key), (10, signature)))
            }
        ),
        WrongM5("two identifiers", m5: { try $0.m5(signed($0, $1) + RawMessage.tlv((1, [66]))) }),
        WrongM5("a truncated payload", m5: { try $0.m5(signed($0, $1).dropLast()) }),
        WrongM5("an empty payload", m5: { setup, _ in try setup.m5([]) }),
        WrongM5(
            "another nonce",
            isAuthentication: true,
            m5: { try $0.m5(signed($0, $1), nonce: "PS-Msg06") }
        ),
        WrongM5(
            "an altered tag",
            isAuthentication: true,
            m5: { setup, controller in
                var m5 = try setup.m5(signed(setup, controller))
                m5[m5.count - 1] ^= 1
                return m5
            }
        ),
        WrongM5(
            "data shorter than a tag",
            isAuthentication: true,
            m5: { _, _ in RawMessage.tlv((6, [5]), (5, [UInt8](repeating: 0, count: 15))) }
        ),
        WrongM5("no data", m5: { _, _ in [6, 1, 5] }),
    ]
}

extension Check {
    private static let source = "HAP 5.6 (Pair Setup)"
    private static let noProof = [UInt8](repeating: 0, count: 64)
    private static let prime = SRPGroup.primeBytes

    /// Twice the prime, which has a byte more.
    private static let doubledPrime: [UInt8] = {
        var doubled: [UInt8] = [1]
        for (byte, next) in zip(prime, prime.dropFirst() + [0]) { doubled.append(byte << 1 | next >> 7) }
        return doubled
    }()

    /// Returns a proof for a secret that the sender forced to 0 with its public key. An accessory that continues would
    /// accept it.
    private static func proofForNoSecret(_ m2: [UInt8], key: [UInt8]) -> [UInt8] {
        func hash(_ parts: [UInt8]...) -> [UInt8] { Array(SHA512.hash(data: Array(parts.joined()))) }
        func stripped(_ number: [UInt8]) -> [UInt8] { Array(number.drop { $0 == 0 }) }
        let values = RawMessage.values(m2)
        let group = zip(hash(prime), hash([5])).map { $0 ^ $1 }
        let (salt, server) = (values[2] ?? [], stripped(values[3] ?? []))
        return hash(group, hash(Array("Pair-Setup".utf8)), salt, stripped(key), server, hash([]))
    }

    /// M1s that aren't TLV8, or not that of an M1.
    private static let malformedM1s: [[UInt8]] = [
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
    ]

    /// Attacks on pair-setup.
    static let setupAttacks: [Check] = [
        attack(
            "setup-paired",
            .pairedAttack,
            "While a controller is paired, no message of pair-setup is served.",
            source
        ) { context in
            let attacker = Attacker(context)
            for flags: [UInt8]? in [nil, [0x10], [0, 0, 0, 1], [0x10, 0, 0, 1]] {
                let m1 = RawSetup.m1 + (flags.map { RawMessage.tlv((0x13, $0)) } ?? [])
                let answer = try await attacker.post("/pair-setup", m1)
                try context.expectRefused(answer, as: .pairing(state: 2, .unavailable), "M1 with \(flags ?? [])")
            }
            for state: UInt8 in [3, 5] {
                let message = RawMessage.tlv((6, [state]), (3, [2]), (4, noProof), (5, noProof))
                let answer = try await attacker.post("/pair-setup", message)
                try context.expectRefused(answer, as: .http(.badRequest), "M\(state)")
            }
        },
        attack(
            "setup-tlv",
            .unpairedAttack,
            "An M1 that is truncated, repeats a type or has values of wrong lengths is refused.",
            "HAP 14.1 (TLVs)"
        ) { context in
            let attacker = Attacker(context)
            for m1 in malformedM1s {
                let answer = try await attacker.post("/pair-setup", m1)
                try context.expectRefused(answer, as: .http(.badRequest), "M1 \(m1.prefix(16))")
            }
        },
        attack(
            "srp-zero",
            .unpairedAttack,
            "An SRP public key that is 0 modulo the prime, which makes the secret known, gets the error Authentication.",
            "HAP 5.6 (Pair Setup); RFC 5054, 2.5.4"
        ) { context in
            for key in [[], [0], [UInt8](repeating: 0, count: prime.count), prime] {
                for isProven in [false, true] {
                    let attacker = Attacker(context)
                    let m2 = try await context.m2(attacker)
                    let proof = isProven ? proofForNoSecret(m2, key: key) : noProof
                    let m3 = RawMessage.tlv((6, [3]), (3, key), (4, proof))
                    let answer = try await context.post(wrong: m3, attacker)
                    let what = "M3 with a key of \(key.count) bytes that is 0, and \(isProven ? "its" : "no") proof"
                    try context.expectRefused(answer, as: .pairing(state: 4, .authentication), what)
                }
            }
        },
        attack(
            "srp-long",
            .unpairedAttack,
            "An SRP public key of more than 384 bytes is refused.",
            "HAP 5.6 (Pair Setup)"
        ) { context in
            let zeros = [UInt8](repeating: 0, count: prime.count + 1)
            for key in [doubledPrime, [0] + prime, zeros, [UInt8](repeating: 1, count: 5000)] {
                let attacker = Attacker(context)
                _ = try await context.m2(attacker)
                let answer = try await context.post(wrong: RawMessage.tlv((6, [3]), (3, key), (4, noProof)), attacker)
                try context.expectRefused(answer, as: .http(.badRequest), "M3 with a key of \(key.count) bytes")
            }
        },
        attack(
            "srp-proof",
            .unpairedAttack,
            "After a wrong proof, neither M5 nor another M3 is served.",
            source
        ) { context in
            let attacker = Attacker(context)
            _ = try await context.m2(attacker)
            let m3 = RawMessage.tlv((6, [3]), (3, [2]), (4, noProof))
            let m4 = try await context.post(wrong: m3, attacker)
            try context.expectRefused(m4, as: .pairing(state: 4, .authentication), "M3 with a wrong proof")
            // A payload encrypted with the key of a secret of 0, as if the accessory had continued.
            let secret = Array(SHA512.hash(data: [UInt8]()))
            let key = RawMessage.derive(secret, "Pair-Setup-Encrypt-Salt", "Pair-Setup-Encrypt-Info")
            let m5 = RawMessage.tlv((6, [5]), (5, try RawMessage.seal([1, 1, 65], key: key, nonce: "PS-Msg05")))
            let m6 = try await attacker.post("/pair-setup", m5)
            try context.expectRefused(m6, as: .http(.badRequest), "M5 after a wrong proof")
            let again = try await context.post(wrong: m3, attacker)
            try context.expectRefused(again, as: .http(.badRequest), "M3 after a wrong proof")
        },
        attack(
            "setup-order",
            .unpairedAttack,
            "A message of pair-setup out of order is refused.",
            source
        ) { context in
            let states: [[UInt8]] = [[0], [2], [3], [4], [5], [6], [7], [255], [], [1, 1]]
            let attacker = Attacker(context)
            for state in states {
                let message = RawMessage.tlv((6, state), (0, [0]), (3, [2]), (4, noProof), (5, noProof))
                let first = try await attacker.post("/pair-setup", message)
                try context.expectRefused(first, as: .http(.badRequest), "State \(state) as the first message")
                _ = try await context.m2(attacker)
                // After M1, M3 is a wrong proof and not a malformed message.
                let refusal: AttackRefusal =
                    state == [3] ? .pairing(state: 4, .authentication) : .http(.badRequest)
                let second =
                    try await state == [3]
                    ? context.post(wrong: message, attacker) : attacker.post("/pair-setup", message)
                try context.expectRefused(second, as: refusal, "State \(state) after M1")
            }
            // After M3, only M5 and a new M1 are valid.
            for state in states where state != [5] {
                _ = try await context.setup(try await attacker.reconnect())
                let message = RawMessage.tlv((6, state), (0, [0]), (3, [2]), (4, noProof), (5, noProof))
                let answer = try await attacker.post("/pair-setup", message)
                try context.expectRefused(answer, as: .http(.badRequest), "State \(state) after M3")
            }
        },
        attack(
            "setup-m5",
            .unpairedAttack,
            "An M5 with a wrong tag, signature, key or identifier is refused and pairs nobody.",
            source
        ) { context in
            for wrong in WrongM5.all {
                let attacker = Attacker(context)
                let setup = try await context.setup(try await attacker.reconnect())
                let controller = CheckContext.newController()
                let answer = try await attacker.post("/pair-setup", try wrong.m5(setup, controller))
                do {
                    try context.expectRefused(
                        answer,
                        as: wrong.isAuthentication ? .pairing(state: 6, .authentication) : .http(.badRequest),
                        "M5 with \(wrong.name)"
                    )
                    guard case .response = answer else { continue }
                    // The attempt is over, so the correct message is too late.
                    let right = try setup.m5(WrongM5.signed(setup, controller))
                    let late = try await attacker.post("/pair-setup", right)
                    try context.expectRefused(late, as: .http(.badRequest), "A correct M5 after \(wrong.name)")
                } catch {
                    await context.withdraw(controller, isNeutral: wrong.isNeutral)
                    throw error
                }
            }
        },
        attack(
            "setup-split",
            .unpairedAttack,
            "A split pair-setup without a transient one before it is refused.",
            source
        ) { context in
            let attacker = Attacker(context)
            _ = try await context.m2(attacker)
            let m1 = RawMessage.tlv((6, [1]), (0, [0]), (0x13, [0, 0, 0, 1]))
            let answer = try await attacker.post("/pair-setup", m1)
            guard context.options.requiresExactRefusals || answer.isRefusal else {
                // An accessory that doesn't know the flag ignores it, and begins a setup with a salt and key of its own.
                guard case .response(let m2) = answer else { return }
                return try context.expectM2(m2, "M1 with the flag Split")
            }
            try context.expectRefused(answer, as: .pairing(state: 2, .authentication), "M1 with the flag Split")
        },
        attack(
            "setup-transient",
            .unpairedAttack,
            "A transient pair-setup opens neither the attribute database nor the pairings.",
            "HAP 5.6 (Pair Setup, transient)"
        ) { context in
            let attacker = Attacker(context)
            let connection = try await attacker.reconnect()
            let m1 = RawMessage.tlv((6, [1]), (0, [0]), (0x13, [0x10]))
            let key = try await context.setup(connection, m1).sessionKey
            connection.secure(key, "SplitSetupSalt", "AccessoryEncrypt-Control", "ControllerEncrypt-Control")
            var requests: [(request: HTTPRequest, status: HTTPStatus)] = []
            for path in [
                "/accessories", "/characteristics?id=1.2", "/pairings", "/prepare", "/resource", "/pair-setup",
            ] {
                for method in [HTTPMethod.get, .put, .post] {
                    requests.append((HTTPRequest(method, path, host: context.target.host), .badRequest))
                }
            }
            let write = Array(#"{"characteristics":[{"aid":1,"iid":9,"value":true,"ev":true}]}"#.utf8)
            let host = context.target.host
            requests.append((HTTPRequest(.put, "/characteristics", host: host, body: write), .badRequest))
            requests.append((HTTPRequest(.get, "/nothing", host: host), .notFound))
            requests.append((HTTPRequest(.get, "/identify", host: host), .methodNotAllowed))
            for (request, status) in requests {
                let answer = try await attacker.exchange(request.encoded(), on: connection)
                try context.expectRefused(answer, as: .http(status), "\(request.method) \(request.target)")
                // An accessory that doesn't know the flag ignores it, and the connection isn't secured.
                guard case .response = answer else { return }
            }
            // A new setup ends the session.
            _ = try await context.beginSetup(try await context.connect())
            try await context.expectEnd(connection, after: 0, "A new setup, for a transient session")
        },
        attack(
            "setup-transient-clear",
            .unpairedAttack,
            "What arrives in the clear behind M3 of a transient pair-setup isn't served.",
            "HAP 5.6 (Pair Setup, transient)"
        ) { context in
            let attacker = Attacker(context)
            let connection = try await attacker.reconnect()
            let m1 = RawMessage.tlv((6, [1]), (0, [0]), (0x13, [0x10]))
            let m2 = RawMessage.values(try await context.beginSetup(connection, m1).body)
            guard let code = context.code else { return }
            var random = SystemRandomNumberGenerator()
            let (salt, key) = (m2[2] ?? [], m2[3] ?? [])
            let client = try SRPClient(setupCode: code, salt: salt, serverKey: key, using: &random)
            let m3 = RawMessage.tlv((6, [3]), (3, client.publicKey), (4, client.proof))
            // Before that, it would be served.
            let identify = HTTPRequest(.post, "/identify", host: context.target.host).encoded()
            try await connection.send(context.pairingRequest("/pair-setup", m3).encoded() + identify)
            let m4 = try await context.answer(on: connection)
            guard case .response(let response) = m4, let proof = RawMessage.values(response.body)[4] else { return }
            let answer = try await context.answer(on: connection)
            guard !answer.isRefusal else { return }
            // An accessory that doesn't know the flag ignores it, and the connection isn't secured.
            let session = try client.sessionKey(verifying: proof)
            connection.secure(session, "SplitSetupSalt", "AccessoryEncrypt-Control", "ControllerEncrypt-Control")
            let next = HTTPRequest(.get, "/nothing", host: context.target.host).encoded()
            if case .response = try await attacker.exchange(next, on: connection) {
                throw CheckFailure("A request in the clear behind M3: \(context.describe(answer))")
            }
        },
        attack(
            "setup-abandoned",
            .unpairedAttack,
            "Connections that end with their M1 hold nobody up.",
            source
        ) { context in
            let m1 = context.pairingRequest("/pair-setup", RawSetup.m1).encoded()
            for _ in 0..<10 {
                let connection = try await context.connect()
                let sending = try connection.startSending(m1)
                try await connection.close()
                _ = try? await sending.get()
                let honest = try await context.connect()
                try context.expectM2(try await context.beginSetup(honest), "M1 after an abandoned one")
                try await honest.close()
            }
        },
        attack(
            "setup-replay",
            .unpairedAttack,
            "A recorded pair-setup can't be replayed, neither while its controller is paired nor later.",
            source
        ) { context in
            let attacker = Attacker(context)
            let victim = try await attacker.reconnect()
            let setup = try await context.setup(victim)
            let controller = CheckContext.newController()
            let m5 = try setup.m5(WrongM5.signed(setup, controller))
            let m6 = try await victim.post("/pair-setup", m5)
            do {
                try context.expect(RawMessage.values(m6.body)[5] != nil, "M5: \(context.describe(m6))")
                for (name, message) in [("M5", m5), ("M3", setup.m3)] {
                    let answer = try await attacker.post("/pair-setup", message)
                    try context.expectRefused(answer, as: .http(.badRequest), "\(name) once more")
                }
            } catch {
                await context.withdraw(controller)
                throw error
            }
            await context.withdraw(controller)
            _ = try await context.m2(attacker)
            let m4 = try await context.post(wrong: setup.m3, attacker)
            try context.expectRefused(m4, as: .pairing(state: 4, .authentication), "The recorded M3")
            guard case .response = m4 else { return }
            let late = try await attacker.post("/pair-setup", m5)
            try context.expectRefused(late, as: .http(.badRequest), "The recorded M5")
        },
        attack(
            "setup-overtaken",
            .unpairedAttack,
            "An M5 isn't served once another controller has paired, nor on another connection.",
            source
        ) { context in
            guard let code = context.code else { return }
            let slow = try await context.connect()
            let setup = try await context.setup(slow)
            let m5 = try setup.m5(WrongM5.signed(setup, context.intruder()))
            try await slow.close()
            let first = CheckContext.newController()
            let quick = try await context.connect()
            _ = try await context.beginSetup(quick)
            let accessory = try await quick.pair(first, code: code)
            do {
                let late = try await Attacker(context).post("/pair-setup", m5)
                try context.expectRefused(late, as: .http(.badRequest), "M5 after another controller's")
                try await quick.verify(first, accessory)
                let list = try await quick.manage(.list)
                let only = Pairing(
                    controllerID: first.pairingID,
                    publicKey: first.keyPair.publicKey,
                    permissions: .admin
                )
                try context.expect(list == .list([only]), "Then the list of pairings isn't that of the first alone.")
            } catch {
                await context.withdraw(first)
                throw error
            }
            await context.withdraw(first)
        },
        attack(
            "setup-flood",
            .unpairedAttack,
            "Floods of connections don't keep a controller from pairing, not even in the middle of it.",
            "HAP (TCP Requirements)"
        ) { context in
            guard let code = context.code else { return }
            try await context.withTrickles(20) { _ in
                let connection = try await context.connect()
                let controller = CheckContext.newController()
                var random = SystemRandomNumberGenerator()
                var setup = PairSetupController(identity: controller, setupCode: code, expecting: nil)
                let m2 = try await context.beginSetup(connection, setup.start())
                let m3 = try setup.handleM2(m2.body, using: &random)
                var flood = try await context.flood { _ = try await $0.get("/accessories") }
                let m5 = try setup.handleM4(try await connection.post("/pair-setup", m3).body)
                for other in flood { try await other.close() }
                flood = try await context.flood { _ = try await $0.post("/pair-setup", [0xFF]) }
                let accessory = try setup.handleM6(try await connection.post("/pair-setup", m5).body)
                for other in flood { try await other.close() }
                do {
                    var verify = PairVerifyController(identity: controller, accessory: accessory)
                    let m2 = try await connection.post("/pair-verify", verify.start(using: &random))
                    flood = try await context.flood { _ = try await $0.post("/pair-verify", [0xFF]) }
                    let m4 = try await connection.post("/pair-verify", try verify.handleM2(m2.body))
                    _ = try verify.handleM4(m4.body)
                    for other in flood { try await other.close() }
                } catch {
                    await context.withdraw(controller)
                    throw error
                }
                await context.withdraw(controller)
            }
        },
        attack(
            "setup-afterwards",
            .unpairedAttack,
            "After all attacks, an honest controller pairs, reads and is removed.",
            source
        ) { context in
            guard let code = context.code else { return }
            let connection = try await context.connect()
            _ = try await context.beginSetup(connection)
            let controller = CheckContext.newController()
            let accessory = try await connection.pair(controller, code: code)
            // A success clears the accessory's count of wrong codes.
            context.failedTries = 0
            try await connection.verify(controller, accessory)
            let response = try await connection.get("/accessories")
            let removal = try await connection.manage(.remove(controller.pairingID))
            try context.expect(response.status == .ok, context.describe(response))
            try context.expect(removal == .done, "Removing the controller: \(removal)")
        },
    ]
}
