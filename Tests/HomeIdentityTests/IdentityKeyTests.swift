import Foundation
import HAP
import HomeIdentity
import Testing

@Suite struct IdentityKeyTests {
    /// RFC 8032, 7.1, test 1.
    static let seed = bytes("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60")
    static let publicKey = bytes("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a")

    static func bytes(_ text: String) -> [UInt8] {
        stride(from: 0, to: text.count, by: 2).compactMap { offset in
            UInt8(text.dropFirst(offset).prefix(2), radix: 16)
        }
    }

    @Test func aSeedHasThePublicKeyOfTheStandard() throws {
        let key = try #require(IdentityKey(seed: Self.seed))
        #expect(key.publicKey.bytes == Self.publicKey)
        #expect(key.seed == Self.seed)
        #expect(key.publicKey.base64 == "11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=")
    }

    @Test func aKeyIsKnownByTheStartOfItsDigest() throws {
        let key = try #require(PublicKey(Self.publicKey))
        #expect(key.fingerprint == Self.bytes("21fe31dfa154a261626bf854046fd227"))
        #expect(key.discoveryID == "21fe31dfa154a261")
    }

    @Test(arguments: [0, 31, 33])
    func keysOfAnotherLengthAreRefused(count: Int) {
        let bytes = [UInt8](repeating: 1, count: count)
        #expect(PublicKey(bytes) == nil)
        #expect(IdentityKey(seed: bytes) == nil)
        let json = Data("[\"\(Data(bytes).base64EncodedString())\"]".utf8)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([PublicKey].self, from: json) }
    }

    /// The values are those of Python's `cryptography`.
    @Test func aHubHasAControllerForEachHome() throws {
        let key = try #require(IdentityKey(seed: Self.seed))
        let home = UUID(uuid: (1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1))
        let controller = key.controller(of: home)
        #expect(controller.pairingID.description == "651F0599-2DC8-1FE8-4F16-04312B2EB1E3")
        #expect(
            controller.keyPair.publicKey.bytes
                == Self.bytes("ca585bb06caae50de79f72c77992cbcf00cc32591b5c7bad3d78a47737be9739")
        )
        #expect(key.controller(of: home) == controller)
        #expect(key.controller(of: UUID()).pairingID != controller.pairingID)
    }

    @Test func newKeysDiffer() {
        #expect(IdentityKey() != IdentityKey())
    }

    @Test func aKeyIsBase64InRecords() throws {
        let key = try #require(PublicKey(Self.publicKey))
        let json = try JSONEncoder().encode([key])
        #expect(try JSONDecoder().decode([PublicKey].self, from: json) == [key])
        #expect(try JSONDecoder().decode([String].self, from: json) == [key.base64])
    }

    @Test func printingAKeyRevealsNothing() {
        let key = IdentityKey()
        #expect("\(key)" == "IdentityKey(redacted)")
        #expect("\(InvitationSecret.randomLink())" == "InvitationSecret(redacted)")
    }
}
