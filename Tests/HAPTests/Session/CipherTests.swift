import Crypto
import Testing

@testable import HAP

@Suite struct CipherTests {
    // One vector uses SHA-256, which HAP doesn't.
    @Test(arguments: HAPVectors.all.hkdf.filter { $0.hash == "sha512" })
    func keysAreDerivedAsTheVectorSays(_ vector: HAPVectors.HKDFCase) {
        let key = KeyDerivation.derive(
            from: vector.ikm.bytes,
            salt: vector.salt.bytes,
            info: vector.info.bytes,
            count: vector.length
        )
        #expect(key == vector.okm.bytes)
    }

    @Test(arguments: [
        ("from-K-of-adk-alice: Pair-Setup-Encrypt-Info", KeyDerivation.pairSetupEncryption),
        ("from-K-of-adk-alice: Pair-Setup-Controller-Sign-Info", .pairSetupControllerSignature),
        ("from-K-of-adk-alice: Pair-Setup-Accessory-Sign-Info", .pairSetupAccessorySignature),
        ("from-x25519-rfc7748-6.1-secret: Pair-Verify-Encrypt-Info", .pairVerifyEncryption),
        ("from-x25519-rfc7748-6.1-secret: Control-Read-Encryption-Key", .accessoryToController),
        ("from-x25519-rfc7748-6.1-secret: Control-Write-Encryption-Key", .controllerToAccessory),
    ])
    func eachUseHasItsNames(_ name: String, _ derivation: KeyDerivation) throws {
        let vector = try #require(HAPVectors.all.hkdf.first { $0.name == name })
        #expect(derivation.derive(from: vector.ikm.bytes) == vector.okm.bytes)
    }

    /// The lengths around the ends of the hash's blocks and its output, with swift-crypto as the judge.
    @Test func everyLengthIsDerivedAsByAnotherImplementation() {
        var generator = SplitMix64(seed: 5_869)
        func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) } }
        for length in [0, 1, 32, 63, 64, 65, 111, 112, 127, 128, 129, 300] {
            for count in [1, 32, 63, 64, 65, 128, 129, 255 * 64] {
                let (secret, salt, info) = (bytes(length + 1), bytes(length), bytes(length / 2))
                let key = HKDF<SHA512>.deriveKey(
                    inputKeyMaterial: SymmetricKey(data: secret),
                    salt: salt,
                    info: info,
                    outputByteCount: count
                )
                let derived = KeyDerivation.derive(from: secret, salt: salt, info: info, count: count)
                #expect(derived == key.withUnsafeBytes { Array($0) })
            }
        }
    }

    @Test func namesOfAnotherProtocolCanBeUsed() {
        let secret = HAPVectors.all.pair_setup_transcript.K.bytes
        let vector = HAPVectors.all.transient_pair_setup
        let toController = KeyDerivation(salt: "SplitSetupSalt", info: "AccessoryEncrypt-Control")
        let toAccessory = KeyDerivation(salt: "SplitSetupSalt", info: "ControllerEncrypt-Control")
        #expect(toController.derive(from: secret) == vector.accessory_to_controller_key.bytes)
        #expect(toAccessory.derive(from: secret) == vector.controller_to_accessory_key.bytes)
    }

    @Test(arguments: HAPVectors.all.chacha20_poly1305)
    func messagesAreSealedAndOpenedAsTheVectorSays(_ vector: HAPVectors.AEADCase) throws {
        let key = AEADKey(vector.key.bytes)
        let nonce = try #require(AEADNonce(vector.nonce12.bytes))
        let sealed = key.seal(vector.plaintext.bytes, nonce, vector.aad.bytes)
        #expect(sealed == vector.ciphertext.bytes + vector.tag.bytes)
        #expect(key.open(sealed, nonce, vector.aad.bytes) == vector.plaintext.bytes)
    }

    @Test func nothingAlteredOpens() throws {
        let vector = HAPVectors.all.chacha20_poly1305[1]
        let key = AEADKey(vector.key.bytes)
        let nonce = try #require(AEADNonce(vector.nonce12.bytes))
        let sealed = vector.ciphertext.bytes + vector.tag.bytes
        for position in sealed.indices {
            for bit in 0..<8 {
                var altered = sealed
                altered[position] ^= 1 << bit
                #expect(key.open(altered, nonce, vector.aad.bytes) == nil)
            }
        }
        #expect(key.open(sealed, nonce, []) == nil)
        #expect(key.open(sealed, AEADNonce(counter: 0), vector.aad.bytes) == nil)
        #expect(key.open(Array(sealed.dropLast()), nonce, vector.aad.bytes) == nil)
        #expect(key.open(sealed + [0], nonce, vector.aad.bytes) == nil)
        #expect(key.open(Array(sealed.prefix(15)), nonce, vector.aad.bytes) == nil)
        #expect(key.open([], nonce, vector.aad.bytes) == nil)
    }

    /// The lengths around the ends of blocks and batches, with swift-crypto as the judge.
    @Test func everyLengthIsSealedAsByAnotherImplementation() throws {
        var generator = SplitMix64(seed: 8_439)
        let lengths = [0...70, 185...200, 250...275, 440...455, 955...970, 1_023...1_024, 4_000...4_000]
        for length in lengths.joined() {
            let key = (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }
            let plaintext = (0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) }
            let additionalData = (0..<length % 21).map { _ in UInt8.random(in: 0...255, using: &generator) }
            let nonce = (0..<12).map { _ in UInt8.random(in: 0...255, using: &generator) }
            let box = try ChaChaPoly.seal(
                plaintext,
                using: SymmetricKey(data: key),
                nonce: ChaChaPoly.Nonce(data: nonce),
                authenticating: additionalData
            )
            let ownNonce = try #require(AEADNonce(nonce))
            let sealed = AEADKey(key).seal(plaintext, ownNonce, additionalData)
            #expect(sealed == Array(box.combined.dropFirst(nonce.count)))
            #expect(AEADKey(key).open(sealed, ownNonce, additionalData) == plaintext)
        }
    }

    /// Sums that reach or pass 2^128 and 2^130 - 5: vectors 7 to 11 of RFC 8439, appendix A.3.
    @Test(
        arguments: [
            ("02", "00", [(0xFF, 0xFF)], "03"),
            ("02", "ff", [(0x02, 0x00)], "03"),
            ("01", "00", [(0xFF, 0xFF), (0xF0, 0xFF), (0x11, 0x00)], "05"),
            ("01", "00", [(0xFF, 0xFF), (0xFB, 0xFE), (0x01, 0x01)], "00"),
            ("02", "00", [(0xFD, 0xFF)], "fa" + String(repeating: "ff", count: 15)),
        ] as [(String, String, [(first: UInt8, others: UInt8)], String)]
    )
    func authenticatorsCarryAsTheStandardSays(
        _ r: String,
        _ s: String,
        _ blocks: [(first: UInt8, others: UInt8)],
        _ tag: String
    ) throws {
        let padding = String(repeating: "00", count: 15)
        let key = try #require(Hex.bytes(r + padding + String(repeating: s, count: 16)))
        var authenticator = key.withUnsafeBytes { Poly1305(key: $0) }
        for (first, others) in blocks {
            ([first] + [UInt8](repeating: others, count: 15)).withUnsafeBytes { authenticator.add($0) }
        }
        let expected = try #require(Hex.bytes(tag.count == 2 ? tag + padding : tag))
        #expect(withUnsafeBytes(of: authenticator.tag) { Array($0) } == expected)
    }

    @Test func messagesHaveTheNoncesOfTheirNames() {
        let nonces = HAPVectors.all.chacha20_poly1305.map(\.nonce12.bytes)
        for message in [MessageNonce.pairSetupM5, .pairSetupM6, .pairVerifyM2, .pairVerifyM3] {
            #expect(nonces.contains { AEADNonce($0) == AEADNonce(message) })
        }
        #expect(AEADNonce(counter: 8) == AEADNonce(nonces[1]))
    }

    @Test(arguments: HAPVectors.all.ed25519)
    func signaturesAreThoseOfTheVector(_ vector: HAPVectors.Ed25519Case) throws {
        let pair = try #require(LongTermKeyPair(seed: vector.seed.bytes))
        #expect(pair.publicKey.bytes == vector.public.bytes)
        let publicKey = try #require(LongTermPublicKey(vector.public.bytes))
        #expect(publicKey.isValidSignature(vector.signature.bytes, for: vector.message.bytes))
        #expect(try publicKey.isValidSignature(pair.signature(for: vector.message.bytes), for: vector.message.bytes))
    }

    @Test func aSignatureWithAnUnreducedScalarIsRefused() throws {
        // S + L is a valid signature to a verifier that doesn't check S < L (RFC 8032, section 5.1.7).
        let order: [UInt8] = [
            0xED, 0xD3, 0xF5, 0x5C, 0x1A, 0x63, 0x12, 0x58, 0xD6, 0x9C, 0xF7, 0xA2, 0xDE, 0xF9, 0xDE, 0x14,
            0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10,
        ]
        for vector in HAPVectors.all.ed25519 {
            let key = try #require(LongTermPublicKey(vector.public.bytes))
            var signature = vector.signature.bytes
            var carry = 0
            for index in 0..<32 {
                let sum = Int(signature[32 + index]) + Int(order[index]) + carry
                signature[32 + index] = UInt8(truncatingIfNeeded: sum)
                carry = sum >> 8
            }
            #expect(carry == 0)
            #expect(key.isValidSignature(vector.signature.bytes, for: vector.message.bytes))
            #expect(!key.isValidSignature(signature, for: vector.message.bytes))
        }
    }

    @Test func noSignatureIsValidForAKeyOfSmallOrder() throws {
        // With S = 0 and R = the neutral point, S B = R + h A is true for each A whose order divides h.
        let neutral: [UInt8] = [1] + [UInt8](repeating: 0, count: 31)
        let signature = neutral + [UInt8](repeating: 0, count: 32)
        for digits in [
            "0000000000000000000000000000000000000000000000000000000000000000",
            "0000000000000000000000000000000000000000000000000000000000000080",
            "0100000000000000000000000000000000000000000000000000000000000000",
            "0100000000000000000000000000000000000000000000000000000000000080",
            "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
            "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
            "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
            "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
            "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        ] {
            let key = try #require(Hex.bytes(digits).flatMap(LongTermPublicKey.init))
            #expect(key.isOfSmallOrder)
            for last: UInt8 in 0..<64 { #expect(!key.isValidSignature(signature, for: [last])) }
        }
        for vector in HAPVectors.all.ed25519 {
            #expect(try #require(LongTermPublicKey(vector.public.bytes)).isOfSmallOrder == false)
        }
    }

    @Test func signaturesOfAnotherLengthMessageOrKeyAreRefused() throws {
        let vector = HAPVectors.all.ed25519[1]
        let key = try #require(LongTermPublicKey(vector.public.bytes))
        let other = try #require(LongTermPublicKey(HAPVectors.all.ed25519[0].public.bytes))
        let signature = vector.signature.bytes
        #expect(!key.isValidSignature([], for: vector.message.bytes))
        #expect(!key.isValidSignature(signature.dropLast(), for: vector.message.bytes))
        #expect(!key.isValidSignature(signature + [0], for: vector.message.bytes))
        #expect(!key.isValidSignature(signature, for: vector.message.bytes + [0]))
        #expect(!other.isValidSignature(signature, for: vector.message.bytes))
        #expect(LongTermPublicKey([UInt8](repeating: 0, count: 31)) == nil)
        #expect(LongTermKeyPair(seed: [UInt8](repeating: 0, count: 33)) == nil)
    }

    @Test(arguments: HAPVectors.all.x25519)
    func secretsAreThoseOfTheVector(_ vector: HAPVectors.X25519Case) throws {
        var generator = ScriptedGenerator(vector.private.bytes)
        let pair = EphemeralKeyPair(using: &generator)
        #expect(generator.isUsedUp)
        if let publicKey = vector.public {
            #expect(pair.publicKey == publicKey.bytes)
        }
        if let peer = vector.peer_public {
            #expect(pair.sharedSecret(with: peer.bytes) == vector.shared?.bytes)
        }
        #expect(vector.public != nil || vector.shared != nil)
    }

    @Test(arguments: LowOrderKeys.all)
    func keysOfLowOrderAreRefused(_ key: Hex) {
        var generator = SystemRandomNumberGenerator()
        #expect(EphemeralKeyPair(using: &generator).sharedSecret(with: key.bytes) == nil)
    }

    @Test func keysOfAnotherLengthAreRefused() {
        var generator = SystemRandomNumberGenerator()
        let pair = EphemeralKeyPair(using: &generator)
        for count in [0, 31, 33] {
            #expect(pair.sharedSecret(with: [UInt8](repeating: 9, count: count)) == nil)
        }
    }
}

/// X25519 public keys for which the secret is all zeros with any private key: the points of order 1, 2, 4 and 8 on the
/// curve and its twist, including the forms that are not reduced.
enum LowOrderKeys {
    static let all: [Hex] = [
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0100000000000000000000000000000000000000000000000000000000000000",
        "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
        "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    ].compactMap { Hex.bytes($0) }.map { Hex($0) }
}

extension AEADNonce {
    /// Creates a nonce from 12 bytes.
    fileprivate init?(_ bytes: [UInt8]) {
        guard bytes.count == 12 else { return nil }
        self.init(
            words: bytes.withUnsafeBytes { bytes in
                SIMD3(
                    bytes.loadUnaligned(as: UInt32.self),
                    bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self),
                    bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self)
                )
            }
        )
    }
}

extension AEADKey {
    fileprivate func seal(_ plaintext: [UInt8], _ nonce: AEADNonce, _ additionalData: [UInt8]) -> [UInt8] {
        var output = [UInt8](repeating: 0, count: plaintext.count + Self.tagLength)
        output.withUnsafeMutableBytes { output in
            plaintext.withUnsafeBytes { plaintext in
                additionalData.withUnsafeBytes { seal(plaintext, nonce: nonce, authenticating: $0, into: output) }
            }
        }
        return output
    }

    /// Returns `nil`, after checking that nothing was written, if the bytes can't be opened.
    fileprivate func open(_ sealed: [UInt8], _ nonce: AEADNonce, _ additionalData: [UInt8]) -> [UInt8]? {
        var output = [UInt8](repeating: 7, count: max(0, sealed.count - Self.tagLength))
        let isOpened = output.withUnsafeMutableBytes { output in
            sealed.withUnsafeBytes { sealed in
                additionalData.withUnsafeBytes { open(sealed, nonce: nonce, authenticating: $0, into: output) }
            }
        }
        if !isOpened { #expect(output.allSatisfy { $0 == 7 }) }
        return isOpened ? output : nil
    }
}
