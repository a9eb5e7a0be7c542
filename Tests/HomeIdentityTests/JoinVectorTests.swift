import Crypto
import Foundation
import HAP
import Testing

@testable import HomeIdentity

/// Values that Python's hashlib, pow and cryptography compute from the description of the exchange in
/// `Documentation/HubProtocol.md`.
@Suite struct JoinVectorTests {
    @Test func theVerifierIsTheDocumentedOne() throws {
        let code = InvitationSecret.code(try SetupCode("482-11-957"))
        let verifier = JoinVerifier(code, salt: Array(1...16))
        let digest = Array(SHA256.hash(data: verifier.verifier))
        #expect(
            digest
                == IdentityKeyTests.bytes("9ef745c689f279fd67f8d39e3edbd252d30bbc476239a4ea8250be1b0308e98d")
        )
    }

    private static func transcript() throws -> JoinTranscript {
        JoinTranscript(
            hello: Array("one".utf8),
            challenge: Array("two".utf8),
            clientKey: [UInt8](repeating: UInt8(ascii: "A"), count: 384),
            clientProof: [UInt8](repeating: UInt8(ascii: "P"), count: 64),
            hub: try #require(PublicKey([UInt8](repeating: 0xAA, count: 32))),
            device: try #require(PublicKey([UInt8](repeating: 0xBB, count: 32)))
        )
    }

    @Test func theEncryptedMessagesAreTheDocumentedOnes() throws {
        let sessionKey = [UInt8](0..<64)
        var transcript = try Self.transcript()
        let request = transcript.seal(Array("hello".utf8), as: .request, sessionKey: sessionKey)
        #expect(request == IdentityKeyTests.bytes("82a73d27be199ca37906ec7cbbf12c3ec2f9105e6b"))
        #expect(transcript.open(request, as: .request, sessionKey: sessionKey) == Array("hello".utf8))
        transcript.add(serverProof: [UInt8](repeating: UInt8(ascii: "Q"), count: 64))
        let reply = transcript.seal(Array("hello".utf8), as: .reply, sessionKey: sessionKey)
        #expect(reply == IdentityKeyTests.bytes("898b55c2e19ee39ed053ed46d78e4a371c63198623"))
        #expect(transcript.open(request, as: .request, sessionKey: sessionKey) == nil)
        #expect(transcript.open(reply, as: .request, sessionKey: sessionKey) == nil)
        #expect(transcript.open([], as: .reply, sessionKey: sessionKey) == nil)
        let share = [UInt8](repeating: UInt8(ascii: "S"), count: 32)
        #expect(transcript.digits(share: share, sessionKey: sessionKey).digits == "981572")
    }

    @Test func aMessageOfWhichAnyByteWasAlteredDoesNotOpen() throws {
        let sessionKey = [UInt8](0..<64)
        let transcript = try Self.transcript()
        let sealed = transcript.seal(
            Array(#"{"kind":"agent","name":"Pixel 9"}"#.utf8),
            as: .request,
            sessionKey: sessionKey
        )
        for offset in sealed.indices {
            var altered = sealed
            altered[offset] ^= 1
            #expect(transcript.open(altered, as: .request, sessionKey: sessionKey) == nil, "byte \(offset)")
            #expect(transcript.open(Array(sealed[..<offset]), as: .request, sessionKey: sessionKey) == nil)
        }
        var otherKey = sessionKey
        otherKey[63] ^= 1
        #expect(transcript.open(sealed, as: .request, sessionKey: otherKey) == nil)
    }

    @Test func digitsAreShownInTwoGroups() throws {
        #expect(try #require(CheckDigits(913)).text == "000 913")
        #expect(try #require(CheckDigits(482_913)).text == "482 913")
        #expect(CheckDigits(1_000_000) == nil)
        #expect(CheckDigits(secret: [0, 0, 0, 0, 0, 0x0F, 0x42, 0x41]).number == 1)
    }

    @Test func aStoredVerifierIsReadAgain() throws {
        let data = try JSONEncoder().encode(JoinExchange.verifier)
        #expect(try JSONDecoder().decode(JoinVerifier.self, from: data) == JoinExchange.verifier)
        #expect(JoinVerifier(salt: [1], verifier: JoinExchange.verifier.verifier) == nil)
        #expect(JoinVerifier(salt: JoinExchange.verifier.salt, verifier: [UInt8](repeating: 0, count: 384)) == nil)
        let zero = Data("[{\"salt\":\"AAAA\",\"verifier\":\"AAAA\"}]".utf8)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([JoinVerifier].self, from: zero) }
    }

    @Test func noSaltBeginsWithAZero() {
        // Implementations differ in how they hash a leading zero.
        #expect(JoinExchange.verifier.salt.first != 0)
    }
}
