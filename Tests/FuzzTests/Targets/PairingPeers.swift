import HAP

/// An accessory and a controller that are paired, or are about to be.
enum PairingPeers {
    static let accessory = AccessoryIdentity(deviceID: deviceID, keyPair: accessoryKeys)
    static let controller = ControllerIdentity(pairingID: controllerID, keyPair: controllerKeys)
    static let stranger = ControllerIdentity(pairingID: controllerID, keyPair: strangerKeys)
    static let pairing = Pairing(controllerID: controllerID, publicKey: controllerKeys.publicKey, permissions: .admin)
    static let pairedAccessory = PairedAccessory(deviceID: deviceID, publicKey: accessoryKeys.publicKey)
    static let rightCode = code(31_45_154)
    static let wrongCode = code(31_45_155)
    static let verifier: SRPVerifier = {
        var generator = RepeatableGenerator(seed: 4)
        return SRPVerifier(setupCode: rightCode, using: &generator)
    }()

    private static let deviceID: DeviceID = {
        var generator = RepeatableGenerator(seed: 1)
        return .random(using: &generator)
    }()
    private static let controllerID = PairingID("C0FFEE00-0000-4000-8000-000000000001") ?? fallback
    private static let accessoryKeys = keys(1)
    private static let controllerKeys = keys(2)
    private static let strangerKeys = keys(3)

    private static var fallback: PairingID { preconditionFailure("the identifier is not a valid one") }

    private static func keys(_ seed: UInt64) -> LongTermKeyPair {
        var generator = RepeatableGenerator(seed: seed)
        return .random(using: &generator)
    }

    private static func code(_ number: UInt32) -> SetupCode {
        guard let code = try? SetupCode(number: number) else { preconditionFailure("the code is not a valid one") }
        return code
    }
}
