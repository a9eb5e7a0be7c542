import Testing

@testable import HAP

/// The two sides of the pairing transcripts.
enum Transcript {
    static let setup = HAPVectors.all.pair_setup_transcript
    static let verify = HAPVectors.all.pair_verify_transcript

    static func code() throws -> SetupCode {
        try SetupCode(setup.setup_code)
    }

    /// Created once, because it takes an exponentiation.
    static let verifier = Result {
        SRPVerifier(username: SRPVerifier.username, password: try code().dashed, salt: setup.salt.bytes)
    }

    static func accessory() throws -> AccessoryIdentity {
        AccessoryIdentity(
            deviceID: try #require(DeviceID(setup.accessory_pairing_id)),
            keyPair: try #require(LongTermKeyPair(seed: setup.accessory_ltsk_seed.bytes))
        )
    }

    static func controller() throws -> ControllerIdentity {
        ControllerIdentity(
            pairingID: try #require(PairingID(setup.controller_pairing_id)),
            keyPair: try #require(LongTermKeyPair(seed: setup.controller_ltsk_seed.bytes))
        )
    }

    /// Returns the accessory's record at the end of pair-setup.
    static func pairing() throws -> Pairing {
        Pairing(
            controllerID: try controller().pairingID,
            publicKey: try #require(LongTermPublicKey(setup.controller_ltpk.bytes)),
            permissions: .admin
        )
    }

    /// Returns the controller's record at the end of pair-setup.
    static func pairedAccessory() throws -> PairedAccessory {
        PairedAccessory(
            deviceID: try accessory().deviceID,
            publicKey: try #require(LongTermPublicKey(setup.accessory_ltpk.bytes))
        )
    }
}

/// Returns the bytes of a message with the given types and values.
func message(_ items: (TLVType, [UInt8])...) -> [UInt8] {
    TLV8(items.map { TLV8.Item($0.0, $0.1) }).encoded()
}

/// Returns the bytes of an accessory's refusal.
func refusal(_ state: PairingState, _ error: PairingError) -> [UInt8] {
    message((.state, [state.rawValue]), (.error, [UInt8(error.rawValue)]))
}
