import Testing

@testable import HAP

@Suite struct PairSetupAccessoryTests {
    private typealias Action = PairSetupAccessory.Action

    private let vector = Transcript.setup
    private let start = ContinuousClock.now
    private let first = ConnectionID(rawValue: 1)
    private let second = ConnectionID(rawValue: 2)

    @Test func theTranscriptComesOutByteForByte() throws {
        var accessory = try Self.accessory(failedTries: 7)
        var generator = ScriptedGenerator(vector.b.bytes)
        let m2 = accessory.handle(vector.M1.bytes, from: first, isPaired: false, at: start, using: &generator)
        #expect(m2 == .reply(vector.M2.bytes))
        let m4 = accessory.handle(vector.M3.bytes, from: first, isPaired: false, at: start, using: &generator)
        #expect(m4 == .reply(vector.M4.bytes))
        #expect(accessory.failedTries == 7)
        let m6 = accessory.handle(vector.M5.bytes, from: first, isPaired: false, at: start, using: &generator)
        #expect(
            m6
                == .storePairingThenReply(
                    try Transcript.pairing(),
                    reply: vector.M6.bytes,
                    ifStoringFails: refusal(.m6, .unknown)
                )
        )
        #expect(accessory.failedTries == 0)
        #expect(generator.isUsedUp)
    }

    @Test func aWrongCodeIsCountedAndAnsweredWithAuthentication() throws {
        var accessory = try Self.accessory()
        #expect(try sendM1(&accessory, first) == vector.M2.bytes)
        var controller = PairSetupController(
            identity: try Transcript.controller(),
            setupCode: try SetupCode("518-08-583"),
            expecting: nil
        )
        _ = controller.start()
        var generator = SystemRandomNumberGenerator()
        let m3 = try controller.handleM2(vector.M2.bytes, using: &generator)
        let action = handle(&accessory, m3, first)
        #expect(action == .storeFailedTriesThenReply(failedTries: 1, reply: refusal(.m4, .authentication)))
        #expect(accessory.failedTries == 1)
    }

    @Test func afterAWrongProofOnlyM1GoesOn() throws {
        for next in [vector.M3.bytes, vector.M5.bytes] {
            var accessory = try Self.accessory()
            try sendM1(&accessory, first)
            #expect(try failedTries(handle(&accessory, Self.wrongM3, first)) == 1)
            #expect(isBadRequest(handle(&accessory, next, first)))
            #expect(accessory.failedTries == 1)
        }
    }

    @Test(arguments: [
        [], [0], [UInt8](repeating: 0, count: 384), HAPVectors.all.srp.group.N.bytes,
    ])
    func aKeyThatFixesTheSecretIsCountedAndAnsweredWithAuthentication(_ key: [UInt8]) throws {
        var accessory = try Self.accessory()
        try sendM1(&accessory, first)
        let m3 = message((.state, [3]), (.publicKey, key), (.proof, [UInt8](repeating: 0, count: 64)))
        let action = handle(&accessory, m3, first)
        #expect(action == .storeFailedTriesThenReply(failedTries: 1, reply: refusal(.m4, .authentication)))
    }

    @Test func malformedM3sAreBadRequestsAndEndTheAttempt() throws {
        let proof = [UInt8](repeating: 0, count: 64)
        let twiceThePrime = [1] + HAPVectors.all.srp.group.N.bytes.dropLast() + [0xFE]
        let malformed = [
            message((.state, [3]), (.publicKey, [UInt8](repeating: 1, count: 385)), (.proof, proof)),
            message((.state, [3]), (.publicKey, twiceThePrime), (.proof, proof)),
            message((.state, [3]), (.publicKey, [2]), (.proof, Array(proof.dropLast()))),
            message((.state, [3]), (.publicKey, [2]), (.proof, proof + [0])),
            message((.state, [3]), (.publicKey, [2])),
            message((.state, [3]), (.proof, proof)),
            message((.publicKey, [2]), (.proof, proof)),
            message((.state, []), (.publicKey, [2]), (.proof, proof)),
            message((.state, [3, 1]), (.publicKey, [2]), (.proof, proof)),
            message((.state, [3]), (.publicKey, [2]), (.proof, proof), (.publicKey, [2])),
            Array(vector.M3.bytes.dropLast()),
            [],
        ]
        for m3 in malformed {
            var accessory = try Self.accessory()
            try sendM1(&accessory, first)
            #expect(isBadRequest(handle(&accessory, m3, first)))
            #expect(accessory.failedTries == 0)
            #expect(isBadRequest(handle(&accessory, vector.M3.bytes, first)))
        }
    }

    @Test func everyTruncatedMessageIsABadRequest() throws {
        for (stage, bytes) in [vector.M1.bytes, vector.M3.bytes, vector.M5.bytes].enumerated() {
            for count in 0..<bytes.count {
                var accessory = try Self.accessory()
                if stage > 0 && count.isMultiple(of: 16) {
                    try sendM1(&accessory, first)
                }
                #expect(isBadRequest(handle(&accessory, Array(bytes.prefix(count)), first)))
            }
        }
    }

    @Test func messagesOutOfOrderAreBadRequests() throws {
        for message in [vector.M2.bytes, vector.M3.bytes, vector.M4.bytes, vector.M5.bytes, vector.M6.bytes] {
            var accessory = try Self.accessory()
            #expect(isBadRequest(handle(&accessory, message, first)))
        }
        // Send M5 right after M1, and M3 twice.
        var accessory = try Self.accessory()
        try sendM1(&accessory, first)
        #expect(isBadRequest(handle(&accessory, vector.M5.bytes, first)))
        try sendM1(&accessory, first)
        #expect(handle(&accessory, vector.M3.bytes, first) == .reply(vector.M4.bytes))
        #expect(isBadRequest(handle(&accessory, vector.M3.bytes, first)))
        #expect(isBadRequest(handle(&accessory, vector.M5.bytes, first)))
    }

    @Test func aFinishedExchangeIsOver() throws {
        var accessory = try Self.accessory()
        try sendM1(&accessory, first)
        _ = handle(&accessory, vector.M3.bytes, first)
        _ = handle(&accessory, vector.M5.bytes, first)
        #expect(isBadRequest(handle(&accessory, vector.M5.bytes, first)))
        #expect(isBadRequest(handle(&accessory, vector.M3.bytes, first)))
    }

    @Test func aSecondM1BeginsAnewWithAnotherKey() throws {
        var accessory = try Self.accessory()
        try sendM1(&accessory, first)
        // The proof for the first B is invalid for the second.
        guard case .reply(let m2) = handle(&accessory, vector.M1.bytes, first) else {
            Issue.record("no M2")
            return
        }
        #expect(m2 != vector.M2.bytes)
        #expect(try failedTries(handle(&accessory, vector.M3.bytes, first)) == 1)
        // Also send a second M1 after M4.
        try sendM1(&accessory, first)
        _ = handle(&accessory, vector.M3.bytes, first)
        try sendM1(&accessory, first)
        #expect(isBadRequest(handle(&accessory, vector.M5.bytes, first)))
    }

    @Test func anotherConnectionIsBusyUntilTheFirstCloses() throws {
        var accessory = try Self.accessory()
        try sendM1(&accessory, first)
        #expect(handle(&accessory, vector.M1.bytes, second) == .reply(refusal(.m2, .busy)))
        #expect(isBadRequest(handle(&accessory, vector.M3.bytes, second)))
        // None of this affects the first connection.
        #expect(handle(&accessory, vector.M3.bytes, first) == .reply(vector.M4.bytes))
        accessory.connectionClosed(second)
        #expect(handle(&accessory, vector.M1.bytes, second) == .reply(refusal(.m2, .busy)))
        accessory.connectionClosed(first)
        #expect(try sendM1(&accessory, second) == vector.M2.bytes)
    }

    @Test func aStalledConnectionGivesWayAfterThirtySeconds() throws {
        var accessory = try Self.accessory()
        try sendM1(&accessory, first)
        let limit = start + .seconds(30)
        #expect(
            handle(&accessory, vector.M1.bytes, second, at: limit - .nanoseconds(1)) == .reply(refusal(.m2, .busy))
        )
        #expect(try sendM1(&accessory, second, at: limit) == vector.M2.bytes)
        #expect(isBadRequest(handle(&accessory, vector.M3.bytes, first, at: limit)))
        #expect(handle(&accessory, vector.M3.bytes, second, at: limit) == .reply(vector.M4.bytes))
    }

    @Test func aRepeatedM1DoesNotHoldOthersOff() throws {
        var accessory = try Self.accessory()
        try sendM1(&accessory, first)
        try sendM1(&accessory, first, at: start + .seconds(29))
        #expect(try sendM1(&accessory, second, at: start + .seconds(30)) == vector.M2.bytes)
    }

    @Test func everyStepForwardRenewsTheThirtySeconds() throws {
        var accessory = try Self.accessory()
        try sendM1(&accessory, first)
        _ = handle(&accessory, vector.M3.bytes, first, at: start + .seconds(29))
        let later = start + .seconds(58)
        #expect(handle(&accessory, vector.M1.bytes, second, at: later) == .reply(refusal(.m2, .busy)))
    }

    @Test func aPairedAccessoryIsUnavailableAtEveryStep() throws {
        var accessory = try Self.accessory(failedTries: 100)
        #expect(handle(&accessory, vector.M1.bytes, first, isPaired: true) == .reply(refusal(.m2, .unavailable)))
        accessory = try Self.accessory()
        try sendM1(&accessory, first)
        #expect(handle(&accessory, vector.M3.bytes, first, isPaired: true) == .reply(refusal(.m4, .unavailable)))
        try sendM1(&accessory, first)
        _ = handle(&accessory, vector.M3.bytes, first)
        #expect(handle(&accessory, vector.M5.bytes, first, isPaired: true) == .reply(refusal(.m6, .unavailable)))
        #expect(isBadRequest(handle(&accessory, vector.M5.bytes, first)))
    }

    @Test func theHundredthWrongCodeIsTheLast() throws {
        var accessory = try Self.accessory(failedTries: 98)
        for count in [99, 100] {
            try sendM1(&accessory, first)
            #expect(try failedTries(handle(&accessory, Self.wrongM3, first)) == count)
        }
        #expect(handle(&accessory, vector.M1.bytes, first) == .reply(refusal(.m2, .maxTries)))
        // The stored number survives a restart.
        accessory = try Self.accessory(failedTries: accessory.failedTries)
        #expect(handle(&accessory, vector.M1.bytes, first) == .reply(refusal(.m2, .maxTries)))
    }

    @Test func maxTriesComesBeforeBusy() throws {
        var accessory = try Self.accessory(failedTries: 99)
        try sendM1(&accessory, first)
        _ = handle(&accessory, Self.wrongM3, first)
        #expect(handle(&accessory, vector.M1.bytes, second) == .reply(refusal(.m2, .maxTries)))
    }

    @Test func theMethodOfTheFirstPublicRevisionCountsAsPairSetup() throws {
        var accessory = try Self.accessory()
        guard case .reply(let m2) = handle(&accessory, message((.state, [1]), (.method, [1])), first) else {
            Issue.record("the method was refused")
            return
        }
        let parsed = try TLV8(decoding: m2)
        #expect(parsed[.error] == nil)
        #expect(parsed[.publicKey]?.count == 384)
    }

    @Test(arguments: [[2], [6], [], [0, 1]] as [[UInt8]])
    func otherMethodsAreBadRequests(_ method: [UInt8]) throws {
        var accessory = try Self.accessory()
        #expect(isBadRequest(handle(&accessory, message((.state, [1]), (.method, method)), first)))
        #expect(isBadRequest(handle(&accessory, message((.state, [1])), first)))
        #expect(try sendM1(&accessory, second) == vector.M2.bytes)
    }

    @Test func aTransientSetUpEndsWithKeysAndClearsTheFailedTries() throws {
        let flags = HAPVectors.all.transient_pair_setup
        for (item, echo) in [
            (flags.flags_transient_only_tlv, []),
            (flags.flags_transient_and_split_tlv, flags.flags_transient_and_split_tlv.bytes),
        ] {
            var accessory = try Self.accessory(failedTries: 7)
            var generator = ScriptedGenerator(vector.b.bytes)
            let m1 = vector.M1.bytes + item.bytes
            let m2 = accessory.handle(m1, from: first, isPaired: false, at: start, using: &generator)
            #expect(m2 == .reply(vector.M2.bytes + echo))
            guard
                case .storeFailedTriesThenReplyAndSecure(let failedTries, let reply, let keys) =
                    handle(&accessory, vector.M3.bytes, first)
            else {
                Issue.record("no keys")
                continue
            }
            #expect(failedTries == 0 && accessory.failedTries == 0)
            #expect(reply == vector.M4.bytes)
            #expect(keys.accessoryToController.bytes == flags.accessory_to_controller_key.bytes)
            #expect(keys.controllerToAccessory.bytes == flags.controller_to_accessory_key.bytes)
            #expect(isBadRequest(handle(&accessory, vector.M5.bytes, first)))
            #expect(try sendM1(&accessory, second) == vector.M2.bytes)
        }
    }

    @Test func aSplitSetUpNeedsATransientOneBefore() throws {
        let flags = HAPVectors.all.transient_pair_setup
        let split = vector.M1.bytes + flags.flags_split_only_tlv.bytes
        var accessory = try Self.accessory()
        #expect(handle(&accessory, split, first) == .reply(refusal(.m2, .authentication)))
        // Without the split flag, the transient setup doesn't announce a split one.
        for (item, isExpected) in [
            (flags.flags_transient_only_tlv, false), (flags.flags_transient_and_split_tlv, true),
        ] {
            var generator = ScriptedGenerator(vector.b.bytes)
            let m1 = vector.M1.bytes + item.bytes
            _ = accessory.handle(m1, from: first, isPaired: false, at: start, using: &generator)
            _ = handle(&accessory, vector.M3.bytes, first)
            generator = ScriptedGenerator(vector.b.bytes)
            let m2 = accessory.handle(split, from: second, isPaired: false, at: start, using: &generator)
            let echo = vector.M2.bytes + flags.flags_split_only_tlv.bytes
            #expect(m2 == .reply(isExpected ? echo : refusal(.m2, .authentication)))
        }
        // It continues like any other, and ends with a setup that isn't a split one.
        #expect(handle(&accessory, vector.M3.bytes, second) == .reply(vector.M4.bytes))
        try sendM1(&accessory, second)
        #expect(handle(&accessory, split, second) == .reply(refusal(.m2, .authentication)))
    }

    @Test func unknownFlagsAreIgnoredAndLongOnesMalformed() throws {
        var accessory = try Self.accessory()
        var generator = ScriptedGenerator(vector.b.bytes)
        let m1 = vector.M1.bytes + [0x13, 4, 0x01, 0, 0, 0x80]
        let action = accessory.handle(m1, from: first, isPaired: false, at: start, using: &generator)
        #expect(action == .reply(vector.M2.bytes))
        #expect(isBadRequest(handle(&accessory, vector.M1.bytes + [0x13, 5, 1, 0, 0, 0, 0], first)))
        #expect(isBadRequest(handle(&accessory, vector.M1.bytes + [0x13, 0], first)))
    }

    @Test func anM5ThatIsNotTheControllersIsRefusedAndNothingStored() throws {
        let key = AEADKey(KeyDerivation.pairSetupEncryption.derive(from: vector.K.bytes))
        let identity = try Transcript.controller()
        let prefix = KeyDerivation.pairSetupControllerSignature.derive(from: vector.K.bytes)
        func m5(_ plaintext: [UInt8], nonce: MessageNonce = .pairSetupM5) throws -> [UInt8] {
            message((.state, [5]), (.encryptedData, key.seal(plaintext, nonce: nonce)))
        }
        func signed(before: [UInt8], after: [UInt8], identifier: [UInt8]) throws -> [UInt8] {
            try SignedIdentity(
                identifier: identifier,
                keyPair: identity.keyPair,
                includesKey: true,
                before: before,
                after: after
            ).encoded()
        }
        let id = identity.pairingID.identifier
        let publicKey = identity.keyPair.publicKey.bytes
        let good = try signed(before: prefix, after: publicKey, identifier: id)
        #expect(try m5(good) == vector.M5.bytes)
        var flipped = vector.M5.bytes
        flipped[flipped.count - 1] ^= 1
        let unauthentic = [
            flipped,
            try m5(good, nonce: .pairSetupM6),
            try m5(signed(before: [], after: publicKey, identifier: id)),
            try m5(signed(before: prefix, after: [], identifier: id)),
            message((.state, [5]), (.encryptedData, [UInt8](repeating: 0, count: 15))),
        ]
        let long = [UInt8](repeating: 65, count: 37)
        let malformed = [
            message((.state, [5])),
            try m5([]),
            try m5([1, 5]),
            try m5(signed(before: prefix, after: publicKey, identifier: [])),
            try m5(signed(before: prefix, after: publicKey, identifier: long)),
            try m5(signed(before: prefix, after: publicKey, identifier: [0xC0])),
            try m5(message((.identifier, id), (.signature, [UInt8](repeating: 0, count: 64)))),
            try m5(
                message((.identifier, id), (.publicKey, [1]), (.signature, [UInt8](repeating: 0, count: 64)))
            ),
        ]
        for bytes in unauthentic + malformed {
            var accessory = try Self.accessory(failedTries: 3)
            try sendM1(&accessory, first)
            _ = handle(&accessory, vector.M3.bytes, first)
            let action = handle(&accessory, bytes, first)
            if unauthentic.contains(bytes) {
                #expect(action == .reply(refusal(.m6, .authentication)))
            } else {
                #expect(isBadRequest(action))
            }
            #expect(accessory.failedTries == 3)
            #expect(isBadRequest(handle(&accessory, vector.M5.bytes, first)))
        }
    }
}

extension PairSetupAccessoryTests {
    private static let wrongM3 = message(
        (.state, [3]),
        (.publicKey, [2]),
        (.proof, [UInt8](repeating: 0, count: 64))
    )

    private static func accessory(failedTries: Int = 0) throws -> PairSetupAccessory {
        PairSetupAccessory(
            identity: try Transcript.accessory(),
            verifier: try Transcript.verifier.get(),
            failedTries: failedTries
        )
    }

    /// Sends the transcript's M1 with the transcript's private value, and returns M2.
    @discardableResult
    private func sendM1(
        _ accessory: inout PairSetupAccessory,
        _ connection: ConnectionID,
        at now: ContinuousClock.Instant? = nil
    ) throws -> [UInt8] {
        var generator = ScriptedGenerator(vector.b.bytes)
        let action = accessory.handle(
            vector.M1.bytes,
            from: connection,
            isPaired: false,
            at: now ?? start,
            using: &generator
        )
        guard case .reply(let m2) = action else {
            Issue.record("M1 was answered with \(action)")
            return []
        }
        return m2
    }

    private func handle(
        _ accessory: inout PairSetupAccessory,
        _ message: [UInt8],
        _ connection: ConnectionID,
        isPaired: Bool = false,
        at now: ContinuousClock.Instant? = nil
    ) -> PairSetupAccessory.Action {
        var generator = SystemRandomNumberGenerator()
        return accessory.handle(message, from: connection, isPaired: isPaired, at: now ?? start, using: &generator)
    }

    private func isBadRequest(_ action: PairSetupAccessory.Action) -> Bool {
        if case .badRequest = action { true } else { false }
    }

    private func failedTries(_ action: PairSetupAccessory.Action) throws -> Int? {
        guard case .storeFailedTriesThenReply(let failedTries, let reply) = action else { return nil }
        #expect(reply == refusal(.m4, .authentication))
        return failedTries
    }
}
