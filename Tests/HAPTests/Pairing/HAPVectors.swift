import Foundation
import HAP

/// The file of test vectors: published ones, and ones computed with third-party implementations.
struct HAPVectors: Decodable, Sendable {
    let srp: SRPSection
    let hkdf: [HKDFCase]
    let chacha20_poly1305: [AEADCase]
    let ed25519: [Ed25519Case]
    let x25519: [X25519Case]
    let pair_setup_transcript: PairSetupTranscript
    let transient_pair_setup: TransientPairSetup
    let pair_verify_transcript: PairVerifyTranscript
    let session_framing: FramingSection
    let tlv8: [TLV8Case]
    let setup_payload: SetupPayloadSection
    let setup_hash: SetupHashSection
    let setup_code: SetupCodeSection

    static let all: HAPVectors = {
        guard let url = Bundle.module.url(forResource: "hap-vectors", withExtension: "json", subdirectory: "Vectors"),
            let data = try? Data(contentsOf: url)
        else { fatalError("Vectors/hap-vectors.json is not in the test bundle") }
        do {
            return try JSONDecoder().decode(HAPVectors.self, from: data)
        } catch {
            fatalError("Vectors/hap-vectors.json: \(error)")
        }
    }()
}

/// Bytes in hexadecimal. If the number of digits is odd, the first digit is a whole byte.
struct Hex: Decodable, Sendable, Equatable {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let bytes = Hex.bytes(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no hexadecimal: \(text)")
        }
        self.bytes = bytes
    }

    static func bytes(_ text: String) -> [UInt8]? {
        let text = text.count.isMultiple(of: 2) ? text : "0" + text
        var bytes: [UInt8] = []
        var rest = text[...]
        while !rest.isEmpty {
            guard let byte = UInt8(rest.prefix(2), radix: 16) else { return nil }
            bytes.append(byte)
            rest = rest.dropFirst(2)
        }
        return bytes
    }
}

extension HAPVectors {
    struct SRPSection: Decodable, Sendable {
        struct Group: Decodable, Sendable {
            let N: Hex
            let g: Hex
        }
        let group: Group
        let k: Hex
        let HN_xor_Hg: Hex
        let cases: [SRPCase]
    }

    struct SRPCase: Decodable, Sendable, CustomStringConvertible {
        struct Padded: Decodable, Sendable {
            let K: Hex
            let M1: Hex
            let M2: Hex
        }
        let name: String
        let user: String
        let password: String
        let salt: Hex
        let a: Hex?
        let b: Hex
        let x: Hex
        let u: Hex
        let v: Hex
        let A: Hex
        let B: Hex
        let S: Hex
        let K: Hex
        let M1: Hex
        let M2: Hex
        let if_everything_is_padded: Padded?
        var description: String { name }
    }

    struct HKDFCase: Decodable, Sendable, CustomStringConvertible {
        let name: String
        let hash: String
        let ikm: Hex
        let salt: Hex
        let info: Hex
        let length: Int
        let okm: Hex
        var description: String { name }
    }

    struct AEADCase: Decodable, Sendable, CustomStringConvertible {
        let name: String
        let key: Hex
        let nonce12: Hex
        let aad: Hex
        let plaintext: Hex
        let ciphertext: Hex
        let tag: Hex
        var description: String { name }
    }

    struct Ed25519Case: Decodable, Sendable, CustomStringConvertible {
        let name: String
        let seed: Hex
        let `public`: Hex
        let message: Hex
        let signature: Hex
        var description: String { name }
    }

    struct X25519Case: Decodable, Sendable, CustomStringConvertible {
        let name: String
        let `private`: Hex
        let peer_public: Hex?
        let shared: Hex?
        let `public`: Hex?
        var description: String { name }
    }

    struct PairSetupTranscript: Decodable, Sendable {
        let setup_code: String
        let accessory_pairing_id: String
        let controller_pairing_id: String
        let accessory_ltsk_seed: Hex
        let accessory_ltpk: Hex
        let controller_ltsk_seed: Hex
        let controller_ltpk: Hex
        let salt: Hex
        let a: Hex
        let b: Hex
        let K: Hex
        let M1: Hex
        let M2: Hex
        let M3: Hex
        let M4: Hex
        let M5: Hex
        let M6: Hex
    }

    struct TransientPairSetup: Decodable, Sendable {
        let flags_transient_only_tlv: Hex
        let flags_split_only_tlv: Hex
        let flags_transient_and_split_tlv: Hex
        let accessory_to_controller_key: Hex
        let controller_to_accessory_key: Hex
    }

    struct PairVerifyTranscript: Decodable, Sendable {
        let controller_ephemeral_private: Hex
        let controller_ephemeral_public: Hex
        let accessory_ephemeral_private: Hex
        let accessory_ephemeral_public: Hex
        let shared_secret: Hex
        let encrypt_key: Hex
        let M1: Hex
        let M2: Hex
        let M3: Hex
        let M4: Hex
        let accessory_to_controller_key: Hex
        let controller_to_accessory_key: Hex
    }

    struct FramingSection: Decodable, Sendable {
        let cases: [FramingCase]
    }

    struct FramingCase: Decodable, Sendable, CustomStringConvertible {
        let name: String
        let key: Hex
        let first_counter: UInt64
        let next_counter: UInt64
        let plaintext_length: Int
        let plaintext_sha512: Hex
        let plaintext: String
        let stream_length: Int
        let stream: Hex?
        let stream_sha512: Hex
        var description: String { name }

        /// The plaintext, which the file specifies by a rule if it is long.
        var plaintextBytes: [UInt8] {
            Hex.bytes(plaintext) ?? (0..<plaintext_length).map { UInt8(truncatingIfNeeded: $0 * 7 + 3) }
        }
    }

    struct TLV8Case: Decodable, Sendable, CustomStringConvertible {
        struct Item: Decodable, Sendable {
            let type: UInt8
            let value: Hex

            init(from decoder: any Decoder) throws {
                var container = try decoder.unkeyedContainer()
                type = try container.decode(UInt8.self)
                value = try container.decode(Hex.self)
            }
        }
        let name: String
        let items: [Item]?
        let encoded: Hex
        let decoded: [Item]?
        let decoded_same: Bool?
        let isRefused: Bool
        var description: String { name }

        private enum Key: CodingKey {
            case name, items, encoded, decoded, decoded_same
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            name = try container.decode(String.self, forKey: .name)
            items = try container.decodeIfPresent([Item].self, forKey: .items)
            encoded = try container.decode(Hex.self, forKey: .encoded)
            decoded = try container.decodeIfPresent([Item].self, forKey: .decoded)
            decoded_same = try container.decodeIfPresent(Bool.self, forKey: .decoded_same)
            isRefused = try container.contains(.decoded) && container.decodeNil(forKey: .decoded)
        }
    }

    struct SetupPayloadSection: Decodable, Sendable {
        let cases: [SetupPayloadCase]
    }

    struct SetupPayloadCase: Decodable, Sendable, CustomStringConvertible {
        let code: String?
        let category: UInt8
        let ip: Bool
        let ble: Bool
        let paired: Bool
        let setup_id: String?
        let uri: String
        var description: String { uri }
    }

    struct SetupHashSection: Decodable, Sendable {
        let cases: [SetupHashCase]
    }

    struct SetupHashCase: Decodable, Sendable, CustomStringConvertible {
        let setup_id: String
        let device_id: String
        let hash: Hex
        let sh: String
        var description: String { "\(setup_id) \(device_id)" }
    }

    struct SetupCodeSection: Decodable, Sendable {
        let forbidden: [String]
        let valid: [String]
        let malformed: [String]
    }
}
