import Foundation
import BigInt
import Testing

@testable import HAP

@Suite struct SRPTests {
    @Test(arguments: HAPVectors.all.srp.cases)
    func theServerComputesWhatTheVectorSays(_ vector: HAPVectors.SRPCase) throws {
        let verifier = SRPVerifier(username: vector.user, password: vector.password, salt: vector.salt.bytes)
        #expect(verifier.bytes == vector.v.bytes)
        let server = SRPServer(verifier: verifier, privateValue: vector.b.bytes)
        #expect(server.publicKey == vector.B.bytes)
        let agreement = try server.agree(clientKey: vector.A.bytes, clientProof: vector.M1.bytes)
        #expect(agreement.sessionKey == vector.K.bytes)
        #expect(agreement.serverProof == vector.M2.bytes)
    }

    @Test(arguments: HAPVectors.all.srp.cases.filter { $0.a != nil })
    func theClientComputesWhatTheVectorSays(_ vector: HAPVectors.SRPCase) throws {
        let exchange = try SRPClientExchange(
            username: vector.user,
            password: vector.password,
            salt: vector.salt.bytes,
            serverKey: SRPHash.Form.stripped(vector.B.bytes)
        )
        let answer = try exchange.answer(privateValue: try #require(vector.a).bytes)
        #expect(answer.publicKey == vector.A.bytes)
        #expect(answer.secret == vector.S.bytes)
        #expect(answer.sessionKey == vector.K.bytes)
        #expect(answer.proof == vector.M1.bytes)
        #expect(answer.hasLeadingZero == (vector.A.bytes[0] == 0 || vector.S.bytes[0] == 0))
    }

    @Test(arguments: HAPVectors.all.srp.cases)
    func theHashesAreThoseOfTheVector(_ vector: HAPVectors.SRPCase) {
        let password = SRPHash.passwordHash(
            username: vector.user,
            password: vector.password,
            salt: vector.salt.bytes
        )
        #expect(password == vector.x.bytes)
        #expect(SRPHash.scrambler(clientKey: vector.A.bytes, serverKey: vector.B.bytes) == vector.u.bytes)
    }

    @Test(arguments: HAPVectors.all.srp.cases.filter { $0.if_everything_is_padded != nil })
    func aClientThatKeepsLeadingZerosIsUnderstood(_ vector: HAPVectors.SRPCase) throws {
        let padded = try #require(vector.if_everything_is_padded)
        let verifier = try #require(SRPVerifier(salt: vector.salt.bytes, bytes: vector.v.bytes))
        let server = SRPServer(verifier: verifier, privateValue: vector.b.bytes)
        let agreement = try server.agree(clientKey: vector.A.bytes, clientProof: padded.M1.bytes)
        #expect(agreement.sessionKey == padded.K.bytes)
        #expect(agreement.serverProof == padded.M2.bytes)
    }

    @Test func aKeyWithoutItsLeadingZerosIsTheSameKey() throws {
        let vector = try #require(HAPVectors.all.srp.cases.first { $0.name == "A-leading-zero" })
        let verifier = try #require(SRPVerifier(salt: vector.salt.bytes, bytes: vector.v.bytes))
        let server = SRPServer(verifier: verifier, privateValue: vector.b.bytes)
        let stripped = Array(vector.A.bytes.drop { $0 == 0 })
        #expect(stripped.count < vector.A.bytes.count)
        let agreement = try server.agree(clientKey: stripped, clientProof: vector.M1.bytes)
        #expect(agreement.serverProof == vector.M2.bytes)
    }

    @Test func aServerKeyIsHashedAsItWasReceived() throws {
        let vector = try #require(HAPVectors.all.srp.cases.first { $0.name == "B-leading-zero" })
        let exchange = try SRPClientExchange(
            username: vector.user,
            password: vector.password,
            salt: vector.salt.bytes,
            serverKey: vector.B.bytes
        )
        let answer = try exchange.answer(privateValue: try #require(vector.a).bytes)
        #expect(answer.proof == vector.if_everything_is_padded?.M1.bytes)
    }

    @Test func theServerDrawsAgainWhileItsKeyHasALeadingZero() throws {
        let vector = try #require(HAPVectors.all.srp.cases.first { $0.name == "B-leading-zero" })
        let next = try #require(HAPVectors.all.srp.cases.first { $0.name == "A-leading-zero" })
        let verifier = try #require(SRPVerifier(salt: vector.salt.bytes, bytes: vector.v.bytes))
        #expect(next.v == vector.v)
        var generator = ScriptedGenerator(vector.b.bytes, next.b.bytes)
        let server = SRPServer(verifier: verifier, using: &generator)
        #expect(server.publicKey == next.B.bytes)
        #expect(generator.isUsedUp)
    }

    @Test(arguments: ["A-leading-zero", "S-leading-zero"])
    func theClientDrawsAgainWhileItsKeyOrTheSecretHasALeadingZero(_ name: String) throws {
        let vector = try #require(HAPVectors.all.srp.cases.first { $0.name == name })
        let second = try #require(HAPVectors.all.srp.cases.first { $0.name == "plain-2" })
        var generator = ScriptedGenerator(try #require(vector.a).bytes, try #require(second.a).bytes)
        let client = try SRPClient(
            setupCode: try SetupCode(vector.password),
            salt: vector.salt.bytes,
            serverKey: vector.B.bytes,
            using: &generator
        )
        #expect(client.publicKey == second.A.bytes)
        #expect(generator.isUsedUp)
    }

    @Test func theClientDrawsAgainWhileTheSessionKeyHasALeadingZero() throws {
        let vector = try #require(HAPVectors.all.srp.cases.first { $0.name == "A-leading-zero" })
        let second = try #require(HAPVectors.all.srp.cases.first { $0.name == "plain-2" })
        // Found by search: with this salt and B, K begins with 0010361a, while A and S have no leading zero byte.
        let first = #""2122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3fe4""#
        let drawn = try JSONDecoder().decode(Hex.self, from: Data(first.utf8)).bytes
        var generator = ScriptedGenerator(drawn, try #require(second.a).bytes)
        let client = try SRPClient(
            setupCode: try SetupCode(vector.password),
            salt: vector.salt.bytes,
            serverKey: vector.B.bytes,
            using: &generator
        )
        #expect(client.publicKey == second.A.bytes)
        #expect(generator.isUsedUp)
    }

    @Test func aGeneratorThatRepeatsItselfDoesNotHangAnyone() throws {
        struct Constant: RandomNumberGenerator {
            mutating func next() -> UInt64 { 0 }
        }
        let vector = try #require(HAPVectors.all.srp.cases.last)
        var generator = Constant()
        // With a = 0, the key A is 1: all its bytes except the last are 0.
        let client = try SRPClient(
            setupCode: try SetupCode(vector.password),
            salt: vector.salt.bytes,
            serverKey: vector.B.bytes,
            using: &generator
        )
        #expect(client.publicKey == [UInt8](repeating: 0, count: 383) + [1])
    }

    @Test(arguments: [
        [], [0], [UInt8](repeating: 0, count: 384), SRPGroup.primeBytes,
    ])
    func aClientKeyThatFixesTheSecretIsRefused(_ key: [UInt8]) throws {
        let server = try Self.server()
        let proof = [UInt8](repeating: 0, count: 64)
        #expect(throws: SRPError.illegalPublicKey) { try server.agree(clientKey: key, clientProof: proof) }
    }

    @Test func aProofForASecretOfZeroIsRefused() throws {
        // A client that sends A = 0 knows that S = 0, and can compute K and a matching proof.
        let server = try Self.server()
        let vector = HAPVectors.all.srp.cases[2]
        for form in SRPHash.Form.allCases {
            let sessionKey = SRPHash.sessionKey(secret: [UInt8](repeating: 0, count: 384), form: form)
            for key in [[], [UInt8](repeating: 0, count: 384), SRPGroup.primeBytes] {
                let proof = SRPHash.clientProof(
                    username: vector.user,
                    salt: vector.salt.bytes,
                    clientKey: key,
                    serverKey: server.publicKey,
                    sessionKey: sessionKey
                )
                #expect(throws: SRPError.illegalPublicKey) { try server.agree(clientKey: key, clientProof: proof) }
            }
        }
    }

    @Test func keysAndProofsOfAWrongLengthAreMalformed() throws {
        let server = try Self.server()
        let twiceThePrime = (SRPNumberTests.prime << 1).serialize()
        #expect(twiceThePrime.count == 385)
        for key in [Array(twiceThePrime), [UInt8](repeating: 1, count: 385)] {
            #expect(throws: SRPError.wrongLength) {
                try server.agree(clientKey: key, clientProof: [UInt8](repeating: 0, count: 64))
            }
        }
        for count in [0, 63, 65] {
            #expect(throws: SRPError.wrongLength) {
                try server.agree(clientKey: [2], clientProof: [UInt8](repeating: 0, count: count))
            }
        }
    }

    @Test func aProofThatDiffersInOneBitIsRefused() throws {
        let vector = HAPVectors.all.srp.cases[2]
        let server = try Self.server()
        for position in [0, 31, 63] {
            var proof = vector.M1.bytes
            proof[position] ^= 1
            #expect(throws: SRPError.wrongProof) { try server.agree(clientKey: vector.A.bytes, clientProof: proof) }
        }
    }

    @Test func aServerKeyThatFixesTheSecretIsRefused() throws {
        let vector = HAPVectors.all.srp.cases[2]
        // v is g^x, so with B = k v + c, the client would compute a power of c.
        let shifted = SRPNumber(lowBytesOf: SRPHash.multiplier) * SRPNumber(lowBytesOf: vector.v.bytes)
        let keys = [
            [], [0], SRPGroup.primeBytes, shifted.bytes, (shifted + .one).bytes, (shifted - .one).bytes,
        ]
        for key in keys {
            #expect(throws: SRPError.illegalPublicKey) {
                try SRPClientExchange(
                    username: vector.user,
                    password: vector.password,
                    salt: vector.salt.bytes,
                    serverKey: key
                )
            }
        }
        #expect(throws: SRPError.wrongLength) {
            try SRPClientExchange(
                username: vector.user,
                password: vector.password,
                salt: vector.salt.bytes,
                serverKey: [UInt8](repeating: 1, count: 385)
            )
        }
    }

    @Test func aScramblerOfZeroIsRefused() throws {
        let vector = HAPVectors.all.srp.cases[2]
        let exchange = try SRPClientExchange(
            username: vector.user,
            password: vector.password,
            salt: vector.salt.bytes,
            serverKey: vector.B.bytes
        )
        let privateValue = try #require(vector.a).bytes
        #expect(throws: SRPError.illegalPublicKey) {
            try exchange.answer(privateValue: privateValue) { _, _ in [UInt8](repeating: 0, count: 64) }
        }
        // The hash covers both keys, and one bit of it is enough.
        let answer = try exchange.answer(privateValue: privateValue) { clientKey, serverKey in
            #expect(clientKey == vector.A.bytes && serverKey == vector.B.bytes)
            return [UInt8](repeating: 0, count: 63) + [1]
        }
        #expect(answer.publicKey == vector.A.bytes)
    }

    @Test func theClientGivesItsKeyForTheRightProofOnly() throws {
        let vector = HAPVectors.all.srp.cases[2]
        var generator = ScriptedGenerator(try #require(vector.a).bytes)
        let client = try SRPClient(
            setupCode: try SetupCode(vector.password),
            salt: vector.salt.bytes,
            serverKey: vector.B.bytes,
            using: &generator
        )
        #expect(client.proof == vector.M1.bytes)
        #expect(try client.sessionKey(verifying: vector.M2.bytes) == vector.K.bytes)
        var wrong = vector.M2.bytes
        wrong[63] ^= 0x80
        #expect(throws: SRPError.wrongProof) { try client.sessionKey(verifying: wrong) }
        #expect(throws: SRPError.wrongProof) { try client.sessionKey(verifying: vector.M1.bytes) }
        #expect(throws: SRPError.wrongLength) { try client.sessionKey(verifying: []) }
    }

    @Test func aStoredVerifierMustHaveItsLengths() {
        let salt = [UInt8](repeating: 1, count: 16)
        let bytes = [UInt8](repeating: 2, count: 384)
        #expect(SRPVerifier(salt: salt, bytes: bytes)?.bytes == bytes)
        #expect(SRPVerifier(salt: salt.dropLast(), bytes: bytes) == nil)
        #expect(SRPVerifier(salt: salt, bytes: bytes.dropLast()) == nil)
        #expect(SRPVerifier(salt: salt, bytes: [UInt8](repeating: 0, count: 384)) == nil)
        #expect(SRPVerifier(salt: salt, bytes: SRPGroup.primeBytes) == nil)
    }

    private static func server() throws -> SRPServer {
        let vector = HAPVectors.all.srp.cases[2]
        let verifier = try #require(SRPVerifier(salt: vector.salt.bytes, bytes: vector.v.bytes))
        return SRPServer(verifier: verifier, privateValue: vector.b.bytes)
    }
}
