import HAP
import Testing

// The example of Sources/HAP/HAP.docc/HAP.md. A test looks for every block of that page in this file.

func pairInMemory(
    _ controllerIdentity: ControllerIdentity,
    with accessoryIdentity: AccessoryIdentity,
    code: SetupCode
) throws -> PairedAccessory? {
    var random = SystemRandomNumberGenerator()
    var controller = PairSetupController(
        identity: controllerIdentity,
        setupCode: code,
        expecting: accessoryIdentity.deviceID
    )
    var accessory = PairSetupAccessory(
        identity: accessoryIdentity,
        verifier: SRPVerifier(setupCode: code),
        failedTries: 0
    )

    func post(_ message: [UInt8]) -> PairSetupAccessory.Action {
        accessory.handle(message, from: ConnectionID(rawValue: 1), isPaired: false, at: .now, using: &random)
    }

    guard case .reply(let m2) = post(controller.start()) else { return nil }
    let m3 = try controller.handleM2(m2, using: &random)
    guard case .reply(let m4) = post(m3) else { return nil }
    let m5 = try controller.handleM4(m4)
    guard case .storePairingThenReply(_, reply: let m6, ifStoringFails: _) = post(m5) else { return nil }
    return try controller.handleM6(m6)
}

@Suite struct PageExampleTests {
    @Test func theExamplePairs() throws {
        var random = SystemRandomNumberGenerator()
        let accessory = AccessoryIdentity.random(using: &random)
        let controller = ControllerIdentity(
            pairingID: try #require(PairingID("Controller")),
            keyPair: .random(using: &random)
        )
        let paired = try pairInMemory(controller, with: accessory, code: try SetupCode("518-08-582"))
        #expect(paired == PairedAccessory(deviceID: accessory.deviceID, publicKey: accessory.keyPair.publicKey))
    }
}
