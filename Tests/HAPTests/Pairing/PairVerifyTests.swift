import Testing

@testable import HAP

@Suite struct PairVerifyTests {
    private let vector = Transcript.verify

    @Test func theAccessorysTranscriptComesOutByteForByte() throws {
        var accessory = PairVerifyAccessory(identity: try Transcript.accessory())
        let pairings = try Self.pairings()
        var generator = ScriptedGenerator(vector.accessory_ephemeral_private.bytes)
        let m2 = accessory.handle(vector.M1.bytes, pairings: pairings, using: &generator)
        #expect(m2 == .reply(vector.M2.bytes))
        #expect(generator.isUsedUp)
        let m4 = accessory.handle(vector.M3.bytes, pairings: pairings, using: &generator)
        let verified = VerifiedController(
            controllerID: try Transcript.controller().pairingID,
            keys: try keys()
        )
        #expect(m4 == .replyThenSecure(vector.M4.bytes, verified))
    }

    @Test func theControllersTranscriptComesOutByteForByte() throws {
        var controller = try Self.controller()
        var generator = ScriptedGenerator(vector.controller_ephemeral_private.bytes)
        #expect(controller.start(using: &generator) == vector.M1.bytes)
        #expect(generator.isUsedUp)
        #expect(try controller.handleM2(vector.M2.bytes) == vector.M3.bytes)
        #expect(try controller.handleM4(vector.M4.bytes) == keys())
    }

    @Test func theEphemeralKeysAreThoseOfTheVector() throws {
        var generator = ScriptedGenerator(vector.accessory_ephemeral_private.bytes)
        let pair = EphemeralKeyPair(using: &generator)
        #expect(pair.publicKey == vector.accessory_ephemeral_public.bytes)
        let secret = try #require(pair.sharedSecret(with: vector.controller_ephemeral_public.bytes))
        #expect(secret == vector.shared_secret.bytes)
        #expect(KeyDerivation.pairVerifyEncryption.derive(from: secret) == vector.encrypt_key.bytes)
    }

    @Test func anUnknownControllerIsAnsweredWithAuthentication() throws {
        let other = Pairing(
            controllerID: try #require(PairingID("another")),
            publicKey: try Transcript.pairing().publicKey,
            permissions: .admin
        )
        for pairings in [PairingList(), PairingList([other])] {
            var accessory = try afterM2()
            #expect(
                try handle(&accessory, vector.M3.bytes, pairings: pairings) == .reply(refusal(.m4, .authentication))
            )
            // The connection isn't secured, and the exchange is over.
            #expect(isBadRequest(try handle(&accessory, vector.M3.bytes)))
        }
    }

    @Test func aKnownIdentifierWithAnotherKeyIsAnsweredWithAuthentication() throws {
        let other = Pairing(
            controllerID: try Transcript.controller().pairingID,
            publicKey: LongTermKeyPair.random().publicKey,
            permissions: .admin
        )
        var accessory = try afterM2()
        let action = try handle(&accessory, vector.M3.bytes, pairings: PairingList([other]))
        #expect(action == .reply(refusal(.m4, .authentication)))
    }

    @Test func anM3ThatIsNotTheControllersIsRefused() throws {
        let key = AEADKey(vector.encrypt_key.bytes)
        let identity = try Transcript.controller()
        let mine = vector.controller_ephemeral_public.bytes
        let theirs = vector.accessory_ephemeral_public.bytes
        func m3(
            _ identifier: [UInt8] = identity.pairingID.identifier,
            before: [UInt8] = mine,
            after: [UInt8] = theirs,
            signedBy pair: LongTermKeyPair = identity.keyPair,
            nonce: MessageNonce = .pairVerifyM3
        ) throws -> [UInt8] {
            let signed = try SignedIdentity(
                identifier: identifier,
                keyPair: pair,
                includesKey: false,
                before: before,
                after: after
            )
            return message((.state, [3]), (.encryptedData, key.seal(signed.encoded(), nonce: nonce)))
        }
        #expect(try m3() == vector.M3.bytes)
        var flipped = vector.M3.bytes
        flipped[flipped.count - 1] ^= 1
        // In the reverse order, it is what the accessory itself signed: a reflection.
        for bytes in [
            flipped, try m3(before: theirs, after: mine), try m3(signedBy: .random()),
            try m3(nonce: .pairVerifyM2), try m3([]), try m3([0xFF]), try m3([UInt8](repeating: 65, count: 37)),
            message((.state, [3]), (.encryptedData, [])),
        ] {
            var accessory = try afterM2()
            #expect(try handle(&accessory, bytes) == .reply(refusal(.m4, .authentication)))
            #expect(isBadRequest(try handle(&accessory, vector.M3.bytes)))
        }
        for bytes in [
            message((.state, [3])),
            message((.state, [3]), (.encryptedData, key.seal([1, 2], nonce: .pairVerifyM3))),
            message((.state, [3]), (.encryptedData, key.seal([1, 1, 65], nonce: .pairVerifyM3))),
        ] {
            var accessory = try afterM2()
            #expect(isBadRequest(try handle(&accessory, bytes)))
            #expect(isBadRequest(try handle(&accessory, vector.M3.bytes)))
        }
    }

    @Test func messagesOutOfOrderAreBadRequests() throws {
        for bytes in [vector.M2.bytes, vector.M3.bytes, vector.M4.bytes, [], [6, 1, 5], [6, 1, 7]] {
            var accessory = PairVerifyAccessory(identity: try Transcript.accessory())
            #expect(isBadRequest(try handle(&accessory, bytes)))
        }
    }

    @Test func aNewM1BeginsAnewAndAnOldM3IsRefused() throws {
        var accessory = try afterM2()
        guard case .reply(let m2) = try handle(&accessory, vector.M1.bytes) else {
            Issue.record("no M2")
            return
        }
        #expect(m2 != vector.M2.bytes)
        #expect(try handle(&accessory, vector.M3.bytes) == .reply(refusal(.m4, .authentication)))
    }

    @Test func aSecuredConnectionVerifiesNoMore() throws {
        var accessory = try afterM2()
        _ = try handle(&accessory, vector.M3.bytes)
        #expect(isBadRequest(try handle(&accessory, vector.M1.bytes)))
        #expect(isBadRequest(try handle(&accessory, vector.M3.bytes)))
    }

    @Test(arguments: LowOrderKeys.all)
    func aKeyOfLowOrderIsRefusedByBothSides(_ key: Hex) throws {
        var accessory = PairVerifyAccessory(identity: try Transcript.accessory())
        let m1 = message((.state, [1]), (.publicKey, key.bytes))
        #expect(try handle(&accessory, m1) == .reply(refusal(.m2, .authentication)))
        #expect(isBadRequest(try handle(&accessory, vector.M3.bytes)))
        var controller = try afterM1()
        let m2 = message((.state, [2]), (.publicKey, key.bytes), (.encryptedData, [UInt8](repeating: 0, count: 32)))
        #expect(code { try controller.handleM2(m2) } == .impostor)
    }

    @Test func malformedM1sAreBadRequests() throws {
        let key = vector.controller_ephemeral_public.bytes
        for m1 in [
            message((.state, [1])),
            message((.state, [1]), (.publicKey, Array(key.dropLast()))),
            message((.state, [1]), (.publicKey, key + [0])),
            message((.state, [1]), (.method, [6]), (.publicKey, key)),
            message((.state, [1]), (.method, []), (.publicKey, key)),
        ] {
            var accessory = PairVerifyAccessory(identity: try Transcript.accessory())
            #expect(isBadRequest(try handle(&accessory, m1)))
        }
        var accessory = PairVerifyAccessory(identity: try Transcript.accessory())
        let named = message((.state, [1]), (.method, [2]), (.publicKey, key))
        guard case .reply = try handle(&accessory, named) else {
            Issue.record("the method's name was refused")
            return
        }
    }

    @Test func anM2ThatIsNotTheAccessorysIsRefused() throws {
        let key = AEADKey(vector.encrypt_key.bytes)
        let identity = try Transcript.accessory()
        let mine = vector.controller_ephemeral_public.bytes
        let theirs = vector.accessory_ephemeral_public.bytes
        func m2(
            _ identifier: String = identity.deviceID.description,
            before: [UInt8] = theirs,
            after: [UInt8] = mine,
            signedBy pair: LongTermKeyPair = identity.keyPair,
            nonce: MessageNonce = .pairVerifyM2
        ) throws -> [UInt8] {
            let signed = try SignedIdentity(
                identifier: Array(identifier.utf8),
                keyPair: pair,
                includesKey: false,
                before: before,
                after: after
            )
            let encrypted = key.seal(signed.encoded(), nonce: nonce)
            return message((.state, [2]), (.publicKey, theirs), (.encryptedData, encrypted))
        }
        #expect(try m2() == vector.M2.bytes)
        var flipped = vector.M2.bytes
        flipped[flipped.count - 1] ^= 1
        let cases: [([UInt8], PairingFailure.Code)] = [
            (flipped, .impostor),
            (try m2(signedBy: .random()), .otherKey),
            (try m2(before: mine, after: theirs), .otherKey),
            (try m2("E1:91:1A:70:85:AB"), .otherAccessory),
            (try m2("someone"), .otherAccessory),
            (try m2(nonce: .pairVerifyM3), .impostor),
            (message((.state, [2]), (.publicKey, theirs)), .malformedReply),
            (message((.state, [2]), (.publicKey, [1]), (.encryptedData, [])), .malformedReply),
            (refusal(.m2, .authentication), .notAuthorized),
            (refusal(.m2, .busy), .busy),
            (vector.M4.bytes, .malformedReply),
        ]
        for (reply, expected) in cases {
            var controller = try afterM1()
            #expect(code { try controller.handleM2(reply) } == expected)
            #expect(code { try controller.handleM2(vector.M2.bytes) } == .outOfOrder)
        }
        // An accessory may write its ID in lowercase, and then signs it in that form.
        var controller = try afterM1()
        #expect(try controller.handleM2(m2("e1:91:1a:70:85:aa")) == vector.M3.bytes)
    }

    @Test(
        arguments: [
            ("E1:91:1A:70:85:AA", [], true), ("E1:91:1A:70:85:AA", ["E1:91:1A:70:85:AA"], false),
            ("E1:91:1A:70:85:AB", [], false), (nil, [], true), (nil, ["E1:91:1A:70:85:AA"], false),
            (nil, ["E1:91:1A:70:85:AB"], true),
        ] as [(String?, [String], Bool)]
    )
    func anAccessoryWithoutAKnownKeyIsTakenByItsIDOrNotAtAll(_ id: String?, _ excluded: [String], _ isTaken: Bool)
        throws
    {
        var controller = PairVerifyController(
            identity: try Transcript.controller(),
            unauthenticated: id.flatMap { DeviceID($0) },
            excluding: Set(excluded.compactMap { DeviceID($0) })
        )
        var generator = ScriptedGenerator(vector.controller_ephemeral_private.bytes)
        #expect(controller.start(using: &generator) == vector.M1.bytes)
        if isTaken {
            #expect(try controller.handleM2(vector.M2.bytes) == vector.M3.bytes)
        } else {
            #expect(code { try controller.handleM2(vector.M2.bytes) } == .otherAccessory)
        }
    }

    @Test func aRefusedM3TellsThatThePairingIsGone() throws {
        var controller = try afterM1()
        _ = try controller.handleM2(vector.M2.bytes)
        #expect(code { try controller.handleM4(refusal(.m4, .authentication)) } == .notAuthorized)
        #expect(code { try controller.handleM4(vector.M4.bytes) } == .outOfOrder)
        controller = try afterM1()
        #expect(code { try controller.handleM4(vector.M4.bytes) } == .outOfOrder)
    }

    @Test func bothHalvesGiveTheSameKeys() throws {
        var generator = SystemRandomNumberGenerator()
        var controller = try Self.controller()
        var accessory = PairVerifyAccessory(identity: try Transcript.accessory())
        guard
            case .reply(let m2) = try handle(&accessory, controller.start(using: &generator)),
            case .replyThenSecure(let m4, let verified) = try handle(&accessory, controller.handleM2(m2))
        else {
            Issue.record("the accessory refused")
            return
        }
        let keys = try controller.handleM4(m4)
        #expect(keys == verified.keys)
        #expect(keys.accessoryToController != keys.controllerToAccessory)
        #expect(try keys != self.keys())
    }
}

extension PairVerifyTests {
    private static func pairings() throws -> PairingList {
        PairingList([try Transcript.pairing()])
    }

    private static func controller() throws -> PairVerifyController {
        PairVerifyController(
            identity: try Transcript.controller(),
            accessory: try Transcript.pairedAccessory()
        )
    }

    private func keys() throws -> SessionKeys {
        SessionKeys(
            accessoryToController: try #require(FrameKey(vector.accessory_to_controller_key.bytes)),
            controllerToAccessory: try #require(FrameKey(vector.controller_to_accessory_key.bytes))
        )
    }

    private func handle(
        _ accessory: inout PairVerifyAccessory,
        _ message: [UInt8],
        pairings: PairingList? = nil
    ) throws -> PairVerifyAccessory.Action {
        var generator = SystemRandomNumberGenerator()
        return accessory.handle(message, pairings: try pairings ?? Self.pairings(), using: &generator)
    }

    private func afterM2() throws -> PairVerifyAccessory {
        var accessory = PairVerifyAccessory(identity: try Transcript.accessory())
        var generator = ScriptedGenerator(vector.accessory_ephemeral_private.bytes)
        _ = accessory.handle(vector.M1.bytes, pairings: try Self.pairings(), using: &generator)
        return accessory
    }

    private func afterM1() throws -> PairVerifyController {
        var controller = try Self.controller()
        var generator = ScriptedGenerator(vector.controller_ephemeral_private.bytes)
        _ = controller.start(using: &generator)
        return controller
    }

    private func isBadRequest(_ action: PairVerifyAccessory.Action) -> Bool {
        if case .badRequest = action { true } else { false }
    }

    private func code(_ body: () throws -> Any) -> PairingFailure.Code? {
        let failure = #expect(throws: PairingFailure.self) { _ = try body() }
        return failure?.code
    }
}
