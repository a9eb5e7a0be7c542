/// The encrypted payload of M5 and M6 of pair-setup and of M2 and M3 of pair-verify: an identifier, in pair-setup the
/// long-term key, and a signature over a prefix, the identifier and a suffix.
struct SignedIdentity {
    /// The identifier in the form that was sent and signed.
    let identifier: [UInt8]
    /// The long-term public key, or `nil` in pair-verify, where both sides have it.
    let publicKey: LongTermPublicKey?
    private let signature: [UInt8]

    /// Signs with a long-term key.
    init(
        identifier: [UInt8],
        keyPair: LongTermKeyPair,
        includesKey: Bool,
        before: [UInt8],
        after: [UInt8]
    ) throws(CryptographyFailure) {
        self.identifier = identifier
        publicKey = includesKey ? keyPair.publicKey : nil
        signature = try keyPair.signature(for: before + identifier + after)
    }

    /// Decodes a controller's payload.
    init(decoding plaintext: [UInt8]) throws(MalformedMessage) {
        let message: TLV8
        do {
            message = try TLV8(decodingMessage: plaintext)
        } catch {
            throw MalformedMessage(error)
        }
        try self.init(message, publicKey: message[.publicKey])
    }

    /// Decodes an accessory's payload, in which leading zero bytes of the key may be missing.
    init(decodingReply plaintext: [UInt8]) throws(MalformedMessage) {
        let message: TLV8
        do {
            message = try TLV8(decodingReply: plaintext)
        } catch {
            throw MalformedMessage(error)
        }
        let publicKey = message[.publicKey].map { key in
            [UInt8](repeating: 0, count: max(0, LongTermPublicKey.length - key.count)) + key
        }
        try self.init(message, publicKey: publicKey)
    }

    private init(_ message: TLV8, publicKey key: [UInt8]?) throws(MalformedMessage) {
        guard let identifier = message[.identifier], let signature = message[.signature] else {
            throw MalformedMessage("EncryptedData lacks an Identifier or a Signature")
        }
        publicKey = key.flatMap(LongTermPublicKey.init)
        guard publicKey != nil || key == nil else {
            throw MalformedMessage("PublicKey in EncryptedData has a wrong length")
        }
        self.identifier = identifier
        self.signature = signature
    }

    /// Returns whether the signature is valid for the key, the prefix, the identifier and the suffix.
    func isSigned(by key: LongTermPublicKey, before: [UInt8], after: [UInt8]) -> Bool {
        key.isValidSignature(signature, for: before + identifier + after)
    }

    /// The bytes to encrypt.
    func encoded() -> [UInt8] {
        var message = TLV8([TLV8.Item(.identifier, identifier)])
        if let publicKey {
            message.append(.publicKey, publicKey.bytes)
        }
        message.append(.signature, signature)
        return message.encoded()
    }
}
