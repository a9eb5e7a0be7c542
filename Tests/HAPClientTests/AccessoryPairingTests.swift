import Foundation
import HAP
import Testing

@testable import HAPClient

@Suite struct AccessoryPairingTests {
    private func pairing() throws -> AccessoryPairing {
        AccessoryPairing(
            deviceID: .random(),
            accessoryPublicKey: LongTermKeyPair.random().publicKey,
            controllerIdentity: ControllerIdentity(
                pairingID: try #require(PairingID("CONTROLLER")),
                keyPair: .random()
            )
        )
    }

    @Test func isStoredAndReadBackWhole() throws {
        let pairing = try pairing()
        let stored = try JSONEncoder().encode(pairing)
        #expect(try JSONDecoder().decode(AccessoryPairing.self, from: stored) == pairing)
    }

    @Test func aSeedOfAnotherLengthIsRefused() throws {
        var fields = try #require(
            JSONSerialization.jsonObject(with: JSONEncoder().encode(pairing())) as? [String: String]
        )
        fields["controllerSeed"] = "AAAA"
        let stored = try JSONSerialization.data(withJSONObject: fields)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(AccessoryPairing.self, from: stored) }
    }

    @Test func printingShowsNoSecret() throws {
        let pairing = try pairing()
        var dumped = ""
        dump(pairing, to: &dumped)
        let secret = pairing.controllerIdentity.keyPair.seed.prefix(8).map { Int($0) }
        for text in [dumped, "\(pairing)", String(reflecting: pairing)] {
            let numbers = text.split { !$0.isNumber }.compactMap { Int($0) }
            #expect(!numbers.contains(secret))
        }
        #expect("\(pairing)" == "pairing with \(pairing.deviceID)")
    }
}
