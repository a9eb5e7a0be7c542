import Foundation
import Testing

@testable import HAP

@Suite struct IdentityTests {
    @Test func aDeviceIDIsReadInEitherCaseAndWrittenInUpperCase() throws {
        let id = try #require(DeviceID("e1:91:1a:70:85:AA"))
        #expect(id.description == "E1:91:1A:70:85:AA")
        #expect(id == DeviceID("E1:91:1A:70:85:AA"))
        #expect(id.bytes == [0xE1, 0x91, 0x1A, 0x70, 0x85, 0xAA])
        #expect(id != DeviceID("E1:91:1A:70:85:AB"))
    }

    @Test(arguments: [
        "", "E1:91:1A:70:85", "E1:91:1A:70:85:AA:00", "E1-91-1A-70-85-AA", "E1911A7085AA", "E1:91:1A:70:85:A",
        "E1:91:1A:70:85:AG", "E1:91:1A:70:85:AA ", "E1:91:1A:70:85:+A", "E:191:1A:70:85:AA", "E1:91:1A:70:85:éA",
    ])
    func otherTextsAreNoDeviceID(_ text: String) {
        #expect(DeviceID(text) == nil)
    }

    @Test func randomDeviceIDsUseSixBytesOfTheGenerator() {
        var generator = ScriptedGenerator([1, 2, 3, 0xAB, 0xCD, 0xEF])
        #expect(DeviceID.random(using: &generator).description == "01:02:03:AB:CD:EF")
    }

    @Test func aPairingIDHasOneTo36Bytes() throws {
        #expect(PairingID("") == nil)
        #expect(PairingID("x")?.description == "x")
        #expect(PairingID(String(repeating: "x", count: 36)) != nil)
        #expect(PairingID(String(repeating: "x", count: 37)) == nil)
        #expect(PairingID(String(repeating: "ä", count: 18)) != nil)
        #expect(PairingID(String(repeating: "ä", count: 19)) == nil)
        #expect(PairingID(identifier: [0xFF]) == nil)
    }

    @Test func pairingIDsAreComparedByTheirBytes() throws {
        let composed = try #require(PairingID("\u{E9}"))
        let decomposed = try #require(PairingID("e\u{301}"))
        #expect(composed.description == decomposed.description)
        #expect(composed != decomposed)
        #expect(Set([composed, decomposed]).count == 2)
        #expect(PairingID("abc") != PairingID("ABC"))
        #expect(PairingID(identifier: decomposed.identifier) == decomposed)
    }

    @Test func recordsSurviveCoding() throws {
        let key = LongTermKeyPair.random().publicKey
        let pairing = Pairing(
            controllerID: try #require(PairingID("5FD1EC15-7E2A-4B6E-9C3A-0A6B3B7C1D20")),
            publicKey: key,
            permissions: .admin
        )
        let accessory = PairedAccessory(deviceID: .random(), publicKey: key)
        let coded = try JSONEncoder().encode(pairing)
        #expect(try JSONDecoder().decode(Pairing.self, from: coded) == pairing)
        #expect(
            try JSONDecoder().decode(PairedAccessory.self, from: JSONEncoder().encode(accessory)) == accessory
        )
    }

    @Test(arguments: [
        #"{"controllerID":"","publicKey":"KEY","permissions":1}"#,
        #"{"controllerID":"x","publicKey":"00","permissions":1}"#,
        #"{"controllerID":"x","publicKey":"KEY","permissions":2}"#,
    ])
    func damagedRecordsAreRefused(_ text: String) {
        let text = text.replacingOccurrences(of: "KEY", with: String(repeating: "0", count: 64))
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(Pairing.self, from: Data(text.utf8)) }
    }

    @Test func secretsDoNotShowThemselves() throws {
        let pair = try #require(LongTermKeyPair(seed: [UInt8](repeating: 77, count: 32)))
        let identity = AccessoryIdentity(deviceID: try #require(DeviceID("01:02:03:04:05:06")), keyPair: pair)
        let verifier = try #require(
            SRPVerifier(salt: [UInt8](repeating: 77, count: 16), bytes: [UInt8](repeating: 77, count: 384))
        )
        var dumped = ""
        dump(identity, to: &dumped)
        dump(verifier, to: &dumped)
        for text in ["\(pair)", "\(identity)", String(reflecting: identity), "\(verifier)", dumped] {
            #expect(!text.contains("77, 77") && !text.contains("- 77"))
        }
        #expect("\(identity)".contains("01:02:03:04:05:06"))
        let setup = PairSetupAccessory(identity: identity, verifier: verifier, failedTries: 0)
        #expect("\(setup)" == "PairSetupAccessory(redacted)")
    }
}
