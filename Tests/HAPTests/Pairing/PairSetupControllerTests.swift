import Testing

@testable import HAP

@Suite struct PairSetupControllerTests {
    private let vector = Transcript.setup

    @Test func theTranscriptComesOutByteForByte() throws {
        var controller = try Self.controller()
        var generator = ScriptedGenerator(vector.a.bytes)
        #expect(controller.start() == vector.M1.bytes)
        #expect(try controller.handleM2(vector.M2.bytes, using: &generator) == vector.M3.bytes)
        #expect(try controller.handleM4(vector.M4.bytes) == vector.M5.bytes)
        #expect(try controller.handleM6(vector.M6.bytes) == Transcript.pairedAccessory())
        #expect(generator.isUsedUp)
    }

    @Test(arguments: [
        (PairingError.unavailable, PairingFailure.Code.alreadyPaired), (.maxTries, .tooManyTries), (.busy, .busy),
        (.authentication, .notAuthorized), (.maxPeers, .noRoom), (.unknown, .accessoryFailed), (.backoff, .mustWait),
        (PairingError(rawValue: 99), .refused),
    ])
    func refusalsOfM1HaveTheirNames(_ error: PairingError, _ code: PairingFailure.Code) throws {
        var controller = try Self.controller()
        _ = controller.start()
        let failure = failure {
            var generator = SystemRandomNumberGenerator()
            return try controller.handleM2(refusal(.m2, error), using: &generator)
        }
        #expect(failure?.code == code)
        #expect(failure?.accessoryError == error)
    }

    @Test func aWrongCodeIsToldFromOtherRefusals() throws {
        var controller = try afterM3()
        #expect(code { try controller.handleM4(refusal(.m4, .authentication)) } == .wrongSetupCode)
        controller = try afterM3()
        #expect(code { try controller.handleM4(refusal(.m4, .unknown)) } == .accessoryFailed)
        controller = try afterM5()
        #expect(code { try controller.handleM6(refusal(.m6, .maxPeers)) } == .noRoom)
        controller = try afterM5()
        #expect(code { try controller.handleM6(refusal(.m6, .authentication)) } == .notAuthorized)
    }

    @Test func malformedM2sAreRefused() throws {
        let salt = vector.salt.bytes
        let key = try #require(try TLV8(decoding: vector.M2.bytes)[.publicKey])
        let malformed = [
            [],
            vector.M4.bytes,
            Array(vector.M2.bytes.dropLast()),
            message((.state, [2]), (.salt, salt)),
            message((.state, [2]), (.publicKey, key)),
            message((.state, [2]), (.publicKey, key), (.salt, Array(salt.dropLast()))),
            message((.state, [2]), (.publicKey, [UInt8](repeating: 1, count: 385)), (.salt, salt)),
            message((.state, [4]), (.publicKey, key), (.salt, salt)),
            message((.publicKey, key), (.salt, salt)),
            message((.state, [2]), (.publicKey, key), (.salt, salt), (.error, [])),
        ]
        for m2 in malformed {
            var controller = try Self.controller()
            _ = controller.start()
            let failure = failure {
                var generator = SystemRandomNumberGenerator()
                return try controller.handleM2(m2, using: &generator)
            }
            #expect(failure?.code == .malformedReply)
        }
    }

    @Test func aServerKeyThatFixesTheSecretIsAnImpostors() throws {
        for key in [[], [UInt8](repeating: 0, count: 384), HAPVectors.all.srp.group.N.bytes] {
            var controller = try Self.controller()
            _ = controller.start()
            let m2 = message((.state, [2]), (.publicKey, key), (.salt, vector.salt.bytes))
            let failure = failure {
                var generator = SystemRandomNumberGenerator()
                return try controller.handleM2(m2, using: &generator)
            }
            #expect(failure?.code == .impostor)
        }
    }

    @Test func fragmentsOfAnyLengthAreJoined() throws {
        var controller = try Self.controller()
        _ = controller.start()
        let key = try #require(try TLV8(decoding: vector.M2.bytes)[.publicKey])
        var m2: [UInt8] = [6, 1, 2, 2, 16] + vector.salt.bytes
        for start in stride(from: 0, to: key.count, by: 128) { m2 += [3, 128] + key[start..<start + 128] }
        var generator = ScriptedGenerator(vector.a.bytes)
        #expect(try controller.handleM2(m2 + [3, 0], using: &generator) == vector.M3.bytes)
    }

    @Test func anAccessorysKeyMayLackItsLeadingZeros() throws {
        let key = AEADKey(KeyDerivation.pairSetupEncryption.derive(from: vector.K.bytes))
        let prefix = KeyDerivation.pairSetupAccessorySignature.derive(from: vector.K.bytes)
        var generator = SystemRandomNumberGenerator()
        var pair = LongTermKeyPair.random(using: &generator)
        while pair.publicKey.bytes.first != 0 { pair = LongTermKeyPair.random(using: &generator) }
        let identifier = Array("E1:91:1A:70:85:AA".utf8)
        let signature = try pair.signature(for: prefix + identifier + pair.publicKey.bytes)
        func m6(_ publicKey: [UInt8]) throws -> [UInt8] {
            let inside = message((.identifier, identifier), (.publicKey, publicKey), (.signature, signature))
            return message((.state, [6]), (.encryptedData, key.seal(inside, nonce: .pairSetupM6)))
        }
        var controller = try afterM5()
        #expect(try controller.handleM6(m6(Array(pair.publicKey.bytes.dropFirst()))).publicKey == pair.publicKey)
        controller = try afterM5()
        #expect(code { try controller.handleM6(m6(Array(pair.publicKey.bytes.dropLast()))) } == .impostor)
        controller = try afterM5()
        #expect(code { try controller.handleM6(m6([0] + pair.publicKey.bytes)) } == .malformedReply)
    }

    @Test func anAccessoryThatDoesNotKnowTheCodeIsAnImpostor() throws {
        let proof = try #require(try TLV8(decoding: vector.M4.bytes)[.proof])
        var wrong = proof
        wrong[0] ^= 1
        var controller = try afterM3()
        #expect(
            code { try controller.handleM4(message((.state, [4]), (.proof, wrong))) } == .impostor
        )
        // The exchange is over, so the right proof is too late.
        #expect(code { try controller.handleM4(vector.M4.bytes) } == .outOfOrder)
        for m4 in [message((.state, [4])), message((.state, [4]), (.proof, Array(proof.dropLast())))] {
            controller = try afterM3()
            #expect(code { try controller.handleM4(m4) } == .malformedReply)
        }
    }

    @Test func anM6ThatIsNotTheAccessorysIsRefused() throws {
        let key = AEADKey(KeyDerivation.pairSetupEncryption.derive(from: vector.K.bytes))
        let prefix = KeyDerivation.pairSetupAccessorySignature.derive(from: vector.K.bytes)
        let identity = try Transcript.accessory()
        func m6(
            _ identifier: String = identity.deviceID.description,
            signedBy pair: LongTermKeyPair = identity.keyPair,
            before: [UInt8] = prefix,
            nonce: MessageNonce = .pairSetupM6
        ) throws -> [UInt8] {
            let signed = try SignedIdentity(
                identifier: Array(identifier.utf8),
                keyPair: pair,
                includesKey: true,
                before: before,
                after: identity.keyPair.publicKey.bytes
            )
            return message((.state, [6]), (.encryptedData, key.seal(signed.encoded(), nonce: nonce)))
        }
        #expect(try m6() == vector.M6.bytes)
        var flipped = vector.M6.bytes
        flipped[flipped.count - 1] ^= 1
        let cases: [([UInt8], PairingFailure.Code)] = [
            (flipped, .impostor),
            (try m6(nonce: .pairSetupM5), .impostor),
            (try m6(before: []), .impostor),
            (try m6(signedBy: .random()), .impostor),
            (try m6("E1:91:1A:70:85:AB"), .otherAccessory),
            (try m6("no device id"), .malformedReply),
            (message((.state, [6])), .malformedReply),
            (message((.state, [6]), (.encryptedData, key.seal([1], nonce: .pairSetupM6))), .malformedReply),
        ]
        for (reply, expected) in cases {
            var controller = try afterM5()
            #expect(code { try controller.handleM6(reply) } == expected)
        }
        // An accessory may write its ID in lowercase, and then signs it in that form.
        var controller = try afterM5()
        #expect(try controller.handleM6(m6("e1:91:1a:70:85:aa")) == Transcript.pairedAccessory())
    }

    @Test func withoutAnExpectedIDAnyAccessoryThatKnowsTheCodeIsTaken() throws {
        var controller = PairSetupController(
            identity: try Transcript.controller(),
            setupCode: try Transcript.code(),
            expecting: nil
        )
        var generator = ScriptedGenerator(vector.a.bytes)
        _ = controller.start()
        _ = try controller.handleM2(vector.M2.bytes, using: &generator)
        _ = try controller.handleM4(vector.M4.bytes)
        #expect(try controller.handleM6(vector.M6.bytes) == Transcript.pairedAccessory())
    }

    @Test func repliesOutOfOrderAreRefused() throws {
        var generator = SystemRandomNumberGenerator()
        var controller = try Self.controller()
        #expect(throws: PairingFailure.outOfOrder) { try controller.handleM2(vector.M2.bytes, using: &generator) }
        _ = controller.start()
        #expect(throws: PairingFailure.outOfOrder) { try controller.handleM4(vector.M4.bytes) }
        #expect(throws: PairingFailure.outOfOrder) { try controller.handleM2(vector.M2.bytes, using: &generator) }
        _ = controller.start()
        #expect(throws: PairingFailure.outOfOrder) { try controller.handleM6(vector.M6.bytes) }
    }

    @Test func noTruncatedReplyTraps() throws {
        for count in 0..<vector.M6.bytes.count {
            var controller = try afterM5()
            #expect(throws: PairingFailure.self) { try controller.handleM6(vector.M6.bytes.prefix(count)) }
        }
    }

    @Test func bothHalvesPairWithEachOther() throws {
        var generator = SystemRandomNumberGenerator()
        let code = SetupCode.random()
        let identity = AccessoryIdentity.random(using: &generator)
        var accessory = PairSetupAccessory(
            identity: identity,
            verifier: SRPVerifier(setupCode: code, using: &generator),
            failedTries: 0
        )
        var controller = PairSetupController(
            identity: try Transcript.controller(),
            setupCode: code,
            expecting: identity.deviceID
        )
        func post(_ body: [UInt8]) throws -> [UInt8] {
            let action = accessory.handle(
                body,
                from: ConnectionID(rawValue: 1),
                isPaired: false,
                at: .now,
                using: &generator
            )
            switch action {
            case .reply(let reply): return reply
            case .storePairingThenReply(_, let reply, _): return reply
            default: throw MalformedMessage("\(action)")
            }
        }
        let m2 = try post(controller.start())
        let m4 = try post(controller.handleM2(m2, using: &generator))
        let m6 = try post(controller.handleM4(m4))
        let paired = try controller.handleM6(m6)
        #expect(paired == PairedAccessory(deviceID: identity.deviceID, publicKey: identity.keyPair.publicKey))
    }
}

extension PairSetupControllerTests {
    private static func controller() throws -> PairSetupController {
        PairSetupController(
            identity: try Transcript.controller(),
            setupCode: try Transcript.code(),
            expecting: try Transcript.accessory().deviceID
        )
    }

    /// A controller that waits for the transcript's M4. It is created once, because it takes several exponentiations.
    private static let awaitingM4 = Result {
        var controller = try PairSetupControllerTests.controller()
        var generator = ScriptedGenerator(Transcript.setup.a.bytes)
        _ = controller.start()
        _ = try controller.handleM2(Transcript.setup.M2.bytes, using: &generator)
        return controller
    }

    private func afterM3() throws -> PairSetupController {
        try Self.awaitingM4.get()
    }

    private func afterM5() throws -> PairSetupController {
        var controller = try afterM3()
        _ = try controller.handleM4(vector.M4.bytes)
        return controller
    }

    private func code(_ body: () throws -> Any) -> PairingFailure.Code? {
        failure(body)?.code
    }

    private func failure(_ body: () throws -> Any) -> PairingFailure? {
        #expect(throws: PairingFailure.self) { _ = try body() }
    }
}
