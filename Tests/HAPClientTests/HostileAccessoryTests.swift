import HAP
import HAPCatalog
import Testing

@testable import HAPClient

/// Tests hostile and faulty accessories. Each causes a specific error, with bounded time and memory.
struct HostileAccessoryTests {
    private static let okay = "HTTP/1.1 200 OK\r\nContent-Type: application/pairing+tlv8\r\n"

    /// Short timeouts.
    private static var impatient: PairerConfiguration {
        var configuration = PairerConfiguration()
        configuration.responseTimeout = .milliseconds(100)
        return configuration
    }

    /// Runs pair-setup with an accessory that answers M1 with these steps, and returns the error.
    private func errorOfPairing(
        _ steps: [FakeAccessory.Step],
        configuration: PairerConfiguration = PairerConfiguration()
    ) async throws -> PairerError? {
        let accessory = try await FakeAccessory.start(answersPlain: { _ in steps })
        let controller = ControllerIdentity(pairingID: try #require(PairingID("CONTROLLER")), keyPair: .random())
        let code = try SetupCode("031-45-154")
        var caught: PairerError?
        do throws(PairerError) {
            _ = try await AccessoryPairer(configuration: configuration).pair(
                at: [accessory.address],
                code: code,
                controller: controller,
                expecting: nil,
                beforeKeyExchange: {}
            )
        } catch {
            caught = error
        }
        await accessory.stop()
        return caught
    }

    /// Runs a session until it reports that the accessory is unreachable, and returns the cause.
    private func causeOfLoss(
        configuration: SessionConfiguration = .forTests,
        answersPlain: FakeAccessory.Script? = nil,
        _ steps: [FakeAccessory.Step]
    ) async throws -> UnreachableCause? {
        let accessory = try await FakeAccessory.start(answersPlain: answersPlain, script: { _ in steps })
        let log = EventLog()
        let session = AccessorySession(
            pairing: accessory.pairing,
            addresses: [accessory.address],
            configuration: configuration,
            onEvent: log.record
        )
        session.start()
        let cause = await log.unreachable()
        await session.stop()
        await accessory.stop()
        return cause
    }

    /// Runs a session until it has reported this number of activities, and returns them.
    private func activities(
        _ count: Int,
        configuration: SessionConfiguration = .forTests,
        answersPlain: FakeAccessory.Script? = nil,
        _ steps: [FakeAccessory.Step]
    ) async throws -> [SessionActivity] {
        let accessory = try await FakeAccessory.start(answersPlain: answersPlain, script: { _ in steps })
        let (stream, continuation) = AsyncStream<SessionActivity>.makeStream()
        let session = AccessorySession(
            pairing: accessory.pairing,
            addresses: [accessory.address],
            configuration: configuration,
            onEvent: { _ in },
            onActivity: { continuation.yield($0) }
        )
        session.start()
        var activities: [SessionActivity] = []
        for await activity in stream {
            if case .connected = activity { continue }
            activities.append(activity)
            if activities.count == count { break }
        }
        await session.stop()
        await accessory.stop()
        return activities
    }

    // MARK: Activity

    @Test func whoDoesNotVerifyInTimeIsCountedAsNotVerified() async throws {
        var configuration = SessionConfiguration.forTests
        configuration.verifyTimeout = .milliseconds(100)
        let reported = try await activities(3, configuration: configuration, answersPlain: { _ in [] }, [])
        #expect(reported == [.connecting, .notVerified(.timedOut), .connecting])
    }

    @Test func whoClosesWhileVerifyingIsCountedAsNotVerified() async throws {
        let reported = try await activities(2, answersPlain: { _ in [.close] }, [])
        #expect(reported == [.connecting, .notVerified(.connectionLost)])
    }

    @Test func whoRefusesToVerifyIsCountedOnceAsNotVerified() async throws {
        let reported = try await activities(3, answersPlain: { _ in [.send("HTTP/1.1 400 Bad Request\r\n\r\n")] }, [])
        guard reported.count == 3, reported[0] == .connecting, case .notVerified = reported[1],
            reported[2] == .connecting
        else {
            Issue.record("\(reported)")
            return
        }
    }

    @Test func whoDoesNotAnswerInTimeIsCountedAsLost() async throws {
        var configuration = SessionConfiguration.forTests
        configuration.responseTimeout = .milliseconds(100)
        let reported = try await activities(4, configuration: configuration, [])
        #expect(reported == [.connecting, .verified, .lost(.timedOut), .connecting])
    }

    // MARK: Pair-setup

    @Test(
        arguments: [
            [.send(okay + "Content-Length: 1099511627776\r\n\r\n")], [.send(okay + "Content-Length: 65537\r\n\r\n")],
            [
                .send(okay + "Transfer-Encoding: chunked\r\n\r\n"),
                .flood("400\r\n\(String(repeating: "x", count: 1_024))\r\n"),
            ],
            [.send(okay + "Connection: close\r\n\r\n"), .flood(String(repeating: "x", count: 1_024))],
            [.send("HTTP/1.1 200 OK\r\n"), .flood("X-Header: \(String(repeating: "x", count: 100))\r\n")],
            [.flood("HTTP/1.1 200 ")], [.flood("\r\n")],
            [.send(okay + "Transfer-Encoding: chunked\r\n\r\n0\r\n"), .flood("X-Trailer: x\r\n")],
            [.sendPlain([UInt8](repeating: 0, count: 100_000))],
        ] as [[FakeAccessory.Step]]
    )
    func whatNeverEndsIsCutOffAndCalledAViolation(steps: [FakeAccessory.Step]) async throws {
        let error = try await errorOfPairing(steps)
        guard case .unreachable(.protocolViolation)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test(
        arguments: [
            [], [.send("HTTP/1.1 200 OK\r\n"), .drip("X: y\r\n")],
            [.flood("EVENT/1.0 200 OK\r\nContent-Length: 0\r\n\r\n")],
            [.flood("HTTP/1.1 100 Continue\r\n\r\n")], [.send(okay + "Content-Length: 65536\r\n\r\n"), .drip("x")],
        ] as [[FakeAccessory.Step]]
    )
    func whoeverDoesNotAnswerInTimeIsGivenUpHoweverMuchComes(steps: [FakeAccessory.Step]) async throws {
        let error = try await errorOfPairing(steps, configuration: Self.impatient)
        guard case .unreachable(.timedOut)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test(
        arguments: [
            [.close], [.send("HTTP/1.1 20"), .close], [.send(okay + "Content-Length: 10\r\n\r\n12345"), .close],
            [.send(okay + "Transfer-Encoding: chunked\r\n\r\n5\r\nab"), .close],
        ] as [[FakeAccessory.Step]]
    )
    func whoeverClosesInTheMiddleIsLost(steps: [FakeAccessory.Step]) async throws {
        let error = try await errorOfPairing(steps)
        guard case .unreachable(.connectionLost)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    /// Returns a small multiple of N.
    private static func multiple(_ factor: UInt8) -> [UInt8] {
        var carry: UInt16 = 0
        var bytes: [UInt8] = []
        for byte in SRPPrime.bytes.reversed() {
            carry += UInt16(byte) * UInt16(factor)
            bytes.append(UInt8(truncatingIfNeeded: carry))
            carry >>= 8
        }
        if carry > 0 { bytes.append(UInt8(carry)) }
        return bytes.reversed()
    }

    @Test(arguments: [
        ([], PairingFailure.Code.impostor), ([0], .impostor), ([UInt8](repeating: 0, count: 384), .impostor),
        (multiple(1), .impostor), (multiple(2), .malformedReply), ([UInt8](repeating: 1, count: 385), .malformedReply),
        ([UInt8](repeating: 1, count: 60_000), .malformedReply),
    ])
    func aServerKeyThatWouldFixTheSecretIsRefused(key: [UInt8], code: PairingFailure.Code) async throws {
        let m2 = TLV8([
            .init(.state, [2]), .init(.publicKey, key), .init(.salt, [UInt8](repeating: 3, count: 16)),
        ])
        let error = try await errorOfPairing([.sendPlain(Wire.pairing(m2.encoded()))])
        guard case .pairing(let failure)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(failure.code == code)
    }

    @Test func theFirstMessageSentBackIsNoAnswer() async throws {
        let error = try await errorOfPairing([.sendPlain(Wire.pairing([6, 1, 1, 0, 1, 0]))])
        guard case .pairing(let failure)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(failure.code == .malformedReply)
    }

    // MARK: Pair-verify

    @Test(arguments: [
        [UInt8](repeating: 0, count: 32), [1] + [UInt8](repeating: 0, count: 31),
        [0xEC] + [UInt8](repeating: 0xFF, count: 30) + [0x7F], [UInt8](repeating: 7, count: 31),
        [UInt8](repeating: 7, count: 33),
    ])
    func aKeyOfLowOrderOrOfAnotherLengthIsRefused(key: [UInt8]) async throws {
        let m2 = TLV8([
            .init(.state, [2]), .init(.publicKey, key), .init(.encryptedData, [UInt8](repeating: 0, count: 120)),
        ])
        let cause = try await causeOfLoss(answersPlain: { _ in [.sendPlain(Wire.pairing(m2.encoded()))] }, [])
        guard case .verifyFailed? = cause else {
            Issue.record("\(String(describing: cause))")
            return
        }
    }

    @Test func aPairVerifyThatDripsIsGivenUp() async throws {
        var configuration = SessionConfiguration.forTests
        configuration.verifyTimeout = .milliseconds(100)
        let cause = try await causeOfLoss(configuration: configuration, answersPlain: { _ in [.drip("HTTP/1.1 ")] }, [])
        #expect(cause == .timedOut)
    }

    // MARK: Sessions

    @Test(
        arguments: [
            [.sendPlain([0, 0])], [.sendPlain([1, 4])], [.sendPlain([0xFF, 0xFF])],
            [.sendPlain([4, 0] + [UInt8](repeating: 9, count: 20))], [.replay("HTTP/1.1 1", times: 2)],
            [.sendByteByByte("SMTP\r\n")], [.send("HTTP/1.1 200 OK\r\nContent-Length: 2000\r\n\r\n")],
            [.send("HTTP/1.1 200 OK\r\n"), .flood("X-Header: \(String(repeating: "x", count: 100))\r\n")],
            [.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"), .flood("10\r\n0123456789abcdef\r\n")],
            [.flood("EVENT/1.0 200 OK\r\nContent-Length: 21\r\n\r\n{\"characteristics\":[]}")],
            [.send("HTTP/1.1 200 OK\r\nContent-Length: 80\r\n\r\n\(String(repeating: "[", count: 80))")],
            [.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")],
            [.send("HTTP/1.1 500 Internal Server Error\r\n\r\n")],
        ] as [[FakeAccessory.Step]]
    )
    func whatBreaksTheProtocolEndsTheConnectionAndIsNamed(steps: [FakeAccessory.Step]) async throws {
        var configuration = SessionConfiguration.forTests
        configuration.responseLimits.bodyLength = 1_999
        let cause = try await causeOfLoss(configuration: configuration, steps)
        guard case .protocolViolation(let reason)? = cause else {
            Issue.record("\(String(describing: cause))")
            return
        }
        #expect(!reason.isEmpty)
    }

    @Test(arguments: [[], [.send("HTTP/1.1 200 OK\r\n"), .drip("X: y\r\n")]] as [[FakeAccessory.Step]])
    func aRequestThatIsNotAnsweredInTimeEndsTheConnection(steps: [FakeAccessory.Step]) async throws {
        var configuration = SessionConfiguration.forTests
        configuration.responseTimeout = .milliseconds(100)
        #expect(try await causeOfLoss(configuration: configuration, steps) == .timedOut)
    }

    @Test func anAccessoryWithAnotherKeyIsToldFromOneThatForgotThePairing() async throws {
        let accessory = try await FakeAccessory.start()
        let log = EventLog()
        let session = AccessorySession(
            pairing: AccessoryPairing(
                deviceID: accessory.pairing.deviceID,
                accessoryPublicKey: LongTermKeyPair.random().publicKey,
                controllerIdentity: accessory.pairing.controllerIdentity
            ),
            addresses: [accessory.address],
            configuration: .forTests,
            onEvent: log.record
        )
        session.start()
        #expect(await log.unreachable() == .identityChanged)
        await session.stop()
        await accessory.stop()
    }

    @Test(arguments: ["470 Connection Authorization Required", "401 Unauthorized"])
    func whoeverRefusesThePairingWithoutAProofDoesNotEndAnOwedRemoval(status: String) async throws {
        let accessory = try await FakeAccessory.start(answersPlain: { _ in [.send(Wire.response(status))] })
        try await expectRefusal(by: accessory)
    }

    @Test func anAuthenticationErrorInM2IsNoProofEither() async throws {
        let m2 = TLV8([.init(.state, [2]), .init(.error, [2])])
        let accessory = try await FakeAccessory.start(answersPlain: { _ in [.sendPlain(Wire.pairing(m2.encoded()))] })
        try await expectRefusal(by: accessory)
    }

    private func expectRefusal(by accessory: FakeAccessory) async throws {
        let log = EventLog()
        let session = AccessorySession(
            pairing: accessory.pairing,
            addresses: [accessory.address],
            configuration: .forTests,
            onEvent: log.record
        )
        session.start()
        #expect(await log.unreachable() == .pairingRefused)
        await #expect(throws: AccessoryFailure.unreachable(.pairingRefused)) { try await session.removePairing() }
        await session.stop()
        await accessory.stop()
    }
}

/// N of RFC 5054's 3072-bit group (appendix A).
private enum SRPPrime {
    static let bytes: [UInt8] = hexadecimal.utf8.filter { $0 > 0x20 }.chunked(by: 2).compactMap { digits in
        UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
    }

    private static let hexadecimal = """
        ffffffffffffffffc90fdaa22168c234c4c6628b80dc1cd129024e088a67cc74020bbea63b139b22514a08798e3404dd
        ef9519b3cd3a431b302b0a6df25f14374fe1356d6d51c245e485b576625e7ec6f44c42e9a637ed6b0bff5cb6f406b7ed
        ee386bfb5a899fa5ae9f24117c4b1fe649286651ece45b3dc2007cb8a163bf0598da48361c55d39a69163fa8fd24cf5f
        83655d23dca3ad961c62f356208552bb9ed529077096966d670c354e4abc9804f1746c08ca18217c32905e462e36ce3b
        e39e772c180e86039b2783a2ec07a28fb5c55df06f4c52c9de2bcbf6955817183995497cea956ae515d2261898fa0510
        15728e5a8aaac42dad33170d04507a33a85521abdf1cba64ecfb850458dbef0a8aea71575d060c7db3970f85a6e1e4c7
        abf5ae8cdb0933d71e8c94e04a25619dcee3d2261ad2ee6bf12ffa06d98a0864d87602733ec86a64521f2b18177b200c
        bbe117577a615d6c770988c0bad946e208e24fa074e5ab3143db5bfce0fd108e4b82d120a93ad2caffffffffffffffff
        """
}

extension [UInt8] {
    fileprivate func chunked(by length: Int) -> [ArraySlice<UInt8>] {
        stride(from: 0, to: count, by: length).map { self[$0..<$0 + length] }
    }
}
