import Foundation
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
