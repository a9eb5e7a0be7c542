import HAP
import HAPCatalog
import NIOCore
import NIOPosix
import Testing

@testable import HAPClient

/// Tests that printing or dumping values with keys or codes doesn't reveal them.
@Suite struct SecretRedactionTests {
    private let seed = (0..<32).map { UInt8(101 + $0 * 3) }
    private let controller: ControllerIdentity
    private let pairing: AccessoryPairing
    private let code: SetupCode

    init() throws {
        controller = ControllerIdentity(
            pairingID: try #require(PairingID("CONTROLLER")),
            keyPair: try #require(LongTermKeyPair(seed: seed))
        )
        pairing = AccessoryPairing(
            deviceID: .random(),
            accessoryPublicKey: LongTermKeyPair.random().publicKey,
            controllerIdentity: controller
        )
        code = try SetupCode("482-06-913")
    }

    /// Returns the textual forms of a value that reveal the code, or the beginning of these bytes in any common
    /// notation.
    private func traces(of secret: [UInt8], in value: some Any) -> [String] {
        var dumped = ""
        dump(value, to: &dumped)
        let start = secret.prefix(4)
        let numbers = start.map { Int($0) }
        let hexadecimal = start.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
        let base64 = Base64.encode(Array(secret.prefix(3)))
        return [dumped, "\(value)", String(describing: value), String(reflecting: value)].filter { text in
            text.split { !$0.isNumber }.compactMap { Int($0) }.contains(numbers)
                || [hexadecimal, base64, code.dashed, String(code.number)].contains { text.contains($0) }
                || text.contains(hexadecimal.uppercased())
        }
    }

    private func expectNoTrace(
        of secret: [UInt8],
        in value: some Any,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(traces(of: secret, in: value).isEmpty, sourceLocation: sourceLocation)
    }

    @Test func theCheckFindsWhatIsPrinted() {
        #expect(traces(of: seed, in: seed).count == 4)
        #expect(traces(of: seed, in: ["key": Base64.encode(seed)]).count == 4)
        #expect(traces(of: seed, in: controller.keyPair.seed[...]).count == 4)
        #expect(traces(of: seed, in: code.dashed).count == 4)
    }

    @Test func longTermKeysAreNotPrinted() {
        expectNoTrace(of: seed, in: controller.keyPair)
        expectNoTrace(of: seed, in: controller)
        expectNoTrace(of: seed, in: pairing)
        expectNoTrace(of: seed, in: [Optional(pairing)])
        expectNoTrace(of: seed, in: PairerError.notPrepared(PairingFailure(.busy, reason: "\(pairing)")))
        expectNoTrace(of: seed, in: AccessoryIdentity(deviceID: pairing.deviceID, keyPair: controller.keyPair))
    }

    @Test func setupCodesAreNotPrinted() throws {
        expectNoTrace(of: seed, in: code)
        expectNoTrace(of: seed, in: SetupPayload(category: 5, setupCode: code, setupID: nil))
        expectNoTrace(of: seed, in: SRPVerifier(setupCode: code))
        let error = try #require(throws: SetupCodeError.self) { try SetupCode("482-06-913-") }
        expectNoTrace(of: seed, in: error)
    }

    @Test func theExchangesOfPairingAreNotPrinted() throws {
        var generator = SystemRandomNumberGenerator()
        var setup = PairSetupController(identity: controller, setupCode: code, expecting: nil)
        _ = setup.start()
        expectNoTrace(of: seed, in: setup)
        var verify = VerifyExchange(pairing: pairing, host: "host")
        _ = verify.start()
        expectNoTrace(of: seed, in: verify)
        let verifier = SRPVerifier(setupCode: code)
        let server = SRPServer(verifier: verifier, using: &generator)
        let client = try SRPClient(
            setupCode: code,
            salt: verifier.salt,
            serverKey: server.publicKey,
            using: &generator
        )
        let agreement = try server.agree(clientKey: client.publicKey, clientProof: client.proof)
        for value in [setup, verify, verifier, server, client, agreement] as [Any] {
            expectNoTrace(of: agreement.sessionKey, in: value)
            expectNoTrace(of: verifier.bytes, in: value)
        }
    }

    @Test func sessionKeysAreNotPrinted() throws {
        let key = try #require(FrameKey(seed))
        expectNoTrace(of: seed, in: key)
        expectNoTrace(of: seed, in: SessionKeys(accessoryToController: key, controllerToAccessory: key))
        expectNoTrace(of: seed, in: FrameSealer(key: key))
        expectNoTrace(of: seed, in: FrameOpener(key: key))
    }

    @Test func sessionsArePrintedWithoutTheirKeys() async throws {
        let session = AccessorySession(pairing: pairing, addresses: []) { _ in }
        expectNoTrace(of: seed, in: session)
        let eventLoop = MultiThreadedEventLoopGroup.singleton.next()
        try await eventLoop.submit { [pairing, seed] in
            let driver = SessionDriver(
                pairing: pairing,
                machine: SessionMachine(
                    controllerID: pairing.controllerIdentity.pairingID,
                    addresses: [],
                    configuration: .forTests,
                    generator: SystemRandomNumberGenerator()
                ),
                eventLoop: eventLoop,
                onEvent: { _ in }
            )
            var dumped = ""
            dump(driver, to: &dumped)
            let numbers = dumped.split { !$0.isNumber }.compactMap { Int($0) }
            #expect(!numbers.contains(seed.prefix(4).map { Int($0) }))
        }.get()
        await session.stop()
    }

    @Test func authorizationDataIsNotPrinted() {
        let write = CharacteristicWrite(id: Fixture.on, value: .bool(true), authorizationData: seed)
        expectNoTrace(of: seed, in: write)
        expectNoTrace(of: seed, in: QueuedRequest.Kind.write(write))
        let entry = CharacteristicWriteRequest.Entry(id: Fixture.on, value: .bool(true), authorizationData: seed)
        expectNoTrace(of: seed, in: CharacteristicWriteRequest(entries: [entry]))
        expectNoTrace(of: seed, in: RequestBatch.Content.write([entry], .plain))
        var dumped = ""
        dump(write, to: &dumped)
        #expect(dumped.contains("1.9"))
    }
}
